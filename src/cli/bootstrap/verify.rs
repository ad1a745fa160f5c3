//! Whether what was installed is what was asked for: the release that Helm keeps is what the
//! profile makes of it, and what had to wait for its kinds is in the cluster.

use germ_post::bootstrap::late;
use germ_post::diagnostic::Diagnostic;
use germ_post::rewrite;
use serde_json::Value;

use super::failed;
use super::outlook::Outlook;
use super::progress::Progress;

/// Looks.
pub fn verify(outlook: &Outlook<'_>, progress: &Progress) -> Result<(), Vec<Diagnostic>> {
    let stored = manifest(outlook).map_err(|error| vec![error])?;
    let run = rewrite::run(stored.as_bytes(), &outlook.chosen.request);
    if run.output.is_none() {
        return Err(run.diagnostics);
    }
    let changes = run.report.edits + run.report.dropped + run.report.added;
    if changes > 0 {
        let message = format!(
            "the release that Helm keeps is not what the profile says: {changes} changes would be left to make"
        );
        let error = Diagnostic::contract("release-differs", message)
            .help("another run may have upgraded it without the post-renderer: run this again");
        return Err(vec![error]);
    }
    progress.step(&format!("release {}: as the profile says", outlook.args.release));
    for object in late::marked(&outlook.objects) {
        present(outlook, &object).map_err(|error| vec![error])?;
        progress.step(&format!("{}: in the cluster as rendered", object.identity));
    }
    Ok(())
}

/// The manifests of the release, as Helm keeps them.
pub fn manifest(outlook: &Outlook<'_>) -> Result<String, Diagnostic> {
    let args = outlook.args;
    let mut words: Vec<String> = ["get", "manifest"].map(str::to_owned).into();
    words.extend(outlook.on_cluster());
    words.extend(["--".to_owned(), args.release.clone()]);
    let output = outlook.helm.on_cluster(&words, &[])?;
    if !output.success {
        return Err(failed("read the release", &output));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn present(outlook: &Outlook<'_>, object: &late::Object) -> Result<(), Diagnostic> {
    let identity = &object.identity;
    let served = outlook.ask_served(&[identity.api_version()])?;
    let wrong = |what: String| {
        Err(Diagnostic::contract("object-differs", format!("{identity} {what}"))
            .help("run this again; if that does not help, look at who else writes it: Argo CD, an operator"))
    };
    let Some(resource) = served.resource(identity) else {
        return wrong("is of a kind that is not served".to_owned());
    };
    let namespace = match identity.namespace.as_str() {
        "" => outlook.args.namespace.as_str(),
        namespace => namespace,
    };
    let namespace = resource.namespaced.then_some(namespace);
    let name = format!("{}.{}", resource.plural, identity.group);
    let live = outlook.kubectl.object(&name, &identity.name, namespace)?;
    if live.is_null() {
        return wrong("is not in the cluster".to_owned());
    }
    match missing(&object.value["spec"], &live["spec"], "spec") {
        Some(path) => wrong(format!("is not in the cluster as it was rendered: {path} is another")),
        None => Ok(()),
    }
}

/// The first place where the cluster has something else than what was asked for; what it adds
/// is its own.
fn missing(wanted: &Value, live: &Value, path: &str) -> Option<String> {
    match (wanted, live) {
        (Value::Object(wanted), Value::Object(live)) => wanted.iter().find_map(|(key, value)| {
            missing(value, live.get(key).unwrap_or(&Value::Null), &format!("{path}.{key}"))
        }),
        (Value::Array(wanted), Value::Array(live)) if wanted.len() == live.len() => wanted
            .iter()
            .zip(live)
            .enumerate()
            .find_map(|(index, (wanted, live))| missing(wanted, live, &format!("{path}.{index}"))),
        (wanted, live) => (wanted != live).then(|| path.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_the_cluster_adds_is_no_difference() {
        let wanted = json!({"blocks": [{"cidr": "a"}], "x": 1});
        let live = json!({"blocks": [{"cidr": "a", "more": true}], "x": 1, "disabled": false});
        assert_eq!(missing(&wanted, &live, "spec"), None);
        let other = json!({"blocks": [{"cidr": "b"}], "x": 1});
        assert_eq!(missing(&wanted, &other, "spec").as_deref(), Some("spec.blocks.0.cidr"));
        assert_eq!(missing(&wanted, &Value::Null, "spec").as_deref(), Some("spec"));
    }
}
