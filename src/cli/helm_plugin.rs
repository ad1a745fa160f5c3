//! `germ-post helm-plugin install`: the plugins of the Helm that is there, in its folder, from
//! this program alone. Helm's own `plugin install` does the same from the folders of a
//! release's archive; this one also sees to it that no Helm 3 loses its plugins.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use germ_post::diagnostic::Diagnostic;
use germ_post::helm::plugin::{self, Form, Plugin};

use super::args::helm_plugin::{HelmPlugin, Install};
use super::helm::{Helm, Homes, find};
use super::say;

/// Runs the subcommand.
pub fn run(command: &HelmPlugin) -> ExitCode {
    let HelmPlugin::Install(args) = command;
    say::answer(install(args))
}

fn install(args: &Install) -> Result<String, Diagnostic> {
    let helm = Helm::find(Homes::OfUser)?;
    let version = helm.version()?;
    let form = if version.major < 4 || args.for_both { Form::Old } else { Form::New };
    let folder = match &args.into {
        Some(folder) => folder.clone(),
        None => folder_of(&helm)?,
    };
    if !args.force {
        guard(&folder, form)?;
    }
    let mut said = String::new();
    for plugin in plugin::plugins(form) {
        let place = folder.join(plugin.name);
        write(plugin, &place).map_err(|error| {
            Diagnostic::input("plugin-not-written", format!("cannot write {}: {error}", place.display()))
        })?;
        said.push_str(&format!("{}\n  {}\n", place.display(), plugin.usage));
    }
    say::line(&format!("germ-post: installed for Helm {version}"));
    Ok(said)
}

/// Where Helm looks for plugins. Of several folders it is the first.
fn folder_of(helm: &Helm) -> Result<PathBuf, Diagnostic> {
    let folders = helm.plugin_folders();
    let first = folders.as_deref().and_then(|folders| std::env::split_paths(folders).next());
    first.filter(|folder| folder.is_absolute()).ok_or_else(|| {
        Diagnostic::input("no-plugin-folder", "Helm does not say where its plugins are")
            .help("name the folder with --into, as `helm env HELM_PLUGINS` would")
    })
}

/// Refuses what would take something away from the user.
fn guard(folder: &Path, form: Form) -> Result<(), Diagnostic> {
    let there = there(folder);
    for plugin in plugin::plugins(form) {
        if let Some((name, text)) = there.iter().find(|(name, _)| name == plugin.name)
            && !plugin::is_ours(text)
        {
            let message = format!("{} is a plugin of another name", folder.join(name).display());
            return Err(Diagnostic::input("plugin-in-the-way", message).help("--force replaces it"));
        }
    }
    let others = |form: Form| {
        let of_form = there.iter().filter(move |(_, text)| plugin::form(text) == form);
        of_form.map(|(name, _)| name.as_str()).collect::<Vec<_>>()
    };
    match form {
        Form::New if !others(Form::Old).is_empty() => {
            let names = others(Form::Old).join(", ");
            let message = format!("a Helm 3 may be using the plugins in {}: {names}", folder.display());
            Err(Diagnostic::input("helm-3-would-lose-plugins", message)
                .note("they are written as Helm 3 reads them, and one plugin of Helm 4's form beside them makes it lose all")
                .help("--for-both installs `helm germ-post …` in the form that both Helms read")
                .help("or give Helm 4 a data home of its own (HELM_DATA_HOME), here as well as where you use it")
                .help("or, if no Helm 3 uses the folder: --force"))
        }
        Form::Old if !others(Form::New).is_empty() => {
            let names = others(Form::New).join(", ");
            let message = format!("Helm 3 reads no plugin in {} because of {names}", folder.display());
            Err(Diagnostic::input("helm-3-reads-no-plugins", message)
                .note("they are of the form that only Helm 4 reads")
                .help("give the two Helms a data home each (HELM_DATA_HOME)")
                .help("or install it all the same, for Helm 4: --force"))
        }
        _ => Ok(()),
    }
}

/// The plugins that a folder holds: names of folders with their `plugin.yaml`.
fn there(folder: &Path) -> Vec<(String, String)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut plugins: Vec<(String, String)> = entries
        .flatten()
        .filter_map(|entry| {
            let text = fs::read_to_string(entry.path().join("plugin.yaml")).ok()?;
            Some((entry.file_name().to_string_lossy().into_owned(), text))
        })
        .collect();
    plugins.sort();
    plugins
}

/// Writes a plugin to its place, whole or not at all.
fn write(plugin: &Plugin, place: &Path) -> io::Result<()> {
    let folder = place.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    // Helm takes every folder with a plugin.yaml for a plugin, and looks only one level down.
    let draft = tempfile::Builder::new().prefix(".germ-post-").tempdir_in(folder)?;
    let made = draft.path().join(plugin.name);
    fs::create_dir(&made)?;
    let program = std::env::current_exe()?;
    let in_path = find::in_path("germ-post".as_ref(), std::env::var_os("PATH").as_deref());
    let is_in_path = in_path.and_then(|path| path.canonicalize().ok()) == program.canonicalize().ok();
    let name = format!("germ-post{}", std::env::consts::EXE_SUFFIX);
    if !is_in_path {
        super::helm::post_renderer::link(&program, &made.join(&name))?;
    }
    fs::write(made.join("plugin.yaml"), plugin.text((!is_in_path).then_some(name.as_str())))?;
    remove(place)?;
    fs::rename(&made, place)
}

/// Takes away what is there: a folder, or the link that Helm makes of a local folder.
fn remove(place: &Path) -> io::Result<()> {
    match fs::symlink_metadata(place) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(place),
        Ok(_) => fs::remove_file(place),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}
