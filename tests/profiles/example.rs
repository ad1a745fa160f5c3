//! `examples/prod-fra.yaml`, a platform team's own profile: its tests pass, it
//! lints clean, and the composition is what it says.

use std::path::Path;

use crate::support::run::germ_post_in;

#[test]
fn a_platform_teams_own_profile_does_what_it_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let run = |args: &[&str]| germ_post_in(root, args, b"");
    let tested = run(&["profiles", "test", "examples/prod-fra.yaml"]);
    assert_eq!(tested.code, 0, "{}", tested.stderr);
    assert!(tested.stderr.ends_with("4 passed, 0 failed\n"), "{}", tested.stderr);
    let lint = run(&["profiles", "lint", "examples/prod-fra.yaml"]);
    // The exception's end is the only thing that may come to pass.
    assert!(
        lint.code == 0 || lint.stderr.contains("the exception to cnp/drop-bundled has ended"),
        "{}",
        lint.stderr
    );
    let resolved = run(&["profiles", "show", "examples/prod-fra.yaml", "--resolved"]).expect_ok();
    for wanted in
        ["talos/cgroup  (talos-os)", "fra/bgp-objects  (prod-fra)", "ipam = \"keep\"  (profile prod-fra"]
    {
        assert!(resolved.contains(wanted), "`{wanted}` is not in\n{resolved}");
    }
    assert!(!resolved.contains("lb/"), "layer 2 is left out");
}
