//! A unified diff of the texts, as `git apply` and `patch` take it. What must not be
//! shown is named in front of it, where these programs look for nothing.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};

use super::{human, lines};
use crate::compare::Options;
use crate::compare::fleet::Fleet;
use crate::compare::patch;

/// The report, with so many lines of context.
pub fn render(fleet: &Fleet, options: &Options, context: usize, colour: bool) -> String {
    let mut out = String::new();
    for group in fleet.groups.iter().filter(|group| !group.compared.comparison.is_same()) {
        if !group.targets.is_empty() {
            let _ = writeln!(out, "# {}", human::targets(fleet, group));
        }
        let patch = patch::patch(&group.compared, options, context);
        for line in &patch.left_out {
            let _ = writeln!(out, "# {line}");
        }
        for object in group.compared.comparison.objects.iter().filter(|object| object.confidential) {
            for change in &object.changes {
                let _ = writeln!(out, "#   {}", change.path);
                for line in lines::of_change(change, 0) {
                    let _ = writeln!(out, "#   {} {}", line.sign.as_char(), line.text);
                }
            }
        }
        for file in &patch.files {
            of_file(file, colour, &mut out);
        }
    }
    out
}

fn of_file(file: &patch::FilePatch, colour: bool, out: &mut String) {
    let mut line = |style: Style, text: &str, ends: bool| {
        let _ = match colour {
            true => write!(out, "{style}{text}{style:#}"),
            false => write!(out, "{text}"),
        };
        out.push('\n');
        if !ends {
            out.push_str("\\ No newline at end of file\n");
        }
    };
    let bold = Style::new().bold();
    let name = |side: &str, name: &Option<String>| {
        name.as_ref().map_or("/dev/null".to_owned(), |name| format!("{side}/{name}"))
    };
    line(bold, &format!("--- {}", name("a", &file.old)), true);
    line(bold, &format!("+++ {}", name("b", &file.new)), true);
    for hunk in &file.hunks {
        let ((old, old_lines), (new, new_lines)) = (hunk.old, hunk.new);
        line(AnsiColor::Cyan.on_default(), &format!("@@ -{old},{old_lines} +{new},{new_lines} @@"), true);
        for (sign, text) in &hunk.lines {
            let style = match sign {
                '-' => AnsiColor::Red.on_default(),
                '+' => AnsiColor::Green.on_default(),
                _ => Style::new(),
            };
            let ends = text.ends_with('\n');
            line(style, &format!("{sign}{}", text.strip_suffix('\n').unwrap_or(text)), ends);
        }
    }
}
