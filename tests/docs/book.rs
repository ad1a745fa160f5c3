//! `docs/` is a book: every page is in SUMMARY.md, every line of that is a page, and mdBook
//! makes a book of it.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::support::page::Page;
use crate::support::{run::scratch, tools};

/// The files that SUMMARY.md lists.
fn listed() -> Vec<String> {
    let links = Page::read("docs/SUMMARY.md").links();
    links.into_iter().map(|(_, link)| link).filter(|link| !link.is_empty()).collect()
}

#[test]
fn the_summary_lists_every_page_once() {
    let listed = listed();
    let once: BTreeSet<&String> = listed.iter().collect();
    assert_eq!(once.len(), listed.len(), "a page is listed twice");
    for page in Page::for_users().iter().filter(|page| page.name != "README.md") {
        let name = page.name.strip_prefix("docs/").unwrap();
        let is_listed = name == "SUMMARY.md" || listed.iter().any(|listed| listed == name);
        assert!(is_listed, "{name} is not in docs/SUMMARY.md");
        let title = page.text.lines().find(|line| !line.is_empty() && !line.starts_with("<!--"));
        assert!(title.is_some_and(|line| line.starts_with("# ")), "{name} has no title");
    }
}

#[test]
fn mdbook_makes_the_book() {
    let Some(mdbook) = tools::mdbook() else { return };
    let place = tempfile::tempdir_in(scratch()).unwrap();
    // A copy with the pages that are still to come, for mdBook wants every page of the summary.
    let docs = place.path().join("docs");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    for entry in walkdir::WalkDir::new(&source).into_iter().map(Result::unwrap) {
        let to = docs.join(entry.path().strip_prefix(&source).unwrap());
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(to).unwrap();
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
    for page in listed().iter().map(|page| docs.join(page)).filter(|page| !page.exists()) {
        std::fs::write(page, "# To come\n").unwrap();
    }
    let book = place.path().join("book");
    let output = Command::new(mdbook).args(["build", "--dest-dir"]).arg(&book).arg(&docs).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(!said.contains("[WARN]") && !said.contains("[ERROR]"), "{said}");
    for page in listed() {
        let made = page.replace("README.md", "index.md").replace(".md", ".html");
        assert!(book.join(&made).is_file(), "{made} is not in the book");
    }
}
