//! A machine with kubectl and one of the Helms, a cluster that it reaches, and those who would
//! act in a real one.

use std::{
    fs,
    io::Write as _,
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::support::{cluster::Cluster, platform_chart::PlatformChart, run::Run, tools};

/// How long somebody is waited for on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The values that every test installs with.
const VALUES: [&str; 2] =
    ["--set=loadBalancer.enabled=true", "--set=loadBalancer.addresses[0].cidr=192.0.2.0/28"];

/// The profile.
const PROFILE: &str = "--profile=talos";

/// The machine and the cluster.
pub struct World {
    /// 3 or 4.
    pub major: u8,
    helm: PathBuf,
    pub cluster: Cluster,
    pub chart: PlatformChart,
    home: tempfile::TempDir,
}

impl World {
    /// One for each Helm that there is.
    pub fn both() -> impl Iterator<Item = Self> {
        [(3, tools::helm3()), (4, tools::helm4())].into_iter().filter_map(|(major, helm)| {
            let cluster = Cluster::start()?;
            let home = tempfile::tempdir().unwrap();
            let bin = home.path().join("bin");
            fs::create_dir(&bin).unwrap();
            std::os::unix::fs::symlink(tools::kubectl()?, bin.join("kubectl")).unwrap();
            let germ_post = env!("CARGO_BIN_EXE_germ-post");
            std::os::unix::fs::symlink(germ_post, bin.join("germ-post")).unwrap();
            std::os::unix::fs::symlink(helm.as_ref()?, bin.join("helm")).unwrap();
            Some(Self { major, helm: helm?, cluster, chart: PlatformChart::vendored(), home })
        })
    }

    /// The first of these.
    pub fn one() -> Option<Self> {
        Self::both().next()
    }

    /// Any program on the machine.
    pub fn command(&self, program: &str) -> Command {
        let path = format!("{}:/usr/bin:/bin", self.home.path().join("bin").display());
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", path)
            .env("HOME", self.home.path())
            .env("KUBECONFIG", self.cluster.kubeconfig())
            .env("HELM_BIN", &self.helm)
            .env("NO_COLOR", "1")
            .current_dir(self.home.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// `germ-post bootstrap` of the wrapper chart for Talos, started.
    pub fn start(&self, more: &[&str]) -> Child {
        let mut command = self.command(env!("CARGO_BIN_EXE_germ-post"));
        command.args(["bootstrap", self.chart.path(), PROFILE, "--offline"]);
        command.args(VALUES).args(more).spawn().unwrap()
    }

    /// The same to its end, in the right context and without hooks, since no Job ever ends.
    pub fn bootstrap(&self, more: &[&str]) -> Run {
        let mut arguments = vec!["--context=test", "--no-hooks"];
        if !more.iter().any(|argument| argument.starts_with("--timeout=")) {
            arguments.push("--timeout=60s");
        }
        arguments.extend(more);
        self.end(self.start(&arguments))
    }

    /// What a started one left behind.
    pub fn end(&self, child: Child) -> Run {
        let output = child.wait_with_output().unwrap();
        Run {
            code: output.status.code().unwrap_or(-1),
            stdout: output.stdout,
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// The same chart as the plugin of Argo CD renders it.
    pub fn template(&self) -> String {
        let mut command = self.command(env!("CARGO_BIN_EXE_germ-post"));
        command.args(["template", "cilium", self.chart.path(), "--namespace=kube-system", PROFILE]);
        self.end(command.arg("--kube-version=1.34.4").args(VALUES).spawn().unwrap()).expect_ok()
    }

    /// What Helm prints.
    pub fn helm(&self, arguments: &[&str]) -> String {
        self.end(self.command("helm").args(arguments).spawn().unwrap()).expect_ok()
    }

    /// The same while somebody plays all that act in a real cluster.
    pub fn bootstrap_in_a_living_cluster(&self, more: &[&str]) -> Run {
        std::thread::scope(|scope| {
            scope.spawn(|| self.live());
            self.bootstrap(more)
        })
    }

    /// A node joins, pods of the release run, and Cilium's operator registers its kinds.
    pub fn live(&self) {
        self.wait_for("the operator's Deployment", || self.has("deployment/cilium-operator"));
        self.wait_for("the agents", || self.has("daemonset/cilium") && self.has("daemonset/cilium-envoy"));
        self.apply(&json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node"}}));
        self.status(
            "node/node",
            &json!({"conditions": [{"type": "Ready", "status": "True",
            "reason": "Up", "message": "", "lastHeartbeatTime": null, "lastTransitionTime": null}]}),
        );
        for name in ["daemonset/cilium", "daemonset/cilium-envoy"] {
            self.status(
                name,
                &json!({"observedGeneration": 9, "desiredNumberScheduled": 1,
                "currentNumberScheduled": 1, "numberMisscheduled": 0, "numberReady": 1,
                "updatedNumberScheduled": 1, "numberAvailable": 1}),
            );
        }
        self.status(
            "deployment/cilium-operator",
            &json!({"observedGeneration": 9, "replicas": 1,
            "updatedReplicas": 1, "readyReplicas": 1, "availableReplicas": 1}),
        );
        self.define("CiliumLoadBalancerIPPool", "v2");
        self.define("CiliumL2AnnouncementPolicy", "v2alpha1");
    }

    /// Registers a kind of Cilium's.
    fn define(&self, kind: &str, version: &str) {
        let plural = match kind.strip_suffix('y') {
            Some(stem) => format!("{}ies", stem.to_lowercase()),
            None => format!("{}s", kind.to_lowercase()),
        };
        self.apply(&json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": format!("{plural}.cilium.io")},
            "spec": {
                "group": "cilium.io",
                "scope": "Cluster",
                "names": {"kind": kind, "plural": plural, "singular": kind.to_lowercase()},
                "versions": [{"name": version, "served": true, "storage": true, "schema": {
                    "openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}],
            },
        }));
    }

    /// Whether something is in the cluster.
    pub fn has(&self, name: &str) -> bool {
        self.cluster.kubectl(&["get", name, "--namespace=kube-system"]).status.success()
    }

    /// How many revisions the release has, and the last one's status.
    pub fn revisions(&self) -> (usize, String) {
        let found = self.cluster.get(&["secrets", "--namespace=kube-system", "--selector=owner=helm"]);
        let items = found["items"].as_array().unwrap();
        let last = items.iter().max_by_key(|item| {
            item["metadata"]["labels"]["version"].as_str().unwrap().parse::<u64>().unwrap()
        });
        let status = last.map(|item| item["metadata"]["labels"]["status"].as_str().unwrap().to_owned());
        (items.len(), status.unwrap_or_default())
    }

    /// Waits for something that somebody else does.
    pub fn wait_for(&self, what: &str, mut seen: impl FnMut() -> bool) {
        let start = Instant::now();
        while !seen() {
            assert!(start.elapsed() < PATIENCE, "{what} did not come");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Puts an object into the cluster.
    pub fn apply(&self, object: &Value) {
        let mut child =
            self.command("kubectl").args(["apply", "--filename=-"]).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(object.to_string().as_bytes()).unwrap();
        let run = self.end(child);
        assert_eq!(run.code, 0, "{}", run.stderr);
    }

    /// Sets what a controller would set.
    pub fn status(&self, name: &str, status: &Value) {
        let patch = json!({"status": status}).to_string();
        let arguments = [
            "patch",
            name,
            "--namespace=kube-system",
            "--subresource=status",
            "--type=merge",
            "--patch",
            &patch,
        ];
        let output = self.cluster.kubectl(&arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
