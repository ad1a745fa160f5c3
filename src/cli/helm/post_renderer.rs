//! germ-post as the post-renderer of one run of Helm. Helm 3 takes a program by its path,
//! Helm 4 a plugin by its name, which is made for the run alone: whatever plugins the user
//! has, this program is the one that runs.

use std::ffi::OsString;
use std::path::Path;

use germ_post::diagnostic::Diagnostic;
use germ_post::helm::Version;
use tempfile::TempDir;

use super::Helm;
use crate::cli::args::Choice;

/// A name that no plugin of the user's has.
const PLUGIN: &str = "germ-post-of-this-run";

/// What Helm has to be given.
#[derive(Debug)]
pub struct PostRenderer {
    /// Flags of Helm, each in one word.
    pub flags: Vec<String>,
    /// Variables of Helm's environment.
    pub environment: Vec<(&'static str, OsString)>,
    /// The plugin, which goes when this does.
    _plugin: Option<TempDir>,
}

impl PostRenderer {
    /// This program with `arguments`.
    pub fn new(
        helm: &Helm,
        version: Version,
        arguments: impl IntoIterator<Item = String>,
    ) -> Result<Self, Diagnostic> {
        let program = std::env::current_exe().map_err(|error| {
            Diagnostic::input("no-program", format!("germ-post does not find itself: {error}"))
        })?;
        let mut made = match version.major < 4 {
            true => Self {
                flags: vec![format!("--post-renderer={}", program.display())],
                environment: Vec::new(),
                _plugin: None,
            },
            false => {
                let plugin = plugin(&program).map_err(|error| no_plugin(&error))?;
                let mut folders = vec![plugin.path().to_path_buf()];
                folders.extend(helm.plugin_folders().iter().flat_map(std::env::split_paths));
                let joined = std::env::join_paths(folders).map_err(|error| no_plugin(&error))?;
                Self {
                    flags: vec![format!("--post-renderer={PLUGIN}")],
                    environment: vec![("HELM_PLUGINS", joined)],
                    _plugin: Some(plugin),
                }
            }
        };
        made.flags.extend(arguments.into_iter().map(|argument| format!("--post-renderer-args={argument}")));
        Ok(made)
    }
}

/// The post-renderer's arguments that say the same as a choice.
pub fn arguments(choice: &Choice) -> Vec<String> {
    let many = |flag: &str, values: &[String]| -> Vec<String> {
        values.iter().filter(|value| !value.is_empty()).map(|value| format!("--{flag}={value}")).collect()
    };
    let mut words = many("profile", &choice.profile);
    words.extend(choice.target.iter().map(|target| format!("--target={target}")));
    words.extend(choice.config.iter().map(|path| format!("--config={}", path.display())));
    words.extend(many("set", &choice.set));
    words.extend(many("only", &choice.only));
    words.extend(many("skip", &choice.skip));
    words
}

/// A folder with the plugin.
fn plugin(program: &Path) -> std::io::Result<TempDir> {
    let folder = tempfile::Builder::new().prefix("germ-post-").tempdir()?;
    let plugin = folder.path().join(PLUGIN);
    std::fs::create_dir(&plugin)?;
    // Helm splits the command at spaces and replaces variables in it; of an argument it
    // replaces only these. So the program gets a path without surprises.
    let name = format!("germ-post{}", std::env::consts::EXE_SUFFIX);
    link(program, &plugin.join(&name))?;
    let text = format!(
        "apiVersion: v1\ntype: postrenderer/v1\nname: {PLUGIN}\nversion: {}\nruntime: subprocess\n\
         runtimeConfig:\n  platformCommand:\n    - command: ${{HELM_PLUGIN_DIR}}/{name}\n",
        env!("CARGO_PKG_VERSION")
    );
    std::fs::write(plugin.join("plugin.yaml"), text)?;
    Ok(folder)
}

/// Puts the program into a plugin's folder.
#[cfg(unix)]
pub fn link(program: &Path, to: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(program, to)
}

/// Puts the program into a plugin's folder.
#[cfg(not(unix))]
pub fn link(program: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::copy(program, to).map(|_| ())
}

fn no_plugin(error: &dyn std::fmt::Display) -> Diagnostic {
    Diagnostic::input("no-temporary-folder", format!("cannot make a plugin for Helm: {error}"))
        .help("set TMPDIR to a folder that can be written, without a space in its name")
}
