//! `germ-post explain`: a rule in words.

use germ_post::diagnostic::{Diagnostic, did_you_mean};
use germ_post::profile::embedded;
use germ_post::profile::rule::meant;
use germ_post::report::explain;

use super::args::Explain;
use super::choice;

/// Explains the rules that the id means: itself, or else all that begin so.
pub fn run(args: &Explain) -> Result<String, Diagnostic> {
    let mut names: Vec<String> = embedded::names().map(str::to_owned).collect();
    names.extend(args.profile.iter().cloned());
    let loaded = choice::load(&names)?;
    let all = || loaded.files.iter().flat_map(|file| file.file.rules.iter().map(move |rule| (file, rule)));
    let ids = meant(&args.rule, all().map(|(_, rule)| rule.id.as_str()));
    let chosen: Vec<_> = all().filter(|(_, rule)| ids.contains(&rule.id.as_str())).collect();
    if chosen.is_empty() {
        let diagnostic = Diagnostic::input("rule-unknown", format!("no rule is called `{}`", args.rule));
        let near = did_you_mean(&args.rule, all().map(|(_, rule)| rule.id.as_str()));
        return Err(near
            .into_iter()
            .fold(diagnostic, |d, near| d.help(format!("did you mean `{near}`?")))
            .help("rules of a profile of your own are found with --profile FILE"));
    }
    let texts: Vec<String> = chosen.into_iter().map(|(file, rule)| explain::rule(file, rule)).collect();
    Ok(texts.join("\n---\n\n"))
}
