//! A real Helm, cut off from the machine's: its own home, plugins and working
//! directory, no environment but what a test gives it, and a PATH with nothing
//! but `germ-post`. Helm 4 has the plugin of `deploy/helm4` installed as a user
//! would install it; Helm 3 has no plugins.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use super::{replay::Chart, tools};

/// The Kubernetes version that Helm is told: one built from source does not
/// know a present-day version by itself.
pub const KUBE_VERSION: &str = "--kube-version=1.34.0";

/// One of the two Helms.
pub struct Helm {
    /// 3 or 4.
    pub major: u8,
    /// The program itself.
    pub program: PathBuf,
    home: tempfile::TempDir,
    environment: Vec<(OsString, OsString)>,
}

/// What a run of Helm printed.
pub struct Run {
    /// Whether it exited with 0.
    pub ok: bool,
    /// Its exit code.
    pub code: Option<i32>,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self {
            ok: output.status.success(),
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

impl Run {
    /// The output of a run that must have gone well.
    pub fn expect_ok(self) -> String {
        assert!(self.ok, "helm failed:\n{}", self.stderr);
        self.stdout
    }

    /// The error text of a run that must have failed and printed nothing.
    pub fn expect_failure(self) -> String {
        assert!(!self.ok, "helm did not fail, and printed\n{}", self.stdout);
        assert_eq!(self.stdout, "", "helm failed and rendered all the same");
        self.stderr
    }
}

impl Helm {
    /// Helm 3, if there is one.
    pub fn three() -> Option<Self> {
        Some(Self::new(3, tools::helm3()?))
    }

    /// Helm 4 with the plugin installed, if there is one.
    pub fn four() -> Option<Self> {
        let helm = Self::four_without_plugin()?;
        let plugin = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/helm4/germ-post");
        helm.run(["plugin", "install", plugin.to_str().unwrap()]).expect_ok();
        Some(helm)
    }

    /// Helm 4 as it is, if there is one.
    pub fn four_without_plugin() -> Option<Self> {
        Some(Self::new(4, tools::helm4()?))
    }

    /// Those of the two that there are.
    pub fn both() -> impl Iterator<Item = Self> {
        [Self::three, Self::four].into_iter().filter_map(|helm| helm())
    }

    fn new(major: u8, program: PathBuf) -> Self {
        let home = tempfile::tempdir().unwrap();
        let under = |name: &str| {
            let path = home.path().join(name);
            fs::create_dir_all(&path).unwrap();
            path.into_os_string()
        };
        let bin = under("bin");
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_germ-post"), Path::new(&bin).join("germ-post"))
            .unwrap();
        // No HELM_PLUGINS: Helm 4 installs below its data home whatever that says.
        let environment = [
            ("PATH", bin),
            ("HOME", under("home")),
            ("TMPDIR", under("tmp")),
            ("HELM_CACHE_HOME", under("helm/cache")),
            ("HELM_CONFIG_HOME", under("helm/config")),
            ("HELM_DATA_HOME", under("helm/data")),
            ("XDG_CACHE_HOME", under("xdg/cache")),
            ("XDG_CONFIG_HOME", under("xdg/config")),
            ("XDG_DATA_HOME", under("xdg/data")),
            ("XDG_STATE_HOME", under("xdg/state")),
        ];
        under("work");
        let environment = environment.map(|(name, value)| (name.into(), value)).into();
        Self { major, program, home, environment }
    }

    /// The same Helm, for a user who has used the other one already.
    pub fn in_the_home_of(mut self, other: &Self) -> Self {
        self.environment.clone_from(&other.environment);
        self
    }

    /// The folder that Helm is started in.
    pub fn working_directory(&self) -> PathBuf {
        self.home.path().join("work")
    }

    /// Sets a variable for all runs from here on.
    pub fn set(&mut self, name: &str, value: impl Into<OsString>) {
        self.environment.push((name.into(), value.into()));
    }

    /// Runs Helm.
    pub fn run<I: AsRef<std::ffi::OsStr>>(&self, arguments: impl IntoIterator<Item = I>) -> Run {
        let output = Command::new(&self.program)
            .args(arguments)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(self.working_directory())
            .output()
            .unwrap();
        output.into()
    }

    /// Runs germ-post, which finds this Helm by `HELM_BIN`.
    pub fn germ_post<I: AsRef<std::ffi::OsStr>>(&self, arguments: impl IntoIterator<Item = I>) -> Run {
        self.germ_post_command(arguments).output().unwrap().into()
    }

    /// germ-post, which finds this Helm by `HELM_BIN`, to be run.
    pub fn germ_post_command<I: AsRef<std::ffi::OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = I>,
    ) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_germ-post"));
        command
            .args(arguments)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .env("HELM_BIN", &self.program)
            .env("NO_COLOR", "1")
            .current_dir(self.working_directory());
        command
    }

    /// `helm template` of a chart, without a post-renderer.
    pub fn template(&self, chart: &Chart, more: &[&str]) -> Run {
        let chart = chart.path().to_str().unwrap();
        let fixed = ["template", "release", chart, "--namespace=kube-system", KUBE_VERSION];
        self.run(fixed.iter().chain(more))
    }

    /// `helm template` of a chart, post-rendered by `germ-post` with arguments,
    /// in the words that both Helms understand.
    pub fn post_render(&self, chart: &Chart, arguments: &[&str], more: &[&str]) -> Run {
        let mut flags = vec!["--post-renderer", "germ-post"];
        for argument in arguments {
            flags.extend(["--post-renderer-args", argument]);
        }
        flags.extend(more);
        self.template(chart, &flags)
    }
}
