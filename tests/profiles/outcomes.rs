//! What rules that fail, conflict or only warn mean for the exit code and the
//! output, and the order of several profiles.

use super::folder::{Folder, MAP, fails, setter};

#[test]
fn two_rules_that_want_different_things_of_one_node_are_an_error() {
    let folder = Folder::with(&[
        ("one.yaml", &setter("one", "x", "\"2\"")),
        ("two.yaml", &setter("two", "x", "\"3\"")),
        ("same.yaml", &setter("same", "x", "\"2\"")),
    ]);
    let both = folder.run(&["--profile=./one.yaml", "--profile=./two.yaml"], MAP);
    let said =
        ["rules one/x and two/x want different things of one node", "--skip one/x", "data.x", "ConfigMap a"];
    fails(&both, 3, &said);
    let skipped = folder.run(&["--profile=./one.yaml,./two.yaml", "--skip=one/x"], MAP).expect_ok();
    assert!(skipped.contains("x: \"3\""), "{skipped}");
    let same = folder.run(&["--profile=./one.yaml", "--profile=./same.yaml"], MAP).expect_ok();
    assert!(same.contains("x: \"2\""), "{same}");
}

#[test]
fn profiles_compose_in_the_order_given() {
    let append = |name: &str| {
        format!(
            "apiVersion: germ-post.dev/v1\nkind: Profile\nname: {name}\nrules:\n  - id: {name}/append\n    title: x\n    \
             why: x\n    match: {{kind: ConfigMap}}\n    edit: [{{append: list, value: {name}}}]\n"
        )
    };
    let base = "apiVersion: germ-post.dev/v1\nkind: Profile\nname: base\n\
        params: {x: {type: string, default: base, about: x}}\n\
        rules: [{id: base/x, title: x, why: x, match: {kind: ConfigMap}, edit: [{set: data.x, value: \"${x}\"}]}]\n";
    let site = |value: &str| {
        format!(
            "apiVersion: germ-post.dev/v1\nkind: Profile\nname: {value}\nextends: [base.yaml]\nset: {{x: {value}}}\n"
        )
    };
    let folder = Folder::with(&[
        ("a.yaml", &append("a")),
        ("b.yaml", &append("b")),
        ("base.yaml", base),
        ("first.yaml", &site("first")),
        ("x/file", ""),
        ("last.yaml", &site("last")),
    ]);
    let stream = format!("{MAP}list:\n- x\n");
    let run = |names: &str| folder.run(&["--profile", names], &stream).expect_ok();
    assert!(run("./a.yaml,./b.yaml").ends_with("list:\n- x\n- a\n- b\n"));
    assert!(run("./b.yaml,./a.yaml").ends_with("list:\n- x\n- b\n- a\n"));
    // What both extend is there once; the last to set a parameter has its way.
    assert!(run("./first.yaml,./last.yaml").contains("x: \"last\""));
    assert!(run("./last.yaml,./first.yaml").contains("x: \"first\""));
    assert!(run("base.yaml,./x/../base.yaml").contains("x: \"base\""));
}

#[test]
fn assertions_fail_or_warn_by_severity() {
    let profile = |severity: &str| {
        format!(
            "apiVersion: germ-post.dev/v1\nkind: Profile\nname: p\nrules:\n  - id: p/values\n    title: x\n    why: It must be so.\n    \
             severity: {severity}\n    values: {{chart: demo, set: {{x.enabled: true}}}}\n    \
             assert: [{{match: {{kind: ConfigMap}}, path: data.x, is: \"2\"}}]\n"
        )
    };
    let folder = Folder::with(&[("error.yaml", &profile("error")), ("warning.yaml", &profile("warning"))]);
    let failed = folder.run(&["--profile=./error.yaml"], MAP);
    let said = [
        "rule p/values wants data.x to be `\"2\"`",
        "ConfigMap a",
        "values of the chart demo: x.enabled=true",
        "^",
    ];
    fails(&failed, 3, &said);
    let warned = folder.run(&["--profile=./warning.yaml"], MAP);
    assert!(
        warned.stderr.contains("warning") && warned.stderr.contains("rule p/values wants"),
        "{}",
        warned.stderr
    );
    assert_eq!(warned.expect_ok(), MAP);
    // What another rule makes of the field is what counts.
    folder.write("both.yaml", &setter("both", "x", "\"2\""));
    let both = folder.run(&["--profile=./error.yaml,./both.yaml"], MAP).expect_ok();
    assert!(both.contains("x: \"2\""));
}

#[test]
fn emitted_objects_are_added_once_and_never_over_others() {
    let profile = "apiVersion: germ-post.dev/v1\nkind: Profile\nname: p\n\
        rules: [{id: p/emit, title: x, why: x, emit: {file: o.yaml}}]\n";
    let object = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: added\n";
    let folder = Folder::with(&[("in/p.yaml", profile), ("in/o.yaml", object)]);
    let run = |stream: &str| folder.run(&["--profile=in/p.yaml"], stream);
    let once = run(MAP).expect_ok();
    assert_eq!(once, format!("{MAP}---\n{object}"));
    assert_eq!(run(&once).expect_ok(), once);
    fails(
        &run(&once.replace("added", "added\n  labels: {}")),
        3,
        &["p/emit adds an object that is there already"],
    );
}

#[test]
fn a_chart_beyond_the_tested_range_is_a_warning() {
    let profile = format!("{}tested: {{demo: \">=1 <2\"}}\n", setter("p", "x", "\"2\""));
    let folder = Folder::with(&[("p.yaml", &profile)]);
    let of = |version: &str| {
        MAP.replace("name: a", &format!("name: a\n  labels: {{helm.sh/chart: demo-{version}}}"))
    };
    let run = |version: &str| folder.run(&["--profile=./p.yaml"], &of(version));
    assert!(!run("1.9.0").stderr.contains("was tested"));
    let beyond = run("2.0.0");
    assert!(
        beyond.stderr.contains("profile p was tested with demo >=1 <2, the stream has 2.0.0"),
        "{}",
        beyond.stderr
    );
    assert!(beyond.expect_ok().contains("x: \"2\""));
}

#[test]
fn a_rule_is_named_exactly_or_by_a_prefix() {
    let mut profile = setter("p", "x", "\"2\"");
    profile.push_str(
        &setter("p", "x-more", "\"2\"").split_once("rules:\n").unwrap().1.replace("data.x-more", "data.z"),
    );
    let folder = Folder::with(&[("p.yaml", &profile)]);
    let stream = format!("{MAP}  z: \"1\"\n");
    let run = |flag: &str| folder.run(&["--profile=./p.yaml", flag], &stream).expect_ok();
    assert!(run("--skip=p/x").ends_with("x: \"1\"\n  z: \"2\"\n"));
    assert!(run("--only=p/x").ends_with("x: \"2\"\n  z: \"1\"\n"));
    assert_eq!(run("--skip=p/"), stream);
    let unknown = folder.run(&["--profile=./p.yaml", "--skip=p/y"], &stream);
    fails(&unknown, 2, &["no rule is called `p/y`", "did you mean `p/x`?"]);
}
