//! `germ-post argocd`: the commands that Argo CD's plugin server runs in an
//! application's folder, and those that print what installs the plugin.

mod choose;
mod generate;
mod repository;
mod surroundings;
mod values;

use std::process::ExitCode;

use germ_post::argocd::install;

use super::args::argocd::{Argocd, PluginConfig, Sidecar, SidecarForm};
use super::say;

/// Runs a command.
pub fn run(command: &Argocd) -> ExitCode {
    match command {
        Argocd::Generate(operator) => generate::generate(operator),
        Argocd::Init(operator) => say::answer(generate::init(operator)),
        Argocd::Parameters(operator) => say::answer(generate::parameters(operator)),
        Argocd::PluginConfig(args) => {
            let plugin = plugin(args);
            say::answer(plugin.check().map(|()| plugin.config()))
        }
        Argocd::Sidecar(args) => {
            let sidecar = sidecar(args);
            say::answer(sidecar.plugin.check().map(|()| match args.form {
                SidecarForm::Patch => sidecar.patch(),
                SidecarForm::HelmValues => sidecar.helm_values(),
            }))
        }
    }
}

fn plugin(args: &PluginConfig) -> install::Plugin {
    install::Plugin { name: args.name.clone(), discover: args.discover }
}

fn sidecar(args: &Sidecar) -> install::Sidecar {
    install::Sidecar { plugin: plugin(&args.plugin), image: args.image.clone(), pinned: args.pinned.clone() }
}
