//! Errors and warnings as values: what is wrong, where, why, and what to do
//! next. Rendering them is [`crate::report::human`]'s job, exiting the command
//! line's. No diagnostic ever carries text of a document that may be a Secret.

use std::fmt;

/// What a diagnostic means for the run; decides the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file's name as the user knows it, `<stdin>` for the stream.
    pub file: String,
    /// 1-based.
    pub line: usize,
    /// 1-based, in characters.
    pub column: usize,
    /// The source line and the length of the caret run in it (in characters);
    /// absent where the line must not be shown.
    pub shown: Option<(String, usize)>,
}

impl Place {
    /// The place of a byte range in a text whose lines may be shown.
    pub fn in_text(file: &str, text: &str, range: std::ops::Range<usize>) -> Self {
        let mut place = Self::hidden(file, text, range.start);
        let start = range.start.min(text.len());
        let line_start = memchr::memrchr(b'\n', &text.as_bytes()[..start]).map_or(0, |at| at + 1);
        let line = text[line_start..].lines().next().unwrap_or("").to_owned();
        let on_line = text.get(range.start..range.end.min(line_start + line.len())).unwrap_or("");
        place.shown = Some((line, on_line.chars().count().max(1)));
        place
    }

    /// The place of a byte offset in a text whose lines must not be shown.
    pub fn hidden(file: &str, text: &str, offset: usize) -> Self {
        let (line, column) = crate::yaml::stream::line_and_column(text, offset);
        Self { file: file.to_owned(), line, column, shown: None }
    }
}

/// One error or warning.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    fn suggests_the_nearest_name_and_nothing_far_off() {
        let names = ["talos", "talos-os", "k3s-kpr"];
        assert_eq!(did_you_mean("talso", names), Some("talos"));
        assert_eq!(did_you_mean("talos-so", names), Some("talos-os"));
        assert_eq!(did_you_mean("openshift", names), None);
    }
}
