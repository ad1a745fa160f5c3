//! Every profile of `wrong/` is refused as its first lines say: `# says:` a text
//! of the message, `# caret:` the text that the carets stand under.

use std::fs;
use std::path::Path;

use crate::support::run::germ_post_in;

#[test]
fn wrong_profiles_are_refused_with_place_and_suggestion() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/profiles/wrong");
    let mut failures = Vec::new();
    for entry in fs::read_dir(&folder).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_file()) {
        let name = entry.file_name().into_string().unwrap();
        let text = fs::read_to_string(entry.path()).unwrap();
        // By lint and by the post-renderer alike.
        let run = germ_post_in(&folder, &["profiles", "lint", &name], b"");
        let rendered = germ_post_in(&folder, &["--profile", &name], b"");
        let mut fault = |what: String| failures.push(format!("{name}: {what}\n{}", run.stderr));
        if (run.code, rendered.code) != (2, 2) || !rendered.stdout.is_empty() {
            fault(format!("lint exits {}, the post-renderer {}", run.code, rendered.code));
        }
        if !run.stderr.contains('^') {
            fault("there is no caret".to_owned());
        }
        for line in text.lines() {
            if let Some(said) = line.strip_prefix("# says: ").filter(|said| !run.stderr.contains(said)) {
                fault(format!("it does not say `{said}`"));
            }
            if let Some(wanted) = line.strip_prefix("# caret: ").filter(|text| !points_at(&run.stderr, text))
            {
                fault(format!("the caret is not under `{wanted}`"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Whether a line of carets begins and ends below this text of the line above.
fn points_at(message: &str, text: &str) -> bool {
    let lines: Vec<&str> = message.lines().collect();
    lines.windows(2).any(|pair| {
        let Some(start) = pair[1].find('^') else { return false };
        let start = pair[1][..start].chars().count();
        let carets = pair[1].chars().filter(|c| *c == '^').count();
        pair[0].chars().skip(start).take(carets).eq(text.chars())
    })
}
