//! `germ-post diff`: what is different on the cluster, on stdout and in files.

use std::path::PathBuf;
use std::process::ExitCode;

use germ_post::compare::fleet::Fleet;
use germ_post::compare::object_pattern::ObjectPattern;
use germ_post::compare::options::FieldPattern;
use germ_post::compare::run::{Compared, Profile};
use germ_post::compare::{self, Options};
use germ_post::diagnostic::{Class, Diagnostic};
use germ_post::report::diff::budget::{Budget, Measure};
use germ_post::report::diff::markdown::{self, Comment};
use germ_post::report::diff::{brief, github, gitlab, html, human, json, side_by_side, unified};

use super::args::{Choice, Diff, DiffFormat};
use super::choice::{self, Chosen};
use super::diff_chart::{self, Rendered};
use super::diff_sides::{self, Named};
use super::{config, dangers, report_file, say};

/// Compares, prints, and says by the exit code whether something is different.
pub fn run(args: &Diff) -> ExitCode {
    let found = options(args).and_then(|options| Ok((fleet(args, &options)?, options)));
    match found {
        Ok((fleet, options)) => match tell(args, &options, &fleet) {
            Ok(code) => ExitCode::from(code),
            Err(error) => say::answer(Err(error)),
        },
        Err(errors) => {
            say::diagnostics(&errors);
            let class = errors.iter().map(|error| error.class).max().unwrap_or(Class::Input);
            ExitCode::from(class.exit_code().max(2))
        }
    }
}

fn options(args: &Diff) -> Result<Options, Vec<Diagnostic>> {
    let fields = |flag: &str, texts: &[String]| {
        let parse = |text: &String| FieldPattern::parse(text).map_err(|error| wrong(flag, text, &error));
        texts.iter().map(parse).collect::<Result<Vec<_>, _>>()
    };
    let object =
        |text: &String| ObjectPattern::parse(text).map_err(|error| wrong("--ignore-object", text, &error));
    let mut key = [0; 32];
    getrandom::fill(&mut key).map_err(|error| {
        vec![
            Diagnostic::input("no-randomness", format!("the system gives no random numbers: {error}"))
                .note("masked values are told apart by a hash whose key nobody knows"),
        ]
    })?;
    Ok(Options {
        mask: fields("--mask", &args.mask).map_err(|error| vec![error])?,
        ignore: fields("--ignore", &args.ignore).map_err(|error| vec![error])?,
        ignore_objects: args
            .ignore_object
            .iter()
            .map(object)
            .collect::<Result<_, _>>()
            .map_err(|e| vec![e])?,
        no_ignore: args.no_ignore,
        style: args.style,
        allow_empty: args.allow_empty,
        key,
    })
}

fn wrong(flag: &str, text: &str, error: &str) -> Diagnostic {
    Diagnostic::input("bad-argument", format!("`{flag} {text}`: {error}"))
        .note("a path reads like `spec.containers[name=x].env` or `metadata.annotations.\"a.b/c\"`, a pointer like `/spec/replicas`")
}

/// What is compared, and what only charts have.
struct Compare {
    old: Named,
    new: Option<Named>,
    rendered: Option<Rendered>,
}

/// Compares for the target that was chosen, or for all.
fn fleet(args: &Diff, options: &Options) -> Result<Fleet, Vec<Diagnostic>> {
    let mut options = options.clone();
    let compare = match (&args.chart, &args.chart_flags) {
        (Some(chart), Some(flags)) => {
            let mut rendered = diff_chart::render(chart, flags)?;
            let (old, new) = (std::mem::take(&mut rendered.old), std::mem::take(&mut rendered.new));
            Compare { old, new: Some(new), rendered: Some(rendered) }
        }
        _ => {
            let sides = diff_sides::read(&args.inputs)?;
            options.allow_empty |= sides.may_be_empty;
            Compare { old: sides.old, new: sides.new, rendered: None }
        }
    };
    let mut fleet = match args.all_targets {
        true => {
            let mut targets = Vec::new();
            for target in target_names(args).map_err(|error| vec![error])? {
                let choice = Choice { target: Some(target.clone()), ..args.choice.clone() };
                let compared = of_one(&compare, Some(&choice), &options).map_err(|errors| {
                    let named = |error: Diagnostic| error.note(format!("for target {target}"));
                    errors.into_iter().map(named).collect::<Vec<_>>()
                })?;
                targets.push((target, compared));
            }
            Fleet::of_targets(targets)
        }
        false => {
            let choice = wants_a_profile(args, &compare).then_some(&args.choice);
            Fleet::of_one(of_one(&compare, choice, &options)?)
        }
    };
    fleet.rendered = compare.rendered.map(|rendered| rendered.by);
    Ok(fleet)
}

/// Two files are compared as they are, unless a profile is asked for. A chart is
/// compared as its repository deploys it.
fn wants_a_profile(args: &Diff, compare: &Compare) -> bool {
    let choice = &args.choice;
    let named = choice.profile.iter().any(|name| !name.is_empty());
    let found = || std::env::current_dir().ok().and_then(|folder| config::discover(&folder)).is_some();
    compare.new.is_none()
        || named
        || choice.target.is_some()
        || choice.config.is_some()
        || (compare.rendered.is_some() && found())
}

fn of_one(
    compare: &Compare,
    choice: Option<&Choice>,
    options: &Options,
) -> Result<Compared, Vec<Diagnostic>> {
    let one = |error: Diagnostic| vec![error];
    let resolve = |choice: &Choice| choice::resolve(choice).map_err(one);
    let mut chosen: Option<(Chosen, Option<Chosen>)> = match (choice, &compare.rendered) {
        (None, _) => None,
        (Some(choice), None) => Some((resolve(choice)?, None)),
        (Some(choice), Some(rendered)) => {
            let (old, new) = rendered.choices(choice);
            Some((resolve(&new)?, Some(resolve(&old)?)))
        }
    };
    if let (Some((new, old)), Some(rendered)) = (&mut chosen, &compare.rendered) {
        new.request.unseen = rendered.unseen;
        old.iter_mut().for_each(|old| old.request.unseen = rendered.unseen);
    }
    let new = chosen.as_ref().map(|(new, _)| new);
    let old = chosen.as_ref().and_then(|(_, old)| old.as_ref()).or(new);
    let located = new.map_or(&[][..], |chosen| &chosen.located);
    let params = new.map(|chosen| &chosen.request.params);
    let rules = dangers::rules(located, params).map_err(one)?;
    let profile =
        new.zip(old).map(|(new, old)| Profile { names: &new.names, old: &old.request, new: &new.request });
    compare::compare(&compare::Request {
        old: (&compare.old.name, &compare.old.inputs),
        new: compare.new.as_ref().map(|new| (new.name.as_str(), new.inputs.as_slice())),
        profile,
        dangers: &rules,
        options,
    })
}

fn target_names(args: &Diff) -> Result<Vec<String>, Diagnostic> {
    let found = || std::env::current_dir().ok().and_then(|folder| config::discover(&folder));
    let Some(path) = args.choice.config.clone().or_else(found) else {
        return Err(Diagnostic::input(
            "no-config",
            format!("there is no {} with targets", config::FILE_NAME),
        )
        .help("it is looked for from the working directory up to the root of the Git repository"));
    };
    let config = config::read(&path, None, &|path| std::fs::read_to_string(path))?;
    if config.targets.is_empty() {
        let message = format!("{} has no targets", path.display());
        return Err(Diagnostic::input("no-targets", message).help("leave out --all-targets"));
    }
    Ok(config.targets)
}

/// Prints and writes; the exit code.
fn tell(args: &Diff, options: &Options, fleet: &Fleet) -> Result<u8, Diagnostic> {
    let teller = Teller { args, options, fleet };
    for (format, path) in &args.output {
        write(path, &teller.render(*format, false)?)?;
    }
    if let Some(folder) = &args.split {
        teller.split(folder)?;
    }
    let failed = |error| Diagnostic::input("report-failed", format!("cannot write to stdout: {error}"));
    let silent = args.quiet || (fleet.is_same() && diff_sides::kubectl_asks(&args.inputs));
    if !silent {
        say::coloured(&teller.render(args.format, true)?).map_err(failed)?;
    }
    if args.format == DiffFormat::Github {
        let summary = Comment { budget: Budget::STEP_SUMMARY, ..teller.comment() };
        report_file::step_summary(&markdown::render(fleet, &summary))?;
    }
    Ok(u8::from((args.exit_code || args.quiet) && !fleet.is_same()))
}

fn write(path: &std::path::Path, text: &str) -> Result<(), Diagnostic> {
    report_file::write(path, text).map_err(|error| {
        Diagnostic::input("report-failed", format!("cannot write {}: {error}", path.display()))
    })
}

/// What every format is made of.
struct Teller<'t> {
    args: &'t Diff,
    options: &'t Options,
    fleet: &'t Fleet,
}

impl Teller<'_> {
    fn render(&self, format: DiffFormat, colour: bool) -> Result<String, Diagnostic> {
        let (args, fleet) = (self.args, self.fleet);
        let root = args.source_root.as_deref();
        let text = match format {
            DiffFormat::Human => {
                let look = human::Look { colour, context: args.context, omit_header: args.omit_header };
                Ok(human::render(fleet, look))
            }
            DiffFormat::Unified => Ok(unified::render(fleet, self.options, args.context, colour)),
            DiffFormat::Brief => Ok(brief::render(fleet)),
            DiffFormat::SideBySide => Ok(side_by_side::render(fleet, args.context, self.width())),
            DiffFormat::Markdown => Ok(markdown::render(fleet, &self.comment())),
            DiffFormat::Json => json::render(fleet),
            DiffFormat::Github => Ok(github::render(fleet, root)),
            DiffFormat::Gitlab => gitlab::render(fleet, root),
            DiffFormat::Html => Ok(html::render(fleet, args.context)),
        };
        text.map_err(|error| Diagnostic::input("report-failed", format!("cannot make the report: {error}")))
    }

    fn comment(&self) -> Comment {
        let mut inputs: Vec<String> =
            self.args.inputs.iter().map(|path| path.display().to_string()).collect();
        if let (Some(chart), Some(flags)) = (&self.args.chart, &self.args.chart_flags) {
            inputs.push(format!("--chart {} --base {}", chart.display(), flags.base));
        }
        Comment {
            budget: Budget { most: self.args.max_chars, measure: Measure::Characters },
            id: self.args.comment_id.clone(),
            context: self.args.context,
            whole: format!("germ-post diff {}", inputs.join(" ")),
        }
    }

    /// Writes the comments, and takes away those of an earlier run.
    fn split(&self, folder: &std::path::Path) -> Result<(), Diagnostic> {
        let failed = |error: std::io::Error| {
            Diagnostic::input("report-failed", format!("cannot write to {}: {error}", folder.display()))
        };
        std::fs::create_dir_all(folder).map_err(failed)?;
        let name = |number: usize| -> PathBuf { folder.join(format!("comment-{number}.md")) };
        let comments = markdown::split(self.fleet, &self.comment());
        for (index, text) in comments.iter().enumerate() {
            write(&name(index + 1), text)?;
        }
        let mut stale = comments.len() + 1;
        while name(stale).is_file() {
            std::fs::remove_file(name(stale)).map_err(failed)?;
            stale += 1;
        }
        Ok(())
    }

    /// How wide the terminal is.
    fn width(&self) -> usize {
        let of_environment = || std::env::var("COLUMNS").ok()?.parse().ok();
        let of_terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
        self.args.width.or_else(of_terminal).or_else(of_environment).unwrap_or(120)
    }
}
