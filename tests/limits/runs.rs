//! Runs of the whole post-renderer in this process, under no profile and under
//! one that edits objects of the kind `Thing`.

use germ_post::profile::load;
use germ_post::rewrite::{self, Request, Run};

const PROFILE: &str = "\
apiVersion: germ-post.dev/v1
kind: Profile
name: limits
rules:
  - id: limits/edit
    title: things are edited
    why: a limit must hold in a document that is edited, too
    match: {kind: Thing}
    expect: any
    edit:
      - {set: spec.new, value: here, apart: true}
      - {remove: spec.old, optional: true, apart: true}
      - {retain: spec.list, value: [kept], optional: true, apart: true}
  - id: limits/drop
    title: policies go
    why: items of lists go one by one
    match: {kind: NetworkPolicy}
    expect: any
    edit:
      - drop: object
";

/// What is asked of a run under a profile: `none`, or the one of this file.
fn request(profile: &str) -> Request {
    let loaded = load::load(&[profile.to_owned()], &|_| Ok(PROFILE.to_owned())).unwrap();
    let params = loaded.params().unwrap();
    Request { loaded, params, ..Request::default() }
}

/// The run without a profile.
pub fn untouched(text: &str) -> Run<'_> {
    rewrite::run(text.as_bytes(), &request("none"))
}

/// The run with edits.
pub fn edited(text: &str) -> Run<'_> {
    rewrite::run(text.as_bytes(), &request("./limits.yaml"))
}

/// The text comes out as it went in, without a profile and with one that has
/// nothing to do with it.
pub fn passes(text: &str) {
    for run in [untouched(text), edited(text)] {
        let shown = run.diagnostics.first().map(ToString::to_string);
        let output = run.output.unwrap_or_else(|| panic!("refused: {shown:?}"));
        assert!(output.text() == text, "not as it was");
    }
}

/// The output of a run with edits.
pub fn output(text: &str) -> String {
    let run = edited(text);
    let shown = run.diagnostics.first().map(ToString::to_string);
    let output = run.output.unwrap_or_else(|| panic!("refused: {shown:?}"));
    output.text()
}

/// The text is refused in these words, without a profile as well.
pub fn is_unreadable(text: &str, words: &str) {
    for run in [untouched(text), edited(text)] {
        assert!(run.output.is_none(), "not refused, but should be: {words}");
        let message = run.diagnostics.first().unwrap().to_string();
        assert!(message.contains(words), "{message}");
    }
}
