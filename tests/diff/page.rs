//! The page in a real browser: what it looks like without scripts, the search, the
//! filter by rule, and what the buttons do.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::found::{folder, run};

/// A Chromium of this machine: `$GERM_CHROMIUM`, or one in `PATH`.
fn chromium() -> Option<PathBuf> {
    let named = std::env::var_os("GERM_CHROMIUM").map(PathBuf::from).filter(|path| path.is_file());
    let in_path = || {
        let path = std::env::var_os("PATH")?;
        let names = ["chromium", "chromium-browser", "google-chrome"];
        std::env::split_paths(&path)
            .flat_map(|folder| names.map(|name| folder.join(name)))
            .find(|path| path.is_file())
    };
    let found = named.or_else(in_path);
    if found.is_none() {
        // `tests/run.sh` has tried to install one. There are machines where none can be had.
        eprintln!("skipped: Chromium is missing (install Debian's package chromium, or set GERM_CHROMIUM)");
    }
    found
}

/// The page as the browser has it after its scripts ran.
fn dom(chromium: &Path, page: &Path, fragment: &str) -> String {
    let profile = tempfile::tempdir().unwrap();
    let output = Command::new(chromium)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--virtual-time-budget=3000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}{fragment}", page.display()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

const PROFILE: &str = "apiVersion: germ-post.dev/v1\nkind: Profile\nname: own\nrules:\n- id: own/b\n  title: B\n  why: A test.\n  match: {name: b}\n  edit: [{set: data.rule, value: \"2\"}]\n";

/// Drives the page as a user does, and writes what is seen into it.
const DRIVE: &str = r#"<script>
const seen = () => [...document.querySelectorAll("details.object")].filter((o) => !o.hidden).map((o) => o.querySelector(".name").textContent).join(",");
const open = () => document.querySelectorAll("details.object[open]").length;
const search = document.getElementById("search"), by = document.getElementById("by"), out = [];
const type = (text) => { search.value = text; search.dispatchEvent(new Event("input")); };
const choose = (value) => { by.value = value; by.dispatchEvent(new Event("change")); };
out.push("all " + seen());
type("zebra"); out.push("zebra " + seen() + " " + location.hash);
type("CONFIGMAP giraffe"); out.push("words " + seen());
type("nowhere"); out.push("nothing " + seen() + " " + !document.getElementById("nothing").hidden);
type(""); choose("own/b"); out.push("rule " + seen() + " " + location.hash);
out.push("changes " + [...document.querySelectorAll("details.object:not([hidden]) .change[data-by]:not([hidden]) .path")].map((p) => p.textContent).join(","));
choose(""); out.push("back " + seen());
document.getElementById("close").click(); out.push("closed " + open());
document.getElementById("open").click(); out.push("opened " + open());
out.push("alert " + (window.forged === undefined));
document.title = out.join(" | ");
</script>"#;

/// A page about three objects, of which a rule changes one.
fn page(name: &str) -> PathBuf {
    let folder = folder(name);
    let object = |name: &str, value: &str| {
        format!("---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\ndata: {{x: {value}}}\n")
    };
    fs::write(folder.join("own.yaml"), PROFILE).unwrap();
    let old = [object("a", "ape"), object("b", "bee"), object("c", "'<script>forged = 1</script>'")].concat();
    let new =
        [object("a", "zebra"), object("b", "giraffe"), object("c", "'<img src=x onerror=\"forged = 1\">'")];
    // On the old side `b` has an annotation that keeps it from the rule.
    let old = old.replace("{name: b}", "{name: b, annotations: {germ-post.dev/keep: a test}}");
    run(&folder, &old, &new.concat(), &["--profile=./own.yaml", "--output=html=page.html"]).expect_ok();
    folder.join("page.html")
}

#[test]
fn the_page_searches_filters_and_folds() {
    let Some(chromium) = chromium() else { return };
    let page = page("page-drive");
    let text = fs::read_to_string(&page).unwrap();
    fs::write(&page, text.replace("</body>", &format!("{DRIVE}</body>"))).unwrap();
    let dom = dom(&chromium, &page, "");
    let title = dom.split("<title>").nth(1).unwrap().split("</title>").next().unwrap();
    assert_eq!(
        title.split(" | ").collect::<Vec<_>>(),
        [
            "all ConfigMap a,ConfigMap b,ConfigMap c",
            "zebra ConfigMap a #q=zebra",
            "words ConfigMap b",
            "nothing  true",
            "rule ConfigMap b #by=own%2Fb",
            "changes data.rule",
            "back ConfigMap a,ConfigMap b,ConfigMap c",
            "closed 0",
            "opened 3",
            "alert true",
        ]
    );
}

#[test]
fn an_address_brings_its_search_along() {
    let Some(chromium) = chromium() else { return };
    let page = page("page-address");
    let dom = dom(&chromium, &page, "#q=zebra");
    assert_eq!(dom.matches("<details class=\"object changed\"").count(), 3, "{dom}");
    assert!(dom.contains("1 of 3 objects"), "{dom}");
    let hidden = dom
        .split("<details class=\"object")
        .skip(1)
        .filter(|part| part.split('>').next().unwrap().contains("hidden"));
    assert_eq!(hidden.count(), 2);
}

#[test]
fn the_page_needs_nothing_else() {
    let text = fs::read_to_string(page("page-alone")).unwrap();
    assert!(!text.contains("src=\"") && !text.contains("<link"), "nothing is loaded");
    assert!(text.contains("default-src 'none'"));
    assert!(!text.contains("<script>forged") && !text.contains("<img"), "values are text");
}
