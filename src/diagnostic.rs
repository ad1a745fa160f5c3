//! Errors and warnings as values: what is wrong, where, why, and what to do
//! next. Rendering them is [`crate::report::human`]'s job, exiting the command
//! line's. No diagnostic ever carries text of a document that may be a Secret.

use std::fmt;

use crate::yaml::Stream;

/// What a diagnostic means for the run; decides the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Worth saying; the run goes on.
    Warning,
    /// Usage, input or profile: exit code 2.
    Input,
    /// A rule could not do what it must: exit code 3.
    Contract,
    /// The proof refused our own result: exit code 4.
    Proof,
}

impl Class {
    /// The process's exit code when this is the worst class met.
    pub fn exit_code(self) -> u8 {
        match self {
            Class::Warning => 0,
            Class::Input => 2,
            Class::Contract => 3,
            Class::Proof => 4,
        }
    }
}

/// A place in a text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    /// The file's name as the user knows it, `<stdin>` for the stream.
    pub file: String,
    /// 1-based.
    pub line: usize,
    /// 1-based, in characters.
    pub column: usize,
    /// The source line and the length of the caret run in it (in characters);
    /// absent where the line must not be shown, or is too long to be.
    pub shown: Option<(String, usize)>,
}

impl Place {
    /// The place of a byte range in a text whose lines may be shown.
    pub fn in_text(file: &str, text: &str, range: std::ops::Range<usize>) -> Self {
        let mut place = Self::hidden(file, text, range.start);
        place.shown = shown_line(text, range);
        place
    }

    /// The place of a byte range in a stream whose lines may be shown.
    pub fn in_stream(file: &str, stream: &Stream<'_>, range: std::ops::Range<usize>) -> Self {
        let mut place = Self::hidden_in_stream(file, stream, range.start);
        place.shown = shown_line(stream.text(), range);
        place
    }

    /// The place of a byte offset in a stream whose lines must not be shown.
    pub fn hidden_in_stream(file: &str, stream: &Stream<'_>, offset: usize) -> Self {
        let (line, column) = stream.line_and_column(offset);
        Self { file: file.to_owned(), line, column, shown: None }
    }

    /// The place of a byte offset in a text whose lines must not be shown.
    pub fn hidden(file: &str, text: &str, offset: usize) -> Self {
        let (line, column) = crate::yaml::stream::line_and_column(text, offset);
        Self { file: file.to_owned(), line, column, shown: None }
    }
}

/// Longest line, in bytes to either side of a place, that is shown.
const LONGEST_SHOWN: usize = 1000;

/// The line of a byte range and the length of the caret run in it, unless the line
/// is longer than anybody reads.
fn shown_line(text: &str, range: std::ops::Range<usize>) -> Option<(String, usize)> {
    let bytes = text.as_bytes();
    let start = range.start.min(bytes.len());
    let floor = start.saturating_sub(LONGEST_SHOWN);
    let line_start = match memchr::memrchr(b'\n', &bytes[floor..start]) {
        Some(at) => floor + at + 1,
        None if floor == 0 => 0,
        None => return None,
    };
    let ceiling = bytes.len().min(start + LONGEST_SHOWN);
    let line_end = match memchr::memchr(b'\n', &bytes[start..ceiling]) {
        Some(at) => start + at,
        None if ceiling == bytes.len() => ceiling,
        None => return None,
    };
    let line = text.get(line_start..line_end)?;
    let line = line.strip_suffix('\r').unwrap_or(line).to_owned();
    let on_line = text.get(range.start..range.end.min(line_start + line.len())).unwrap_or("");
    let length = on_line.chars().count().max(1);
    Some((line, length))
}

/// One error or warning.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    /// Stable code in kebab case, e.g. `rule-missed`.
    pub code: &'static str,
    /// What it means for the run.
    pub class: Class,
    /// What is wrong, in one line.
    pub message: String,
    /// Where.
    pub place: Option<Place>,
    /// The rule at fault, if one is.
    pub rule: Option<String>,
    /// The object concerned, e.g. `DaemonSet kube-system/cilium`.
    pub object: Option<String>,
    /// The path in the object.
    pub path: Option<String>,
    /// Causes and background.
    pub notes: Vec<String>,
    /// The next steps.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// A diagnostic with nothing but a code, a class and a message.
    pub fn new(code: &'static str, class: Class, message: impl Into<String>) -> Self {
        Self {
            code,
            class,
            message: message.into(),
            place: None,
            rule: None,
            object: None,
            path: None,
            notes: Vec::new(),
            help: Vec::new(),
        }
    }

    /// Exit code 2.
    pub fn input(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(code, Class::Input, message)
    }

    /// Exit code 3.
    pub fn contract(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(code, Class::Contract, message)
    }

    /// Adds the place.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// Adds the rule.
    #[must_use]
    pub fn rule(mut self, id: impl Into<String>) -> Self {
        self.rule = Some(id.into());
        self
    }

    /// Adds the object.
    #[must_use]
    pub fn object(mut self, object: impl fmt::Display) -> Self {
        self.object = Some(object.to_string());
        self
    }

    /// Adds the path in the object.
    #[must_use]
    pub fn path(mut self, path: impl fmt::Display) -> Self {
        self.path = Some(path.to_string());
        self
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds a help line.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)
    }
}

/// The name in `candidates` that `name` most likely meant, if any comes near.
pub fn did_you_mean<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    candidates
        .into_iter()
        .map(|candidate| (edit_distance(name, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= 1 + name.len().max(candidate.len()) / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Levenshtein's distance.
fn edit_distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in right.iter().enumerate() {
            let substituted = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_shown_unless_it_is_endless() {
        let text = format!("a: 1\r\nbé: 2\n{}", "x".repeat(5000));
        let at = text.find("2").unwrap();
        assert_eq!(shown_line(&text, at..at + 40), Some(("bé: 2".to_owned(), 1)));
        assert_eq!(shown_line(&text, 0..2), Some(("a: 1".to_owned(), 2)));
        assert_eq!(shown_line(&text, text.len() - 1..text.len()), None);
        assert_eq!(shown_line(&text, at + 3..at + 4), None);
        assert_eq!(shown_line("", 0..0), Some((String::new(), 1)));
    }

    #[test]
    fn suggests_the_nearest_name_and_nothing_far_off() {
        let names = ["talos", "talos-os", "k3s-kpr"];
        assert_eq!(did_you_mean("talso", names), Some("talos"));
        assert_eq!(did_you_mean("talos-so", names), Some("talos-os"));
        assert_eq!(did_you_mean("openshift", names), None);
    }
}
