//! A comment is never longer than it may be, on any path, and nothing is lost without
//! being named.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::found::{folder, run};

fn config(index: usize, value: &str) -> String {
    format!(
        "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: cm-{index:03}}}\ndata: {{k: '{value}'}}\n"
    )
}

fn side(number: usize, value: &str) -> String {
    (0..number).map(|index| config(index, value)).collect()
}

fn comment(old: &str, new: &str, args: &[&str]) -> String {
    let mut all = vec!["--format=markdown"];
    all.extend(args);
    // Tests of one program run at once.
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let call = CALLS.fetch_add(1, Ordering::Relaxed);
    run(&folder(&format!("budget-{call}")), old, new, &all).expect_ok()
}

fn is_whole(text: &str) {
    assert_eq!(text.matches("<details>").count(), text.matches("</details>").count(), "{text}");
    let fences = text.lines().filter(|line| line.starts_with("```")).count();
    assert_eq!(fences % 2, 0, "{text}");
}

#[test]
fn no_limit_is_passed() {
    let (old, new) = (side(60, "ä"), side(60, "ö🙂"));
    for limit in [50, 200, 500, 1000, 1500, 2000, 3000, 5000, 10_000] {
        let text = comment(&old, &new, &[&format!("--max-chars={limit}")]);
        let length = text.chars().count();
        assert!(length <= limit, "{length} of {limit}");
        if limit >= 1000 {
            is_whole(&text);
            assert!(text.contains("60 objects changed"), "{text}");
            assert!(
                length + 400 > limit || text.matches("<details>").count() == 60,
                "{length} of {limit}:\n{text}"
            );
        }
    }
    let same = comment(&old, &old, &["--max-chars=300"]);
    assert!(same.contains("no difference in 60 objects") && same.chars().count() <= 300, "{same}");
}

#[test]
fn what_is_left_out_is_listed() {
    let text = comment(&side(60, "a"), &side(60, "b"), &["--max-chars=8000"]);
    for index in 0..60 {
        assert!(text.contains(&format!("cm-{index:03}")), "cm-{index:03} is not in\n{text}");
    }
    let shown = text.matches("<details>").count();
    assert!(text.contains(&format!("{shown} of 60 objects shown")), "{text}");
    assert!(text.contains("germ-post diff old.yaml new.yaml"), "it says how to see all:\n{text}");
    let tight = comment(&side(60, "a"), &side(60, "b"), &["--max-chars=2000"]);
    assert!(tight.contains("more objects") && tight.contains("ConfigMap"), "{tight}");
}

#[test]
fn one_large_object_is_cut_rather_than_lost() {
    let lines = |word: &str| (0..500).map(|n| format!("    {word} {n}\n")).collect::<String>();
    let large = |word: &str| {
        format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: large}}\ndata:\n  k: |\n{}", lines(word))
    };
    let text = comment(&large("old"), &large("new"), &["--max-chars=3000"]);
    assert!(text.contains("- old 0") && text.contains("lines left out"), "{text}");
    assert!(text.chars().count() <= 3000);
    is_whole(&text);
}

#[test]
fn parts_hold_everything() {
    let folder = folder("split");
    let many = |word: &str| {
        let lines: String = (0..200).map(|n| format!("    {word} line {n}\n")).collect();
        format!(
            "{}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: large}}\ndata:\n  k: |\n{lines}",
            side(40, word)
        )
    };
    // A part of an earlier run that had more of them.
    fs::create_dir_all(folder.join("comments")).unwrap();
    for stale in 1..60 {
        fs::write(folder.join(format!("comments/comment-{stale}.md")), "stale").unwrap();
    }
    run(&folder, &many("old"), &many("new"), &["--split=comments", "--max-chars=2500", "--comment-id=pr/7"])
        .expect_ok();
    let mut parts = Vec::new();
    while let Ok(text) = fs::read_to_string(folder.join(format!("comments/comment-{}.md", parts.len() + 1))) {
        parts.push(text);
    }
    assert!((5..30).contains(&parts.len()), "{}", parts.len());
    for (index, part) in parts.iter().enumerate() {
        assert!(part.chars().count() <= 2500, "{}", part.chars().count());
        is_whole(part);
        assert!(part.contains(&format!("part {}/{}", index + 1, parts.len())), "{part}");
        let marker = if index == 0 {
            "<!-- germ-post:pr/7 -->".to_owned()
        } else {
            format!("<!-- germ-post:pr/7:{} -->", index + 1)
        };
        assert!(part.starts_with(&marker), "{part}");
    }
    let all = parts.concat();
    for index in 0..40 {
        assert_eq!(all.matches(&format!("summary>± <code>ConfigMap cm-{index:03}</code>")).count(), 1);
    }
    for line in 0..200 {
        assert!(
            all.contains(&format!("- old line {line}\n")) && all.contains(&format!("+ new line {line}\n")),
            "{line}"
        );
    }
}

#[test]
fn nothing_in_a_value_ends_the_fence() {
    let old = config(1, "a");
    let new = config(1, "````` </details> <!-- @everyone");
    let text = comment(&old, &new, &[]);
    assert!(text.contains("``````diff\n"), "{text}");
    let name = comment(&old.replace("cm-001", "\"a|b<script>`x`@me\""), &old, &[]);
    assert!(!name.contains("<script>") && !name.contains("@me"), "{name}");
}
