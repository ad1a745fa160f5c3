//! A Kubernetes API server on loopback, empty and gone after the test: etcd and
//! kube-apiserver, nothing else. So objects are checked, defaulted and kept, but
//! no controller acts on them: no pod starts, no Job ends (install with
//! `--no-hooks`), a deleted namespace stays.

use std::{
    fs::{self, File},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::Value;

use super::tools;

/// How long a start may take on a busy machine; a few seconds are usual.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running API server.
pub struct Cluster {
    folder: tempfile::TempDir,
    kubectl: PathBuf,
    server: Process,
    _store: Process,
}

/// A child that ends with its owner.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        // There is no state worth a gentle end. Both fail only if it has ended.
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

impl Cluster {
    /// Starts one and waits until it answers; `None` without the programs.
    pub fn start() -> Option<Self> {
        Self::start_with(&[])
    }

    /// The same with more flags for the API server.
    pub fn start_with(flags: &[&str]) -> Option<Self> {
        let (etcd, apiserver, kubectl) = (tools::etcd()?, tools::kube_apiserver()?, tools::kubectl()?);
        let folder = tempfile::tempdir().unwrap();
        let [client, peer, secure] = free_ports();
        let store = start_store(&etcd, folder.path(), client, peer);
        let server = start_server(&apiserver, folder.path(), client, secure, flags);
        let mut cluster = Self { folder, kubectl, server, _store: store };
        fs::write(cluster.kubeconfig(), kubeconfig(secure)).unwrap();
        cluster.wait_until_ready();
        Some(cluster)
    }

    /// The file that tells clients how to reach it.
    pub fn kubeconfig(&self) -> PathBuf {
        self.folder.path().join("kubeconfig")
    }

    /// What `kubectl get` finds under these arguments.
    pub fn get(&self, arguments: &[&str]) -> Value {
        let output = self.kubectl(&[&["get", "--output=json"], arguments].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Runs kubectl against it.
    pub fn kubectl(&self, arguments: &[&str]) -> std::process::Output {
        self.command(arguments).output().unwrap()
    }

    /// kubectl against it, to be run.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.kubectl);
        command
            .args(arguments)
            .env_clear()
            .env("HOME", self.folder.path())
            .env("KUBECONFIG", self.kubeconfig());
        command
    }

    fn wait_until_ready(&mut self) {
        let start = Instant::now();
        while !self.kubectl(&["get", "--raw=/readyz"]).status.success() {
            let ended = self.server.0.try_wait().unwrap().is_some();
            if ended || start.elapsed() > PATIENCE {
                let log = fs::read_to_string(self.folder.path().join("apiserver.log")).unwrap();
                let tail = &log[log.len().saturating_sub(4000)..];
                panic!("the API server is not ready (ended: {ended}); the end of its log:\n{tail}");
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}

fn start_store(program: &Path, folder: &Path, client: u16, peer: u16) -> Process {
    let (client, peer) = (format!("http://127.0.0.1:{client}"), format!("http://127.0.0.1:{peer}"));
    let mut command = Command::new(program);
    command
        .arg(format!("--data-dir={}", folder.join("etcd").display()))
        .args(["--unsafe-no-fsync", "--log-level=warn"])
        .arg(format!("--listen-client-urls={client}"))
        .arg(format!("--advertise-client-urls={client}"))
        .arg(format!("--listen-peer-urls={peer}"))
        .arg(format!("--initial-advertise-peer-urls={peer}"))
        .arg(format!("--initial-cluster=default={peer}"));
    spawn(command, &folder.join("etcd.log"))
}

fn start_server(program: &Path, folder: &Path, store: u16, secure: u16, flags: &[&str]) -> Process {
    let certificates = folder.join("certs");
    // The server makes this key for TLS at its start; the one for the tokens of
    // service accounts, which nobody asks for here, may be the same.
    let key = certificates.join("apiserver.key");
    let tokens = folder.join("tokens.csv");
    fs::write(&tokens, format!("{TOKEN},admin,admin,system:masters\n")).unwrap();
    let mut command = Command::new(program);
    command
        .arg(format!("--etcd-servers=http://127.0.0.1:{store}"))
        .args(["--bind-address=127.0.0.1", "--advertise-address=127.0.0.1"])
        .arg(format!("--secure-port={secure}"))
        .arg(format!("--cert-dir={}", certificates.display()))
        .arg(format!("--token-auth-file={}", tokens.display()))
        .args(["--authorization-mode=RBAC", "--anonymous-auth=false"])
        .arg("--service-account-issuer=https://kubernetes.default.svc")
        .arg(format!("--service-account-key-file={}", key.display()))
        .arg(format!("--service-account-signing-key-file={}", key.display()))
        .args(["--service-cluster-ip-range=10.96.0.0/16", "--endpoint-reconciler-type=none"])
        // Without controllers no service account exists that pods could name.
        .arg("--disable-admission-plugins=ServiceAccount")
        // Cilium's agent asks for it.
        .arg("--allow-privileged=true")
        .args(flags);
    spawn(command, &folder.join("apiserver.log"))
}

fn spawn(mut command: Command, log: &Path) -> Process {
    let log = File::create(log).unwrap();
    let child = command.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log).spawn().unwrap();
    Process(child)
}

/// Not a secret: it opens an empty server on loopback for the time of a test.
const TOKEN: &str = "throw-away";

fn kubeconfig(port: u16) -> String {
    format!(
        "apiVersion: v1
kind: Config
current-context: test
contexts: [{{name: test, context: {{cluster: test, user: admin}}}}]
clusters: [{{name: test, cluster: {{server: \"https://127.0.0.1:{port}\", certificate-authority: certs/apiserver.crt}}}}]
users: [{{name: admin, user: {{token: {TOKEN}}}}}]
"
    )
}

/// Ports that are free now. All are held until all are known, so that no two
/// are the same.
fn free_ports() -> [u16; 3] {
    let listeners = [(); 3].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    listeners.map(|listener| listener.local_addr().unwrap().port())
}
