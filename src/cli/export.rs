//! `germ-post export`: the plan for the stream on stdin as another tool's patches.

use std::process::ExitCode;

use germ_post::export::{self, Format};
use germ_post::rewrite;

use super::args::{Export, ExportFormat};
use super::{choice, say, stdin};

/// Plans the stream and prints the patches.
pub fn run(args: &Export) -> ExitCode {
    let format = match args.format {
        ExportFormat::Kustomize => Format::Kustomize,
        ExportFormat::Flux => Format::Flux,
    };
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
