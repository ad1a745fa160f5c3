//! `germ-post export`: rules, or the plan for the stream on stdin, in another tool's
//! words.

use std::process::ExitCode;

use germ_post::diagnostic::Diagnostic;
use germ_post::export::admission::{self, ApiVersion};
use germ_post::export::talos::{self, Form};
use germ_post::export::{self, Format};
use germ_post::profile::version::parse_version;
use germ_post::rewrite;

use super::args::{Export, ExportFormat};
use super::{choice, say, stdin};

/// Prints what is exported.
pub fn run(args: &Export) -> ExitCode {
    if !args.deny.is_empty() && args.format != ExportFormat::Vap {
        let error = Diagnostic::input("bad-argument", "only policies that validate can refuse objects");
        return say::answer(Err(error.help("`--deny` goes with `--as vap`")));
    }
    match args.format {
        ExportFormat::Kustomize => patches(args, Format::Kustomize),
        ExportFormat::Flux => patches(args, Format::Flux),
        ExportFormat::Vap | ExportFormat::Map => policies(args),
        ExportFormat::TalosInline => say::answer(talos_inline(args)),
    }
}

/// Plans the stream and prints the patches.
fn patches(args: &Export, format: Format) -> ExitCode {
    let chosen = match choice::locked(&args.choice).and_then(|chosen| Ok((chosen, stdin::read()?))) {
        Ok(chosen) => chosen,
        Err(error) => return say::answer(Err(error)),
    };
    let (chosen, input) = chosen;
    match rewrite::plan(&input, &chosen.request) {
        Ok(planned) => {
            say::diagnostics(&planned.warnings);
            say::answer(export::export(&planned, format))
        }
        Err(run) => {
            say::diagnostics(&run.diagnostics);
            ExitCode::from(run.class().exit_code().max(2))
        }
    }
}

/// Prints the rules as policies of the API server, and says what they leave out.
fn policies(args: &Export) -> ExitCode {
    // The lock holds for policies as it does for rewriting; checks are in none.
    let exported = choice::locked(&args.choice)
        .and_then(|_| choice::resolve_for_check(&args.choice, &[], &[]))
        .and_then(|chosen| match args.format {
            ExportFormat::Map => admission::mutating(&chosen.request, served(&args.kube_version)?),
            _ => admission::validating(&chosen.request, &args.deny),
        });
    say::answer(exported.map(|exported| {
        for left in &exported.left_out {
            say::line(&format!("germ-post: {}", left.in_words()));
        }
        exported.text
    }))
}

fn served(kube_version: &str) -> Result<ApiVersion, Diagnostic> {
    ApiVersion::of(kube_version).ok_or_else(|| {
        let message = format!("Kubernetes {kube_version} serves no MutatingAdmissionPolicy");
        Diagnostic::input("bad-argument", message)
            .help("1.32 and 1.33 serve v1alpha1, 1.34 and 1.35 v1beta1 where that is switched on, 1.36 serves v1")
            .help("`--as vap` goes with 1.30 and later")
    })
}

/// Rewrites the stream into a patch of Talos' machine configuration.
fn talos_inline(args: &Export) -> Result<String, Diagnostic> {
    let form = match parse_version(&args.talos_version) {
        Some(version) if (version.major, version.minor) >= (1, 14) => Form::Document,
        Some(_) => Form::Inline,
        None => {
            let message = format!("`{}` is no version of Talos", args.talos_version);
            return Err(Diagnostic::input("bad-argument", message));
        }
    };
    let chosen = choice::locked(&args.choice)?;
    let input = stdin::read()?;
    let run = rewrite::run(&input, &chosen.request);
    let Some(output) = run.output else {
        // Of several errors the last one is told by whoever called.
        let mut errors = run.diagnostics;
        let last = errors.pop();
        say::diagnostics(&errors);
        return Err(last.unwrap_or_else(|| Diagnostic::input("nothing-to-export", "there is no result")));
    };
    let (text, warnings) = talos::inline(&output.text(), &args.name, form)?;
    say::diagnostics(&run.diagnostics);
    say::diagnostics(&warnings);
    Ok(text)
}
