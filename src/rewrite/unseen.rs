//! Documents that a release never hands to its post-renderer: what a chart has in
//! `crds/`, and under Helm 3 its hooks. A whole rendering holds them all the same, so
//! whoever wants of it what the release is has to keep them from every rule.

use super::survey::Survey;
use crate::diagnostic::Diagnostic;
use crate::manifest::{Head, template};

/// Helm's mark of a hook.
const HOOK: &str = "helm.sh/hook";

/// Which documents no rule gets to see.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Unseen {
    /// Those under `# Source: CHART/crds/…`. A file's second document has no such line
    /// of its own, so the last one counts.
    pub crds: bool,
    /// Those that are hooks.
    pub hooks: bool,
}

impl Unseen {
    /// Hides documents of a stream: their heads tell nothing any more.
    pub fn hide(self, survey: &mut Survey<'_>) -> Result<(), Diagnostic> {
        if self == Self::default() {
            return Ok(());
        }
        let mut source = None;
        for index in 0..survey.heads.len() {
            source = template::source_comment(survey.text(index)).or(source);
            if !survey.heads[index].has_content {
                continue;
            }
            let is_of_crds = self.crds && source.is_some_and(template::is_crds_path);
            if is_of_crds || self.hooks && is_hook(survey, index)? {
                survey.heads[index] = Head::default();
                survey.unseen += 1;
            }
        }
        Ok(())
    }
}

/// Whether a document is a hook, as Helm sees it: by the annotations of the document
/// itself. Source: `SortManifests` in Helm's `pkg/release/v1/util`.
fn is_hook(survey: &Survey<'_>, index: usize) -> Result<bool, Diagnostic> {
    // Escapes could spell the key in other letters; a text with some is read.
    let text = survey.text(index).as_bytes();
    if memchr::memmem::find(text, HOOK.as_bytes()).is_none() && memchr::memchr(b'\\', text).is_none() {
        return Ok(false);
    }
    let (_, value) = survey.parse(index)?;
    Ok(value.pointer("/metadata/annotations").is_some_and(|all| all.get(HOOK).is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: &str = "---\n# Source: a/crds/x.yaml\nkind: One\n---\nkind: Two\n\
        ---\n# Source: a/charts/b/crds/x.yaml\nkind: Three\n\
        ---\n# Source: a/templates/x.yaml\nkind: Four\nmetadata: {annotations: {\"helm.sh\\x2fhook\": test}}\n\
        ---\nkind: Five\nmetadata:\n  annotations:\n    helm.sh/hook: pre-install\n\
        ---\n# helm.sh/hook\nkind: Six\n---\n# nothing\n";

    fn seen(unseen: Unseen) -> Vec<String> {
        let mut survey = Survey::new(STREAM.as_bytes()).unwrap();
        unseen.hide(&mut survey).unwrap();
        assert_eq!(survey.content(), 6);
        let kinds = survey.heads.iter().filter(|head| head.has_content).map(|head| head.kind.to_string());
        kinds.collect()
    }

    #[test]
    fn crds_and_hooks_are_hidden_where_that_is_asked() {
        let all = ["One", "Two", "Three", "Four", "Five", "Six"];
        assert_eq!(seen(Unseen::default()), all);
        assert_eq!(seen(Unseen { crds: true, hooks: false }), all[3..]);
        assert_eq!(seen(Unseen { crds: false, hooks: true }), ["One", "Two", "Three", "Six"]);
        assert_eq!(seen(Unseen { crds: true, hooks: true }), ["Six"]);
    }
}
