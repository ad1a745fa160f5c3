//! The steps of a bootstrap as a shell script, for whoever wants to read or change them, or
//! has no germ-post on the machine that reaches the cluster but as a post-renderer.

/// What the script does.
#[derive(Debug, Clone, Default)]
pub struct Steps {
    /// The kubectl context.
    pub context: String,
    /// The kubeconfig, if it is not kubectl's own.
    pub kubeconfig: Option<String>,
    /// The release's name.
    pub release: String,
    /// Its namespace.
    pub namespace: String,
    /// The chart's folder.
    pub chart: String,
    /// Flags of `helm upgrade` that say values.
    pub values: Vec<String>,
    /// Arguments of the post-renderer.
    pub post_renderer: Vec<String>,
    /// `(apiVersion, GROUP/KIND)` of what is registered at run time.
    pub late: Vec<(String, String)>,
    /// `KIND/NAME` of the workloads that everything waits for.
    pub workloads: Vec<String>,
    /// Whether missing dependencies are fetched.
    pub fetch: bool,
    /// How long each wait may take, in seconds.
    pub timeout: u64,
}

/// The script. It needs a POSIX shell, Helm, kubectl and germ-post, and may be run again
/// whenever it has stopped.
pub fn script(steps: &Steps) -> String {
    let words = |words: &[String]| words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
    let timeout = steps.timeout;
    let mut out = format!(
        "#!/bin/sh\n\
         # Installs {release} by Helm on a cluster that may have no network yet, in two passes where\n\
         # kinds are registered only by what the release starts. Written by germ-post.\n\
         set -eu\n{kubeconfig}\n\
         kube() {{ kubectl --context={context} \"$@\"; }}\n\n",
        release = steps.release,
        context = quoted(&steps.context),
        kubeconfig = steps
            .kubeconfig
            .as_ref()
            .map(|file| format!("export KUBECONFIG={}\n", quoted(file)))
            .unwrap_or_default(),
    );
    out.push_str(&format!(
        "install() {{\n  helm upgrade --install {release} {chart} --namespace={namespace} --create-namespace \\\n    \
         --kube-context={context} --timeout={timeout}s{values} \\\n    \
         --post-renderer=germ-post{arguments} \"$@\"\n}}\n\n",
        release = quoted(&steps.release),
        chart = quoted(&steps.chart),
        namespace = quoted(&steps.namespace),
        context = quoted(&steps.context),
        values = joined(" ", &words(&steps.values)),
        arguments = steps
            .post_renderer
            .iter()
            .map(|argument| format!(" --post-renderer-args={}", quoted(argument)))
            .collect::<String>(),
    ));
    out.push_str(
        "# Whether the API server serves a kind: served API_VERSION KIND\n\
         served() { kube get --raw \"/apis/$1\" 2>/dev/null | grep -q \"\\\"kind\\\":\\\"$2\\\"\"; }\n\n\
         # Tries a command until it goes well: within SECONDS WHAT COMMAND …\n\
         within() {\n  left=$1 what=$2\n  shift 2\n  until \"$@\"; do\n    \
         [ \"$left\" -gt 0 ] || { echo \"still waiting for $what\" >&2; exit 1; }\n    \
         left=$((left - 2))\n    sleep 2\n  done\n}\n\n\
         kube get --raw /readyz >/dev/null\n",
    );
    if steps.fetch {
        let chart = quoted(&steps.chart);
        out.push_str(&format!("helm dependency build {chart} || helm dependency update {chart}\n"));
    }
    if steps.late.is_empty() {
        out.push_str("install\n");
        out.push_str(&waits(steps));
        return out;
    }
    let all_served: Vec<String> = steps
        .late
        .iter()
        .map(|(version, kind)| {
            let kind = kind.split_once('/').map_or(kind.as_str(), |(_, kind)| kind);
            format!("served {} {}", quoted(version), quoted(kind))
        })
        .collect();
    out.push_str(&format!("\nif ! {{ {}; }}; then\n", all_served.join(" && ")));
    out.push_str(
        "  # An upgrade that leaves out what is there would delete it, and all addresses with it.\n",
    );
    out.push_str(&format!(
        "  if helm status {release} --namespace={namespace} --kube-context={context} 2>/dev/null | grep -q '^STATUS: deployed'; then\n    \
         helm get manifest {release} --namespace={namespace} --kube-context={context} | grep -qE '^kind: ({kinds})$' &&\n      \
         {{ echo \"the release has objects of kinds that are not served any more\" >&2; exit 1; }}\n  fi\n",
        release = quoted(&steps.release),
        namespace = quoted(&steps.namespace),
        context = quoted(&steps.context),
        kinds = steps
            .late
            .iter()
            .map(|(_, kind)| kind.split_once('/').map_or(kind.as_str(), |(_, kind)| kind))
            .collect::<Vec<_>>()
            .join("|"),
    ));
    let held: String = steps
        .late
        .iter()
        .map(|(_, kind)| format!(" --post-renderer-args=--hold-back={}", quoted(kind)))
        .collect();
    out.push_str(&format!("  install{held}\n"));
    for (served, (_, kind)) in all_served.iter().zip(&steps.late) {
        out.push_str(&format!("  within {timeout} {} {served}\n", quoted(kind)));
    }
    out.push_str("fi\ninstall\n");
    out.push_str(&waits(steps));
    out
}

/// Waiting for nodes and workloads.
fn waits(steps: &Steps) -> String {
    let Steps { timeout, namespace, .. } = steps;
    let mut out = format!("\nkube wait --for=condition=Ready nodes --all --timeout={timeout}s\n");
    for workload in &steps.workloads {
        out.push_str(&format!(
            "kube --namespace={} rollout status {} --timeout={timeout}s\n",
            quoted(namespace),
            quoted(&workload.to_lowercase())
        ));
    }
    out
}

fn joined(separator: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{separator}{text}") }
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/_-.=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_is_taken_apart_by_the_shell() {
        assert_eq!(quoted("kube-system"), "kube-system");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("it's $HOME"), "'it'\\''s $HOME'");
    }
}
