//! The real argocd-cmp-server with germ-post as its plugin, and Argo CD's side of the
//! conversation.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::tools;

/// How long a start may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server.
pub struct Server {
    folder: tempfile::TempDir,
    client: PathBuf,
    socket: PathBuf,
    process: Child,
}

impl Drop for Server {
    fn drop(&mut self) {
        // SIGTERM does not end it. Both fail only if it has ended.
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

impl Server {
    /// Starts one with a `plugin.yaml`, Helm and more variables for the sidecar; `None`
    /// without the programs.
    pub fn start(plugin: &str, helm: &Path, variables: &[(&str, &str)]) -> Option<Self> {
        let (server, client) = (tools::argocd_cmp_server()?, tools::cmp_client()?);
        let folder = tempfile::tempdir().unwrap();
        let under = |name: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(&path).unwrap();
            path
        };
        fs::write(under("config").join("plugin.yaml"), plugin).unwrap();
        let bin = under("bin");
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_germ-post"), bin.join("germ-post")).unwrap();
        std::os::unix::fs::symlink(helm, bin.join("helm")).unwrap();
        let log = fs::File::create(folder.path().join("log")).unwrap();
        let process = Command::new(server)
            .arg(format!("--config-dir-path={}", under("config").display()))
            .env_clear()
            .env(
                "PATH",
                std::env::join_paths([bin.as_path(), Path::new("/usr/bin"), Path::new("/bin")]).unwrap(),
            )
            .env("HOME", "/")
            .env("NO_COLOR", "1")
            .env("TMPDIR", under("tmp"))
            .env("ARGOCD_CMP_WORKDIR", under("work"))
            .env("ARGOCD_PLUGINSOCKFILEPATH", under("plugins"))
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn()
            .unwrap();
        let socket = folder.path().join("plugins/germ-post.sock");
        let mut server = Self { folder, client, socket, process };
        server.wait_until_ready();
        Some(server)
    }

    fn wait_until_ready(&mut self) {
        let start = Instant::now();
        while self.ask("check", None, &[], "10s").is_err() {
            let ended = self.process.try_wait().unwrap().is_some();
            if ended || start.elapsed() > PATIENCE {
                panic!("argocd-cmp-server is not ready (ended: {ended}):\n{}", self.log());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// What the server wrote to its log.
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap()
    }

    /// What is left in the folder for temporary files.
    pub fn left_behind(&self) -> usize {
        fs::read_dir(self.folder.path().join("tmp")).unwrap().count()
    }

    /// Asks `check`, `match`, `parameters` or `generate` of an application: a repository,
    /// the application's path in it, and Argo CD's variables.
    pub fn ask(
        &self,
        question: &str,
        application: Option<(&Path, &str)>,
        variables: &[(&str, &str)],
        timeout: &str,
    ) -> Result<Value, String> {
        let mut command = Command::new(&self.client);
        command.arg(format!("--timeout={timeout}")).arg(&self.socket).arg(question);
        if let Some((repository, path)) = application {
            command.arg(repository).arg(path);
        }
        command.args(variables.iter().map(|(name, value)| format!("{name}={value}")));
        let output = command.env_clear().stdin(Stdio::null()).output().unwrap();
        match output.status.success() {
            true => Ok(serde_json::from_slice(&output.stdout).unwrap()),
            false => Err(String::from_utf8(output.stderr).unwrap()),
        }
    }
}
