//! `germ-post profiles`: looking at profiles, checking, testing and locking them.

use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use germ_post::check::builtin;
use germ_post::diagnostic::Diagnostic;
use germ_post::profile::{compile, embedded, lint, load};

use super::args::Profiles;
use super::{choice, lock, profile_tests, say};

/// Runs one of the subcommands.
pub fn run(command: &Profiles) -> ExitCode {
    match command {
        Profiles::List => say::answer(Ok(list())),
        Profiles::Show { name, resolved: false, .. } => say::answer(text(name)),
        Profiles::Show { name, resolved: true, set } => say::answer(resolved(name, set)),
        Profiles::Schema => say::answer(Ok(include_str!("../../profiles/schema.json").to_owned())),
        Profiles::Lint { files } => {
            ExitCode::from(files.iter().map(|file| lint(file)).max().unwrap_or_default())
        }
        Profiles::Test { file } => profile_tests::run(file),
        Profiles::Lock { choice, check } => lock::run(choice, *check),
    }
}

fn list() -> String {
    let mut out = String::new();
    for (name, text) in embedded::PROFILES {
        let file = load::parse(name, text).ok().map(|(file, _)| file);
        let about = file.as_ref().and_then(|file| file.about.clone()).unwrap_or_default();
        let version = file.as_ref().and_then(|file| file.version.clone()).unwrap_or_default();
        let about = about.lines().next().unwrap_or_default();
        out.push_str(&format!("{name:<18} {version:<8} {about}\n"));
    }
    out
}

fn text(name: &str) -> Result<String, Diagnostic> {
    match embedded::text(name) {
        Some(text) => Ok(text.to_owned()),
        None => {
            let loaded = choice::load(&[name.to_owned()])?;
            Ok(loaded.files.last().map(|file| file.text.clone()).unwrap_or_default())
        }
    }
}

/// Every rule that a profile comes down to, one line each with how it stands, and
/// the parameters with their values.
fn resolved(name: &str, set: &[String]) -> Result<String, Diagnostic> {
    let loaded = choice::load_with_checks(&[name.to_owned()])?;
    let mut params = loaded.params()?;
    choice::command_line(&mut params, set)?;
    let rules = compile::compile(&loaded, &params)?;
    let mut out = String::from("parameters\n");
    for (name, param) in params.iter() {
        let value = param.value.as_ref().map_or("unset".to_owned(), ToString::to_string);
        out.push_str(&format!("  {name} = {value}  ({}, profile {})\n", param.origin, param.profile));
    }
    out.push_str("rules\n");
    for rule in rules {
        let state = rule.inactive.map_or(String::new(), |reason| format!("  [inactive: {reason}]"));
        let kind = if rule.only_checks { ", a check" } else { "" };
        out.push_str(&format!("  {}  ({}{kind})  {}{state}\n", rule.id, rule.profile, rule.title));
        for part in &rule.parts {
            for edit in &part.edits {
                out.push_str(&format!("      {}\n", edit.operation.in_words()));
            }
        }
    }
    Ok(out)
}

/// Tells what is wrong with a profile; the exit code.
fn lint(name: &str) -> u8 {
    let checked = choice::load_with_checks(&[name.to_owned()]).and_then(|loaded| {
        let params = loaded.params()?;
        builtin::matchers(&compile::compile_for_check(&loaded, &params)?, true)?;
        Ok(loaded)
    });
    let loaded = match checked {
        Ok(loaded) => loaded,
        Err(error) => {
            let code = error.class.exit_code().max(2);
            say::diagnostics(&[error]);
            return code;
        }
    };
    let findings: Vec<Diagnostic> =
        loaded.files.last().map(|file| lint::findings(file, &today())).unwrap_or_default();
    say::diagnostics(&findings);
    u8::from(!findings.is_empty())
}

/// Today's date in UTC, `YYYY-MM-DD`.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs());
    let (year, month, day) = civil_from_days((seconds / 86_400) as i64);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Days since 1970-01-01 → year, month, day. Source: H. Hinnant,
/// <https://howardhinnant.github.io/date_algorithms.html#civil_from_days>.
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::civil_from_days;

    #[test]
    fn days_become_dates() {
        assert_eq!(civil_from_days(0), (1970, 1, 1));
        assert_eq!(civil_from_days(19_782), (2024, 2, 29));
        assert_eq!(civil_from_days(20_787), (2026, 11, 30));
    }
}
