//! One call of the plugin, as argocd-cmp-server makes it: in a copy of the repository
//! below `_cmp_server`, with Argo CD's variables and nothing else of the machine.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::run::Run;

/// A repository, and what Argo CD says of an application in it.
pub struct Call {
    place: tempfile::TempDir,
    path: String,
    variables: Vec<(OsString, OsString)>,
}

impl Call {
    /// An application at a path of an otherwise empty repository, with a chart of one
    /// ConfigMap there, under the empty profile.
    pub fn at(path: &str) -> Self {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir_all(place.path().join("tmp")).unwrap();
        let mut call = Self { place, path: path.to_owned(), variables: Vec::new() };
        call.write("Chart.yaml", "apiVersion: v2\nname: demo\nversion: 1.0.0\n");
        call.write(
            "templates/config.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: demo}\ndata:\n  values: {{ toJson .Values | quote }}\n",
        );
        let tmp = call.place.path().join("tmp");
        for (name, value) in [
            ("PATH", "/usr/bin:/bin"),
            ("TMPDIR", tmp.to_str().unwrap()),
            ("NO_COLOR", "1"),
            ("ARGOCD_APP_NAME", "demo"),
            ("ARGOCD_APP_NAMESPACE", "there"),
            ("ARGOCD_APP_SOURCE_PATH", path),
            ("ARGOCD_APP_PARAMETERS", "null"),
            ("KUBE_VERSION", "1.34.0"),
            ("KUBE_API_VERSIONS", "v1,apps/v1,apps/v1/Deployment"),
            ("ARGOCD_ENV_GERM_POST_PROFILE", "none"),
        ] {
            call.set(name, value);
        }
        call
    }

    /// An application whose Helm writes down its arguments and environment, and prints
    /// what the script says.
    pub fn with_script(path: &str, script: &str) -> Self {
        let mut call = Self::at(path);
        let helm = call.place.path().join("helm");
        let log = call.place.path().join("log");
        let text = format!(
            "#!/bin/sh\nif [ \"$1\" = version ]; then echo v4.3.1; exit; fi\n\
             for word; do printf '%s\\n' \"$word\"; done >> {log}.arguments\nenv > {log}.environment\n{script}\n",
            log = log.display()
        );
        fs::write(&helm, text).unwrap();
        fs::set_permissions(&helm, fs::Permissions::from_mode(0o755)).unwrap();
        call.set("HELM_BIN", helm);
        call
    }

    /// The same, and the Helm prints one object.
    pub fn scripted() -> Self {
        Self::with_script("apps/demo", "echo 'kind: Thing'")
    }

    /// Sets a variable, or replaces it.
    pub fn set(&mut self, name: &str, value: impl Into<OsString>) {
        self.unset(name);
        self.variables.push((name.into(), value.into()));
    }

    /// Takes a variable away.
    pub fn unset(&mut self, name: &str) {
        self.variables.retain(|(known, _)| known != name);
    }

    /// Sets the application's parameters.
    pub fn parameters(&mut self, parameters: serde_json::Value) {
        self.set("ARGOCD_APP_PARAMETERS", parameters.to_string());
    }

    /// The repository's root.
    pub fn root(&self) -> PathBuf {
        self.place.path().join("_cmp_server/0123")
    }

    /// The application's folder.
    pub fn folder(&self) -> PathBuf {
        self.root().join(&self.path)
    }

    /// The folder around everything.
    pub fn place(&self) -> &Path {
        self.place.path()
    }

    /// Writes a file, its path seen from the application's folder.
    pub fn write(&self, path: &str, text: &str) {
        let file = self.folder().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    /// The command, not yet started.
    pub fn command(&self, verb: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_germ-post"));
        command
            .args(["argocd", verb])
            .env_clear()
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .current_dir(self.folder())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs a command.
    pub fn run(&self, verb: &str) -> Run {
        finish(self.command(verb).spawn().unwrap())
    }

    /// What `generate` prints.
    pub fn generated(&self) -> String {
        self.run("generate").expect_ok()
    }

    /// The error of `generate`, which must have printed nothing.
    pub fn refused(&self) -> String {
        let run = self.run("generate");
        assert_ne!(run.code, 0, "nothing was wrong: {}", run.summary());
        assert!(run.stdout.is_empty(), "it failed and printed {}", String::from_utf8_lossy(&run.stdout));
        run.stderr
    }

    /// The error of a `generate` that must have failed before it ran Helm.
    pub fn refused_before_helm(&self) -> String {
        let said = self.refused();
        assert!(self.logged("arguments").is_empty(), "Helm ran, and then:\n{said}");
        said
    }

    /// The lines that the scripted Helm wrote down of its `arguments` or `environment`.
    pub fn logged(&self, what: &str) -> Vec<String> {
        let text = fs::read_to_string(self.place.path().join(format!("log.{what}"))).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// What is left in the folder for temporary files.
    pub fn left_behind(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.place.path().join("tmp")).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    }
}

/// Waits for a process.
pub fn finish(child: Child) -> Run {
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code().unwrap_or(-1),
        stdout: output.stdout,
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
