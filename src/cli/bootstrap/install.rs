//! One run of `helm upgrade --install` with germ-post as its post-renderer, and what has to
//! happen before Helm takes a release up that another run left half-done.

use std::ffi::OsString;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use germ_post::bootstrap::Readiness;
use germ_post::bootstrap::release::{self, Revision};
use germ_post::diagnostic::Diagnostic;

use super::failed;
use super::outlook::Outlook;
use super::progress::Progress;

/// Ends a revision that its Helm did not end: after a while, in which it may be at work.
pub fn recover(outlook: &Outlook<'_>, progress: &Progress) -> Result<(), Diagnostic> {
    let args = outlook.args;
    let Some(pending) = outlook.revision.as_ref().filter(|revision| revision.is_pending()) else {
        return Ok(());
    };
    let what = format!("release {} is {}", args.release, pending.status);
    let mut last = pending.clone();
    progress.wait(&what, args.recover_after + args.timeout, || {
        if let Some(now) = revision(outlook)? {
            last = now;
        }
        let old = age(&last).is_none_or(|age| age >= args.recover_after.as_secs());
        Ok(match (last.is_pending(), old) {
            (false, _) => Readiness::Ready(format!("another Helm has ended it: {}", last.status)),
            (true, true) => Readiness::Ready("its Helm is gone".to_owned()),
            (true, false) => Readiness::Waiting("another Helm may be at work on it".to_owned()),
        })
    })?;
    if !last.is_pending() {
        return Ok(());
    }
    // The objects stay, and are taken over by the next run, since they carry the release's name.
    progress.step(&format!("taking the record of revision {} away, its objects stay", last.number));
    let namespace = format!("--namespace={}", args.namespace);
    outlook.kubectl.text(&["delete", "secret", &last.record, &namespace])?;
    Ok(())
}

/// The release's last revision.
pub fn revision(outlook: &Outlook<'_>) -> Result<Option<Revision>, Diagnostic> {
    let arguments = release::records(&outlook.args.release, &outlook.args.namespace);
    Ok(release::last(&outlook.kubectl.text(&arguments)?))
}

fn age(revision: &Revision) -> Option<u64> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs();
    Some(now.saturating_sub(revision.written?))
}

/// Installs or upgrades the release; objects of the kinds `hold_back`, written `GROUP/KIND`,
/// are left out.
pub fn install(outlook: &Outlook<'_>, hold_back: &[String]) -> Result<(), Diagnostic> {
    let args = outlook.args;
    let mut words: Vec<String> = ["upgrade", "--install"].map(str::to_owned).into();
    words.extend(outlook.on_cluster());
    words.extend(["--create-namespace".to_owned(), format!("--timeout={}s", args.timeout.as_secs())]);
    if args.no_hooks {
        words.push("--no-hooks".to_owned());
    }
    words.extend(outlook.values());
    // Helm 3 takes a program, Helm 4 a plugin of that type.
    let program = std::env::current_exe().map_err(|error| {
        Diagnostic::input("no-program", format!("germ-post does not find itself: {error}"))
    })?;
    let program = program.display().to_string();
    let plugins;
    let mut environment: Vec<(&str, OsString)> = Vec::new();
    if outlook.version.major < 4 {
        words.push(format!("--post-renderer={program}"));
    } else {
        plugins = plugin(&program)?;
        let mut folders = vec![plugins.path().to_path_buf()];
        folders.extend(own_plugins(outlook).iter().flat_map(std::env::split_paths));
        let joined = std::env::join_paths(folders).map_err(|error| no_plugin(&error))?;
        environment.push(("HELM_PLUGINS", joined));
        words.push(format!("--post-renderer={PLUGIN}"));
    }
    let held = hold_back.iter().map(|kind| format!("--hold-back={kind}"));
    let arguments = outlook.post_renderer().into_iter().chain(held);
    words.extend(arguments.map(|argument| format!("--post-renderer-args={argument}")));
    words.extend(["--".to_owned(), args.release.clone(), args.chart.display().to_string()]);
    let output = outlook.helm.on_cluster(&words, &environment)?;
    if output.success {
        return Ok(());
    }
    let mut error = failed("install the release", &output);
    if outlook.version.major >= 4 {
        error = error.note("Helm 4 hides what its post-renderer says: `germ-post last` prints it");
    }
    Err(error)
}

/// A name that no plugin of the user's has.
const PLUGIN: &str = "germ-post-bootstrap";

/// A folder with the plugin, for one run.
fn plugin(program: &str) -> Result<tempfile::TempDir, Diagnostic> {
    let made = tempfile::Builder::new().prefix("germ-post-").tempdir().and_then(|folder| {
        let plugin = folder.path().join(PLUGIN);
        std::fs::create_dir(&plugin)?;
        // Helm splits the command at spaces and replaces variables in it; of an argument it
        // replaces only these.
        link(program, &plugin.join("germ-post"))?;
        let text = format!(
            "apiVersion: v1\ntype: postrenderer/v1\nname: {PLUGIN}\nversion: {}\nruntime: subprocess\n\
             runtimeConfig:\n  platformCommand:\n    - command: ${{HELM_PLUGIN_DIR}}/germ-post\n",
            env!("CARGO_PKG_VERSION")
        );
        std::fs::write(plugin.join("plugin.yaml"), text)?;
        Ok(folder)
    });
    made.map_err(|error| no_plugin(&error))
}

#[cfg(unix)]
fn link(program: &str, to: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(program, to)
}

#[cfg(not(unix))]
fn link(program: &str, to: &Path) -> std::io::Result<()> {
    std::fs::copy(program, to).map(|_| ())
}

fn no_plugin(error: &dyn std::fmt::Display) -> Diagnostic {
    Diagnostic::input("no-temporary-folder", format!("cannot make a plugin for Helm: {error}"))
        .help("set TMPDIR to a folder that can be written, without a space in its name")
}

/// Where the user's own plugins are, which may fetch charts or read secrets.
fn own_plugins(outlook: &Outlook<'_>) -> Option<OsString> {
    let output = outlook.helm.on_cluster(&["env".to_owned(), "HELM_PLUGINS".to_owned()], &[]).ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().into()).filter(|text: &OsString| output.success && !text.is_empty())
}
