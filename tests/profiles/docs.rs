//! `docs/profiles.md` is true: every wish of the tutorial is run as it stands there.

use super::folder::{Folder, fails};
use crate::support::page::Page;

#[test]
fn every_wish_comes_true() {
    let tutorial = Page::read("docs/profiles.md");
    let mut wishes = 0;
    for title in tutorial.text.lines().filter_map(|line| line.strip_prefix("## ")) {
        let section = tutorial.section(title);
        let folder = Folder::with(&[]);
        let mut input = String::new();
        let mut shown = 0;
        for block in section.blocks().filter(|block| !block.words().is_empty()) {
            let run = |stream: &str| folder.run(&["--quiet", "--profile=./profile.yaml"], stream);
            match block.words()[0] {
                "profile" => folder.write("profile.yaml", &block.text),
                "input" => input.clone_from(&block.text),
                "output" => {
                    let output = run(&input).expect_ok();
                    assert_eq!(output, block.text, "{title}");
                    assert_eq!(run(&output).expect_ok(), output, "{title}, twice");
                    shown += 1;
                }
                "error" => {
                    let lines: Vec<&str> = block.text.lines().collect();
                    fails(&run(&input), 3, &lines);
                    shown += 1;
                }
                file => folder.write(file, &block.text),
            }
        }
        if shown > 0 {
            wishes += 1;
            let lint = folder.run(&["profiles", "lint", "./profile.yaml"], "");
            assert_eq!(lint.code, 0, "{title}: {}", lint.stderr);
            let tests = folder.run(&["profiles", "test", "./profile.yaml"], "");
            assert_eq!(tests.code, 0, "{title}: {}", tests.stderr);
        }
    }
    assert!(wishes >= 10, "the tutorial grants {wishes} wishes");
}
