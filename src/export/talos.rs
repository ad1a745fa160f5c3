//! A release as a manifest that Talos applies by itself when a cluster is made:
//! `inlineManifests` of a machine configuration, or from Talos 1.14 on a document of
//! its own.
//!
//! Sources: <https://github.com/siderolabs/docs/blob/main/public/kubernetes-guides/advanced-guides/inlinemanifests.mdx>,
//! <https://github.com/siderolabs/docs/blob/main/public/talos/v1.14/reference/configuration/kubernetes/kubeinlinemanifestconfig.mdx>

use serde_json::{Value, json};

use super::text::{unwritable, write};
use crate::diagnostic::Diagnostic;
use crate::manifest::{Identity, objects};
use crate::yaml::{self, Stream};

/// How the configuration has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `cluster.inlineManifests`, which every version reads.
    Inline,
    /// A `KubeInlineManifestConfig`, from Talos 1.14 on.
    Document,
}

/// A machine configuration's patch with the release `stream` as the manifest `name`,
/// and what is to be said of it.
///
/// # Errors
/// The stream holds no object, or cannot be read.
pub fn inline(stream: &str, name: &str, form: Form) -> Result<(String, Vec<Diagnostic>), Diagnostic> {
    let identities = identities(stream)?;
    if identities.is_empty() {
        return Err(Diagnostic::input("nothing-to-export", "the stream holds no object"));
    }
    let (head, margin, patch): (String, &str, Value) = match form {
        Form::Inline => (
            format!("cluster:\n  inlineManifests:\n    - name: {}\n      contents: |\n", scalar(name)),
            "        ",
            json!({"cluster": {"inlineManifests": [{"name": name, "contents": with_end(stream)}]}}),
        ),
        Form::Document => (
            format!(
                "apiVersion: v1alpha1\nkind: KubeInlineManifestConfig\nname: {}\nmanifest: |\n",
                scalar(name)
            ),
            "  ",
            json!({"apiVersion": "v1alpha1", "kind": "KubeInlineManifestConfig", "name": name, "manifest": with_end(stream)}),
        ),
    };
    let mut text = head;
    for line in with_end(stream).split_inclusive('\n') {
        if line != "\n" {
            text.push_str(margin);
        }
        text.push_str(line);
    }
    // A literal block reads best, and cannot hold everything.
    let text = if is(&text, &patch) { text } else { write(&patch)? };
    if !is(&text, &patch) {
        return Err(unwritable());
    }
    Ok((text, warnings(&identities)))
}

/// The release as Talos keeps it: one line break at the end.
fn with_end(stream: &str) -> String {
    format!("{}\n", stream.trim_end_matches('\n'))
}

fn scalar(text: &str) -> String {
    if yaml::quote::plain_is_safe(text, yaml::quote::Place::Block) {
        text.to_owned()
    } else {
        yaml::quote::double(text)
    }
}

fn is(text: &str, wanted: &Value) -> bool {
    yaml::parse(text).ok().and_then(|tree| tree.read().ok()).as_ref() == Some(wanted)
}

/// What names each object, and whether it is a hook of Helm.
fn identities(stream: &str) -> Result<Vec<(Identity, bool)>, Diagnostic> {
    let unreadable = || Diagnostic::input("nothing-to-export", "the stream cannot be read");
    let cut = Stream::cut(stream.as_bytes()).map_err(|_| unreadable())?;
    let mut out = Vec::new();
    for document in cut.documents() {
        let tree = yaml::parse(cut.document_text(document)).map_err(|_| unreadable())?;
        let value = tree.read().map_err(|_| unreadable())?;
        if value.is_null() {
            continue;
        }
        for object in objects::objects(&value) {
            let inner = crate::profile::path::get(&value, &object.at);
            let hook = inner.and_then(|inner| inner.pointer("/metadata/annotations/helm.sh~1hook"));
            out.push((object.identity, hook.is_some()));
        }
    }
    Ok(out)
}

fn warnings(identities: &[(Identity, bool)]) -> Vec<Diagnostic> {
    let named = |which: &dyn Fn(&(Identity, bool)) -> bool| -> Vec<String> {
        identities.iter().filter(|one| which(one)).map(|(identity, _)| identity.to_string()).collect()
    };
    let mut out = Vec::new();
    let secrets = named(&|(identity, _)| identity.is_secret());
    if !secrets.is_empty() {
        out.push(
            warning("export-holds-secrets", "the machine configuration will hold Secrets in the clear")
                .note(secrets.join(", "))
                .help("keep the patch where the machine's own secrets are kept, and out of Git"),
        );
    }
    let hooks = named(&|(_, hook)| *hook);
    if !hooks.is_empty() {
        out.push(
            warning("export-holds-hooks", "Talos applies hooks of Helm as plain objects, all at once")
                .note(hooks.join(", "))
                .help("render with `helm template --no-hooks`"),
        );
    }
    out
}

fn warning(code: &'static str, message: &str) -> Diagnostic {
    Diagnostic::new(code, crate::diagnostic::Class::Warning, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_stream_is_held_as_it_is() {
        for stream in [
            "kind: A\nmetadata: {name: a}\n",
            "---\n# first\nkind: A\n\n---\nkind: Secret\napiVersion: v1\nmetadata: {name: s}\nstringData:\n  k: |\n    x\n\n    y\n",
            "  kind: A\n",
            "kind: \"\ttab\"\n\n\n",
        ] {
            for form in [Form::Inline, Form::Document] {
                let (text, warnings) = inline(stream, "cni: x", form).unwrap();
                let read = yaml::parse(&text).unwrap().read().unwrap();
                let held = match form {
                    Form::Inline => read.pointer("/cluster/inlineManifests/0/contents"),
                    Form::Document => read.get("manifest"),
                };
                assert_eq!(held.unwrap(), &Value::from(with_end(stream)));
                assert_eq!(warnings.len(), usize::from(stream.contains("Secret")));
            }
        }
        assert!(inline("# nothing\n", "a", Form::Inline).is_err());
    }
}
