//! Every link of the documentation leads somewhere: files and headings are there, addresses
//! have the form of one. Rules that pages name ship.

use std::path::{Component, Path, PathBuf};

use germ_post::profile::{embedded, load};

use crate::support::page::{Page, Part};

/// Pages that are written elsewhere and may not have come yet.
const COMING: &[&str] = &["docs/compatibility.md", "docs/other-doors.md"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn pages() -> Vec<Page> {
    let mut pages = Page::for_users();
    let others = ["ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"];
    pages.extend(others.iter().map(|name| Page::read(name)));
    pages
}

/// Where a link of a page leads, below the root; an error if out of the repository.
fn target(page: &str, link: &str) -> Result<String, String> {
    let mut path = PathBuf::new();
    for part in Path::new(page).parent().unwrap().join(link).components() {
        match part {
            Component::Normal(name) => path.push(name),
            Component::ParentDir if !path.pop() => {
                return Err(format!("{link} leads out of the repository"));
            }
            _ => {}
        }
    }
    Ok(path.to_str().unwrap().to_owned())
}

fn check(page: &Page, link: &str) -> Result<(), String> {
    if let Some(address) = link.strip_prefix("https://") {
        let host = address.split(['/', '#', '?']).next().unwrap();
        let fine = host.contains('.') && host.chars().all(|c| c.is_ascii_alphanumeric() || "-.".contains(c));
        let fine = fine && !address.contains(|c: char| c.is_whitespace() || c == '…');
        return if fine { Ok(()) } else { Err(format!("{link} is no address")) };
    }
    if link.contains("://") || link.starts_with("mailto:") {
        return Err(format!("{link} is not https"));
    }
    let (file, anchor) = link.split_once('#').map_or((link, None), |(file, anchor)| (file, Some(anchor)));
    let name = if file.is_empty() { page.name.clone() } else { target(&page.name, file)? };
    if COMING.contains(&name.as_str()) && !root().join(&name).exists() {
        return Ok(());
    }
    if !root().join(&name).exists() {
        return Err(format!("{link}: there is no {name}"));
    }
    if page.name.starts_with("docs/") && !name.starts_with("docs/") {
        return Err(format!("{link} leads out of the book"));
    }
    match anchor {
        Some(anchor) if !Page::read(&name).anchors().iter().any(|known| known == anchor) => {
            Err(format!("{link}: {name} has no such heading"))
        }
        _ => Ok(()),
    }
}

#[test]
fn every_link_leads_somewhere() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for page in pages() {
        for (line, link) in page.links() {
            count += 1;
            if let Err(why) = check(&page, &link) {
                wrong.push(format!("{}:{line}: {why}", page.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 300, "{count} links");
}

#[test]
fn links_that_lead_nowhere_are_found() {
    let page = Page {
        name: "docs/a.md".to_owned(),
        text: "# A b\n\n[x](#a-b) [y](nothing.md) `[z](code.md)` [w](check.md#none) [r](../README.md)\n<http://a.b>\n\
               [v](../../x) [u](https://a)\n"
            .to_owned(),
    };
    let wrong: Vec<String> = page.links().iter().filter_map(|(_, link)| check(&page, link).err()).collect();
    let of = |name: &str| wrong.iter().any(|why| why.contains(name));
    assert!(of("nothing.md") && of("check.md has") && of("http://a.b") && of("../../x"), "{wrong:?}");
    assert!(of("https://a is no"), "{wrong:?}");
    // `#a-b` is looked for in the page itself, which is not in the repository.
    assert_eq!(page.anchors(), ["a-b"]);
    assert!(of("out of the book"), "{wrong:?}");
    assert_eq!(wrong.len(), 7, "{wrong:?}");
}

#[test]
fn rules_that_pages_name_ship() {
    let ids: Vec<String> = embedded::PROFILES
        .iter()
        .flat_map(|(name, text)| load::parse(name, text).unwrap().0.rules)
        .map(|rule| rule.id)
        .collect();
    let groups: Vec<&str> = ids.iter().map(|id| id.split('/').next().unwrap()).collect();
    let mut named = 0;
    for page in pages() {
        for part in page.parts() {
            let Part::Line { line, text } = part else { continue };
            for code in text.split('`').skip(1).step_by(2) {
                let Some((group, rest)) = code.split_once('/') else { continue };
                let looks_so = rest.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
                if !looks_so || rest.is_empty() || !groups.contains(&group) {
                    continue;
                }
                named += 1;
                let known = ids.iter().any(|id| id == code);
                assert!(known, "{}:{line}: no rule is called {code}", page.name);
            }
        }
    }
    assert!(named > 100, "{named} rules are named");
}
