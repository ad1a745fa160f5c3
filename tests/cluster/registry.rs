//! The registry mirror's two seams against the real API: what the cases say comes
//! out is accepted, also in the place of what was there, and what is refused for
//! the API server's sake is what the API server refuses.

use std::path::{Path, PathBuf};
use std::process::Output;

use crate::support::cluster::Cluster;

fn case(name: &str, file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(name).join(file)
}

fn apply(cluster: &Cluster, file: &Path) -> Output {
    cluster.kubectl(&["apply", "--namespace=registry", "-f", file.to_str().unwrap()])
}

fn succeeds(output: Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_server_takes_what_comes_out() {
    let Some(cluster) = Cluster::start() else { return };
    succeeds(cluster.kubectl(&["create", "namespace", "registry"]));
    let mirror = || cluster.get(&["daemonset", "registry-mirror", "--namespace=registry"]);
    let port = |mirror: serde_json::Value| {
        mirror["spec"]["template"]["spec"]["containers"][0]["ports"][0]["hostPort"].clone()
    };

    // A Service takes over from the hostPort.
    succeeds(apply(&cluster, &case("registry-node-port", "input.yaml")));
    assert_eq!(port(mirror()), 31100);
    succeeds(apply(&cluster, &case("registry-node-port", "expect.yaml")));
    assert!(port(mirror()).is_null());
    let service = cluster.get(&["service", "registry-mirror-node-port", "--namespace=registry"]);
    assert_eq!(service["spec"]["ports"][0]["nodePort"], 31100);
    assert_eq!(service["spec"]["selector"], mirror()["spec"]["selector"]["matchLabels"]);
    succeeds(cluster.kubectl(&[
        "delete",
        "daemonset,service",
        "--all",
        "--namespace=registry",
        "--wait=false",
    ]));

    // The node's own network.
    succeeds(apply(&cluster, &case("registry-host-network", "expect.yaml")));
    let pod = mirror()["spec"]["template"]["spec"].clone();
    assert_eq!((&pod["hostNetwork"], &pod["dnsPolicy"]), (&true.into(), &"ClusterFirstWithHostNet".into()));
    assert_eq!(port(mirror()), 31100);

    // A port that is another inside is refused there as well.
    let input = std::fs::read_to_string(case("registry-other-port", "input.yaml")).unwrap();
    let forced = input.replacen("    spec:\n", "    spec:\n      hostNetwork: true\n", 1);
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), forced.replace("name: registry-mirror", "name: forced")).unwrap();
    let refused = apply(&cluster, file.path());
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && said.contains("hostPort"), "{said}");
}
