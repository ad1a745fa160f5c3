//! `germ-post init`: asks a live cluster once, by kubectl, and writes down what no
//! later run will ask.

use germ_post::diagnostic::Diagnostic;
use germ_post::profile::matching::split_image;
use germ_post::profile::version::parse_version;
use serde_json::Value;

use super::args::Init;
use super::kubectl::Kubectl;
use super::{report_file, say};

/// Asks and writes.
pub fn run(args: &Init) -> Result<String, Diagnostic> {
    if args.output.exists() && !args.force {
        return Err(Diagnostic::input(
            "config-exists",
            format!("{} is there already", args.output.display()),
        )
        .help("--force replaces it, --output writes another file"));
    }
    let kubectl = Kubectl::new(&args.context, None);
    let nodes = kubectl.json(&["get", "nodes", "--output=json"])?;
    let system = |kind: &str, name: &str| kubectl.object(kind, name, Some("kube-system"));
    let text = configuration(
        &args.context,
        &nodes,
        &system("configmap", "cilium-config")?,
        &system("daemonset", "cilium")?,
    );
    report_file::write(&args.output, &text).map_err(|error| {
        Diagnostic::input("config-unwritable", format!("cannot write {}: {error}", args.output.display()))
    })?;
    say::line(&format!("germ-post: wrote {}", args.output.display()));
    Ok(String::new())
}

/// The file: a profile by the nodes' operating system or distribution and by what
/// Cilium does there, and the facts.
fn configuration(context: &str, nodes: &Value, config: &Value, agent: &Value) -> String {
    let info = |field: &str| -> Vec<&str> {
        let nodes = nodes["items"].as_array().into_iter().flatten();
        let mut values: Vec<&str> =
            nodes.filter_map(|node| node["status"]["nodeInfo"][field].as_str()).collect();
        values.sort_unstable();
        values.dedup();
        values
    };
    let systems = info("osImage");
    let kubelets = info("kubeletVersion");
    let profile = profile(&systems, &kubelets, config);
    let mut out = format!(
        "# Written once by `germ-post init` from the context {context}; review and keep it in Git.\n"
    );
    out.push_str(&format!("# Nodes: {}; kubelet: {}\n", list(&systems), list(&kubelets)));
    let mode = config["data"]["ipam"].as_str();
    if let Some(mode) = mode {
        out.push_str(&format!("# Cilium runs with ipam: {mode}\n"));
    }
    out.push_str(&format!("apiVersion: germ-post.dev/v1\nkind: Config\nprofile: {profile}\n"));
    let mut facts = Vec::new();
    if matches!(profile, "talos" | "k3s-kpr" | "k3s-portmap") {
        facts.push(format!("clusterState: {}", if config.is_null() { "new" } else { "existing" }));
    }
    if let Some(version) = cilium_version(agent).filter(|_| profile != "k3s-portmap") {
        facts.push(format!("ciliumVersion: \"{version}\""));
    }
    if !facts.is_empty() {
        out.push_str("facts:\n");
        for fact in facts {
            out.push_str(&format!("  {fact}\n"));
        }
    }
    if profile == "talos" && mode.is_some_and(|mode| mode != "kubernetes") {
        out.push_str("# Another mode would give every running pod another address.\nparams:\n  ipam: keep\n");
    }
    let pool = config["data"]["cluster-pool-ipv4-cidr"].as_str();
    if let Some(pool) = pool.filter(|_| matches!(profile, "k3s-kpr" | "k3s-portmap")) {
        out.push_str(&format!(
            "# Another range would give every pod another address.\nparams:\n  podCIDR: {pool}\n"
        ));
    }
    out
}

/// The shipped profile for nodes like these, with this Cilium on them.
fn profile(systems: &[&str], kubelets: &[&str], config: &Value) -> &'static str {
    let all = |values: &[&str], part: &str| !values.is_empty() && values.iter().all(|v| v.contains(part));
    let replaces_kube_proxy =
        matches!(config["data"]["kube-proxy-replacement"].as_str(), Some("true" | "strict"));
    match () {
        () if all(systems, "Talos") => "talos",
        () if !all(kubelets, "+k3s") => "generic",
        () if config.is_null() => "k3s",
        () if replaces_kube_proxy => "k3s-kpr",
        () => "k3s-portmap",
    }
}

fn list(values: &[&str]) -> String {
    if values.is_empty() { "unknown".to_owned() } else { values.join(", ") }
}

fn cilium_version(agent: &Value) -> Option<String> {
    let containers = agent["spec"]["template"]["spec"]["containers"].as_array()?;
    let image = containers.iter().find(|container| container["name"] == "cilium-agent")?["image"].as_str()?;
    let tag = split_image(image).1?.trim_start_matches('v');
    parse_version(tag).map(|_| tag.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_running_talos_cluster_keeps_its_addresses() {
        let nodes = json!({"items": [{"status": {"nodeInfo": {"osImage": "Talos (v1.11.2)", "kubeletVersion": "v1.34.1"}}}]});
        let config = json!({"data": {"ipam": "cluster-pool"}});
        let agent = json!({"spec": {"template": {"spec": {"containers": [
            {"name": "cilium-agent", "image": "quay.io/cilium/cilium:v1.18.3@sha256:ab"}
        ]}}}});
        let text = configuration("prod", &nodes, &config, &agent);
        assert!(
            text.contains("profile: talos\nfacts:\n  clusterState: existing\n  ciliumVersion: \"1.18.3\"\n"),
            "{text}"
        );
        assert!(text.ends_with("params:\n  ipam: keep\n"), "{text}");
    }

    #[test]
    fn k3s_is_told_by_its_kubelets_and_its_cilium() {
        let nodes = json!({"items": [{"status": {"nodeInfo": {"osImage": "K3s v1.34.1+k3s1", "kubeletVersion": "v1.34.1+k3s1"}}}]});
        let agent = json!({"spec": {"template": {"spec": {"containers": [
            {"name": "cilium-agent", "image": "quay.io/cilium/cilium:v1.18.3"}
        ]}}}});
        let text = configuration("lab", &nodes, &Value::Null, &Value::Null);
        assert!(text.ends_with("profile: k3s\n"), "{text}");
        let config =
            json!({"data": {"kube-proxy-replacement": "true", "cluster-pool-ipv4-cidr": "10.0.0.0/8"}});
        let text = configuration("lab", &nodes, &config, &agent);
        let facts = "profile: k3s-kpr\nfacts:\n  clusterState: existing\n  ciliumVersion: \"1.18.3\"\n";
        assert!(text.contains(facts) && text.ends_with("params:\n  podCIDR: 10.0.0.0/8\n"), "{text}");
        let config = json!({"data": {"kube-proxy-replacement": "false"}});
        let text = configuration("lab", &nodes, &config, &agent);
        assert!(text.ends_with("profile: k3s-portmap\nfacts:\n  clusterState: existing\n"), "{text}");
    }

    #[test]
    fn other_nodes_get_what_asks_for_no_operating_system() {
        let nodes = json!({"items": [{"status": {"nodeInfo": {"osImage": "Debian 13", "kubeletVersion": "v1.34.1"}}}]});
        assert!(configuration("x", &nodes, &Value::Null, &Value::Null).ends_with("profile: generic\n"));
    }

    #[test]
    fn a_cluster_without_cilium_is_new() {
        let nodes = json!({"items": [{"status": {"nodeInfo": {"osImage": "Talos (v1.11.2)"}}}]});
        let text = configuration("prod", &nodes, &Value::Null, &Value::Null);
        assert!(text.contains("clusterState: new"), "{text}");
        assert!(!text.contains("params"), "{text}");
    }
}
