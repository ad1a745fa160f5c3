//! `germ-post.yaml`: where it is found, what it says for which target, and in
//! which order parameters are decided.

use super::folder::{Folder, MAP, fails};

const PROFILE: &str = "apiVersion: germ-post.dev/v1
kind: Profile
name: p
extends: [base.yaml]
set: {x: profile}
";
const BASE: &str = "apiVersion: germ-post.dev/v1
kind: Profile
name: base
params:
  x: {type: string, default: default, env: MY_X, about: x}
rules: [{id: base/x, title: x, why: x, match: {kind: ConfigMap}, edit: [{set: data.x, value: \"${x}\"}]}]
";

fn config(rest: &str) -> String {
    format!("apiVersion: germ-post.dev/v1\nkind: Config\n{rest}")
}

fn value(run: crate::support::run::Run) -> String {
    let text = run.expect_ok();
    text.rsplit_once("x: \"").unwrap().1.trim_end().trim_end_matches('"').to_owned()
}

#[test]
fn later_sources_of_a_parameter_win() {
    let folder = Folder::with(&[("lib/p.yaml", PROFILE), ("lib/base.yaml", BASE), (".git/HEAD", "")]);
    let run = |env: &[(&str, &str)], args: &[&str]| value(folder.run_with("", env, args, MAP));
    assert_eq!(run(&[], &["--profile=lib/base.yaml"]), "default");
    assert_eq!(run(&[("MY_X", "environment")], &["--profile=lib/base.yaml"]), "environment");
    // The environment only fills what nobody decided on.
    assert_eq!(run(&[("MY_X", "environment")], &["--profile=lib/p.yaml"]), "profile");
    assert_eq!(run(&[("GERM_POST_PROFILE", "lib/p.yaml")], &[]), "profile");
    folder.write("germ-post.yaml", &config("profile: lib/p.yaml\nparams: {x: config}\n"));
    assert_eq!(run(&[], &[]), "config");
    assert_eq!(run(&[("MY_X", "environment")], &[]), "config");
    assert_eq!(run(&[], &["--set=x=typed"]), "typed");
    assert_eq!(run(&[("MY_X", "environment")], &["--profile=lib/base.yaml", "--set=x=typed"]), "typed");
    // A profile that is named leaves the configuration aside.
    assert_eq!(run(&[], &["--profile=lib/base.yaml"]), "default");
}

#[test]
fn it_is_found_up_to_the_git_root_and_no_further() {
    let folder = Folder::with(&[
        ("outer/germ-post.yaml", &config("profile: none\n")),
        ("outer/repo/.git/HEAD", ""),
        ("outer/repo/a/b/file", ""),
        ("outer/plain/a/file", ""),
    ]);
    let run = |below: &str| folder.run_with(below, &[], &[], MAP);
    fails(&run("outer/repo/a/b"), 2, &["no profile is given", "write a germ-post.yaml"]);
    // Outside of a repository only the working directory counts.
    fails(&run("outer/plain/a"), 2, &["no profile is given"]);
    assert_eq!(run("outer").expect_ok(), MAP);
    folder.write("outer/repo/germ-post.yaml", &config("profile: none\n"));
    assert_eq!(run("outer/repo/a/b").expect_ok(), MAP);
    assert_eq!(run("outer/repo").expect_ok(), MAP);
    // The nearest one counts, and --config names any.
    folder.write("outer/repo/a/germ-post.yaml", &config("profile: nobody\n"));
    fails(&run("outer/repo/a/b"), 2, &["there is no profile `nobody`"]);
    let named = folder.run_with("outer/repo/a/b", &[], &["--config=../../germ-post.yaml"], MAP);
    assert_eq!(named.expect_ok(), MAP);
}

#[test]
fn targets_say_what_differs() {
    let folder = Folder::with(&[("p.yaml", PROFILE), ("base.yaml", BASE), (".git/HEAD", "")]);
    let targets = "targets:\n  fra: {params: {x: fra}}\n  ams: {profile: base.yaml}\n  plain: {}\n";
    folder.write("germ-post.yaml", &config(&format!("profile: ./p.yaml\nparams: {{x: all}}\n{targets}")));
    let run = |args: &[&str]| folder.run(args, MAP);
    assert_eq!(value(run(&["--target=fra"])), "fra");
    assert_eq!(value(run(&["--target=ams"])), "all");
    assert_eq!(value(run(&["--target=plain"])), "all");
    assert_eq!(value(run(&[])), "all");
    assert_eq!(value(folder.run_with("", &[("GERM_POST_TARGET", "fra")], &[], MAP)), "fra");
    fails(
        &run(&["--target=fa"]),
        2,
        &["has no target `fa`", "did you mean `fra`?", "its targets: fra, ams, plain"],
    );
    folder.write("germ-post.yaml", &config(&targets.replace("ams: {", "ams: {facts: {}, ")));
    fails(&run(&[]), 2, &["names no profile", "give --target, one of: fra, ams, plain"]);
}

#[test]
fn a_wrong_configuration_is_told_with_its_place() {
    let folder = Folder::with(&[(".git/HEAD", "")]);
    let run = |rest: &str| {
        folder.write("germ-post.yaml", &config(rest));
        folder.run(&[], MAP)
    };
    fails(
        &run("profle: none\n"),
        2,
        &["unknown field `profle`", "germ-post.yaml:3", "did you mean `profile`?"],
    );
    fails(
        &run("profile: talos\nparams: {ipam: keeep}\n"),
        2,
        &["`ipam` takes one of: kubernetes, keep", "germ-post.yaml:4:16", "^^^^^"],
    );
    fails(&run("profile: talos\nfacts: {clusterStat: new}\n"), 2, &["did you mean `clusterState`?"]);
    // Facts and wishes have a place each.
    fails(
        &run("profile: talos\nfacts: {ipam: keep}\n"),
        2,
        &["parameter `ipam` is a wish, not a fact", "germ-post.yaml:4:15", "write it under `params`"],
    );
    fails(
        &run("profile: talos\nparams: {clusterState: new}\n"),
        2,
        &["parameter `clusterState` is a fact about the cluster", "write it under `facts`"],
    );
    let of_target =
        "profile: talos\ntargets: {a: {facts: {clusterState: new}, params: {ciliumVersion: 1.20.0}}}\n";
    folder.write("germ-post.yaml", &config(of_target));
    fails(&folder.run(&["--target=a"], MAP), 2, &["`ciliumVersion` is a fact", "write it under `facts`"]);
    folder.write("germ-post.yaml", "kind: Config\napiVersion: v1\n");
    fails(&folder.run(&[], MAP), 2, &["is not a germ-post configuration", "germ-post.dev/v1"]);
    fails(&folder.run(&["--set=x", "--profile=talos"], MAP), 2, &["`--set x` is not NAME=VALUE"]);
}
