//! `germ-post diff --chart DIR --base REF`: both sides rendered by the Helm that is
//! installed, the old one as git has it. A side that fails to render is an error.

use std::path::{Path, PathBuf};

use germ_post::check::Input;
use germ_post::diagnostic::Diagnostic;
use germ_post::helm::{Rendering, Set, SetKind, release_name};
use germ_post::profile::load;
use germ_post::rewrite::Unseen;

use super::args::{ChartFlags, Choice};
use super::config;
use super::diff_sides::Named;
use super::git::{Repository, Tree};
use super::helm::{Dependencies, Helm, Homes, namespace_of_plugin};
use super::template;

/// Both sides of a chart, rendered.
#[derive(Debug)]
pub struct Rendered {
    /// The old side.
    pub old: Named,
    /// The new side.
    pub new: Named,
    /// Which Helm rendered what.
    pub by: String,
    /// What a release of this Helm would keep from a post-renderer.
    pub unseen: Unseen,
    repository: Repository,
    base: Tree,
    head: Option<Tree>,
}

/// Renders both sides.
pub fn render(chart: &Path, flags: &ChartFlags) -> Result<Rendered, Vec<Diagnostic>> {
    let one = |error: Diagnostic| vec![error];
    let repository = Repository::of(chart).map_err(one)?;
    let place = repository.below(chart).ok_or_else(|| {
        let message = format!("{} is not in the repository {}", chart.display(), repository.root.display());
        vec![Diagnostic::input("chart-outside", message)]
    })?;
    let release = match &flags.release {
        Some(name) => name.clone(),
        None => name_of(&repository.root.join(&place)),
    };
    release_name::check(&release).map_err(|error| vec![error.help("give another name with --release")])?;
    let base = repository.tree(&flags.base).map_err(one)?;
    let head = flags.head.as_deref().map(|head| repository.tree(head)).transpose().map_err(one)?;
    let helm = Helm::find(Homes::OfUser).map_err(one)?;
    let version = helm.version().map_err(one)?;
    let head_name = head.as_ref().map_or("the working tree".to_owned(), |head| head.name.clone());
    let head_files = head.as_ref().map_or(repository.root.clone(), Tree::files);
    // Vendored dependencies are often not in git; the same ones are at hand.
    share_dependencies(&repository.root.join(&place), &base.files().join(&place));
    if head.is_some() {
        share_dependencies(&repository.root.join(&place), &head_files.join(&place));
    }
    let side = |files: &Path, name: &str, may_fetch: bool| -> Result<Named, Diagnostic> {
        let failed = |error: Diagnostic| error.note(format!("it is the chart of {name}"));
        let chart = files.join(&place);
        if !chart.join("Chart.yaml").is_file() {
            let message = format!("there is no chart {} in {name}", place.display());
            return Err(Diagnostic::input("chart-missing", message)
                .help("a chart that is new has nothing to be compared with; a moved one: render both, and compare the files"));
        }
        let rendering = rendering(flags, &release, &repository, files, name)?;
        // A chart that is named by `file://` has to come from the same commit.
        let dependencies = match may_fetch {
            true => Dependencies::Fetch { within: Some(files) },
            false => Dependencies::MustBeThere,
        };
        let bytes = helm.template(&chart, &rendering, dependencies).map_err(failed)?;
        let name = format!("{} at {name}", place.display());
        Ok(Named { inputs: vec![Input { name: name.clone(), bytes }], name })
    };
    // Nothing is fetched into the user's own tree.
    let old = side(&base.files(), &base.name, flags.dependency_build);
    let new = side(&head_files, &head_name, flags.dependency_build && head.is_some());
    let (old, new) = match (old, new) {
        (Ok(old), Ok(new)) => (old, new),
        (Err(old), Err(new)) => return Err(vec![old, new]),
        (Err(error), _) | (_, Err(error)) => return Err(vec![error]),
    };
    let by = format!(
        "rendered by Helm {version}: release {release} of {}, {} → {head_name}",
        place.display(),
        base.name
    );
    let unseen = template::unseen(&helm, None).map_err(one)?;
    Ok(Rendered { old, new, by, unseen, repository, base, head })
}

impl Rendered {
    /// The choice of the base and of the head, each with its own configuration and
    /// profile files.
    pub fn choices(&self, choice: &Choice) -> (Choice, Choice) {
        let head = match &self.head {
            Some(head) => self.moved(choice, &head.files()),
            None => choice.clone(),
        };
        (self.moved(choice, &self.base.files()), head)
    }

    /// The choice as it is in another tree.
    fn moved(&self, choice: &Choice, files: &Path) -> Choice {
        let there = |path: &Path| -> Option<PathBuf> {
            let place = files.join(self.repository.below(path)?);
            place.exists().then_some(place)
        };
        let mut moved = choice.clone();
        for name in moved.profile.iter_mut().filter(|name| load::is_path(name)) {
            if let Some(place) = there(Path::new(name)) {
                *name = place.display().to_string();
            }
        }
        let found = || std::env::current_dir().ok().and_then(|folder| config::discover(&folder));
        let names_a_profile = choice.profile.iter().any(|name| !name.is_empty());
        if let Some(path) = choice.config.clone().or_else(|| found().filter(|_| !names_a_profile))
            && let Some(place) = there(&path)
        {
            moved.config = Some(place);
        }
        moved
    }
}

/// What Helm is asked for, files of values as they are in the side's tree.
fn rendering(
    flags: &ChartFlags,
    release: &str,
    repository: &Repository,
    files: &Path,
    name: &str,
) -> Result<Rendering, Diagnostic> {
    let mut values = Vec::new();
    for file in &flags.values {
        match repository.below(file) {
            None => values.push(std::path::absolute(file).unwrap_or_else(|_| file.clone())),
            Some(place) if files.join(&place).is_file() => values.push(files.join(place)),
            Some(place) => {
                let message = format!("there is no file of values {} in {name}", place.display());
                return Err(Diagnostic::input("values-missing", message).help(
                    "name files that both sides have; one from outside of the repository is used for both",
                ));
            }
        }
    }
    let set = |kind: SetKind, texts: &[String]| {
        texts.iter().map(move |text| Set { kind, text: text.clone() }).collect::<Vec<_>>()
    };
    Ok(Rendering {
        release: release.to_owned(),
        chart: ".".to_owned(),
        namespace: flags.namespace.clone().or_else(namespace_of_plugin),
        kube_version: flags.kube_version.clone(),
        api_versions: flags.api_versions.clone(),
        values,
        sets: [set(SetKind::Value, &flags.helm_set), set(SetKind::Text, &flags.helm_set_string)].concat(),
        include_crds: true,
        skip_tests: true,
        ..Rendering::default()
    })
}

/// The name that a chart's folder has, as a release's.
fn name_of(chart: &Path) -> String {
    let name =
        chart.canonicalize().ok().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    name.unwrap_or_else(|| "release".to_owned()).to_lowercase().replace('_', "-")
}

/// Copies `charts/` where a tree lacks it and asks for the same dependencies.
fn share_dependencies(from: &Path, to: &Path) {
    let (have, lack) = (from.join("charts"), to.join("charts"));
    let same = |name: &str| {
        let read = |folder: &Path| std::fs::read(folder.join(name)).ok();
        read(from) == read(to)
    };
    if from == to
        || !have.is_dir()
        || lack.exists()
        || !same("Chart.lock")
        || !same("Chart.yaml") && !from.join("Chart.lock").is_file()
    {
        return;
    }
    // What cannot be copied is missed by Helm, which says so.
    let _ = copy(&have, &lack);
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let place = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &place)?;
        } else {
            std::fs::copy(entry.path(), place)?;
        }
    }
    Ok(())
}
