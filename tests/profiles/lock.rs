//! The lock: written beside what it locks, held against every run, and blind to
//! prose.

use super::folder::{Folder, MAP, fails, setter};

const CONFIG: &str =
    "# ours\napiVersion: germ-post.dev/v1\nkind: Config\nprofile: ./p.yaml   # the only one\n";

#[test]
fn a_lock_is_written_checked_and_holds_runs_to_the_rules() {
    let profile = setter("p", "x", "\"2\"");
    let folder = Folder::with(&[("p.yaml", &profile), ("germ-post.yaml", CONFIG), (".git/HEAD", "")]);
    let lock = |check: bool| {
        folder.run(if check { &["profiles", "lock", "--check"] } else { &["profiles", "lock"] }, "")
    };
    fails(&lock(true), 3, &["not locked yet: 1 rule\n"]);
    lock(false).expect_ok();
    let locked = folder.read("germ-post.yaml");
    assert!(locked.starts_with(&format!("{CONFIG}lock:\n  p/x: \"")), "{locked}");
    assert_eq!(lock(true).code, 0);
    assert!(lock(false).stderr.contains("up to date"));
    folder.run(&[], MAP).expect_ok();

    // Prose changes nothing, an edit does, and so does a new rule.
    folder.write("p.yaml", &profile.replace("A test needs it.", "Somebody needs it."));
    folder.run(&[], MAP).expect_ok();
    folder.write("p.yaml", &profile.replace("value: \"2\"", "value: \"3\""));
    let said = [
        "the rules are not those that",
        "germ-post.yaml is locked to",
        "p/x has changed",
        "in p/x:",
        "\"value\": \"3\"",
        "germ-post profiles lock",
    ];
    let run = folder.run(&[], MAP);
    fails(&run, 3, &said);
    let old = run.stderr.lines().find(|line| line.contains("\"value\": \"2\"")).unwrap();
    assert!(old.contains("-  "), "{old}");
    // Without the file of rules the message is shorter, and the lock as firm.
    std::fs::remove_file(folder.path().join("germ-post.lock.json")).unwrap();
    fails(&folder.run(&[], MAP), 3, &["p/x has changed"]);
    fails(&lock(true), 3, &["p/x has changed"]);
    let more = setter("p", "y", "\"2\"");
    folder.write("p.yaml", &format!("{profile}{}", more.split_once("rules:\n").unwrap().1));
    fails(&folder.run(&[], MAP), 3, &["p/y is new"]);
    folder.write("p.yaml", &setter("p", "y", "\"2\""));
    fails(&folder.run(&[], MAP), 3, &["p/y is new", "p/x is gone"]);
    lock(false).expect_ok();
    assert_eq!(lock(true).code, 0);
    assert!(!folder.read("germ-post.yaml").contains("p/x"));
}

#[test]
fn parameters_adjustments_and_emitted_files_are_locked_too() {
    let base = "apiVersion: germ-post.dev/v1\nkind: Profile\nname: base\n\
        params: {x: {type: string, default: a, about: x}}\nrules:\n\
        \x20 - {id: b/x, title: x, why: x, match: {kind: A}, expect: any, edit: [{set: x, value: \"${x}\"}]}\n\
        \x20 - {id: b/x-more, title: x, why: x, emit: {file: o.yaml}}\n";
    let site = "apiVersion: germ-post.dev/v1\nkind: Profile\nname: site\nextends: [base.yaml]\n";
    let object = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: o}\n";
    let folder = Folder::with(&[
        ("base.yaml", base),
        ("p.yaml", site),
        ("o.yaml", object),
        ("germ-post.yaml", CONFIG),
        (".git/HEAD", ""),
    ]);
    folder.run(&["profiles", "lock"], "").expect_ok();
    let check = || folder.run(&["profiles", "lock", "--check"], "");
    let changed = |says: &str, silent: &str| {
        let run = check();
        fails(&run, 3, &[says]);
        assert!(!run.stderr.contains(silent), "{}", run.stderr);
    };
    folder.write("p.yaml", &format!("{site}set: {{x: b}}\n"));
    changed("b/x has changed", "b/x-more");
    folder.write("p.yaml", &format!("{site}adjust: [{{rule: b/x, unless: {{name: special}}, reason: r}}]\n"));
    changed("b/x has changed", "b/x-more");
    folder.write("p.yaml", site);
    folder.write("o.yaml", &object.replace("name: o", "name: p"));
    changed("b/x-more has changed", "b/x has");
    folder.write("o.yaml", object);
    assert_eq!(check().code, 0);
    // `--set` is a choice for one run.
    folder.run(&["--set=x=c"], MAP).expect_ok();
}

#[test]
fn every_target_has_its_own_lock() {
    let config = format!("{CONFIG}targets:\n  fra:\n    params: {{}}\n  ams:\n    profile: ./q.yaml\n");
    let folder = Folder::with(&[
        ("p.yaml", &setter("p", "x", "\"2\"")),
        ("q.yaml", &setter("q", "x", "\"2\"")),
        ("germ-post.yaml", &config),
        (".git/HEAD", ""),
    ]);
    folder.run(&["profiles", "lock", "--target=ams"], "").expect_ok();
    let locked = folder.read("germ-post.yaml");
    assert!(locked.contains("    profile: ./q.yaml\n    lock:\n      q/x: \""), "{locked}");
    folder.write("q.yaml", &setter("q", "x", "\"3\""));
    folder.run(&["--target=fra"], MAP).expect_ok();
    folder.run(&[], MAP).expect_ok();
    fails(&folder.run(&["--target=ams"], MAP), 3, &["of target ams", "q/x has changed", "lock --target ams"]);
    let elsewhere = Folder::with(&[(".git/HEAD", "")]);
    fails(
        &elsewhere.run(&["profiles", "lock", "--profile=talos"], ""),
        2,
        &["no germ-post.yaml to keep the lock in"],
    );
}
