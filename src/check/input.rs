//! Several files as one stream, since rules ask about objects of all of them, and
//! the way back from a place in that stream to a file.

use crate::diagnostic::{Diagnostic, Place};
use crate::rewrite::survey::Survey;

/// A file, or what came on stdin.
#[derive(Debug, Clone)]
pub struct Input {
    /// What users call it.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Several readable inputs as one stream.
#[derive(Debug, Default)]
pub struct Joined {
    bytes: Vec<u8>,
    parts: Vec<Part>,
}

#[derive(Debug)]
struct Part {
    name: String,
    /// Lines of the stream in front of it.
    lines_before: usize,
}

/// What stands between two inputs.
const SEPARATOR: &[u8] = b"---\n";

impl Joined {
    /// Joins the inputs, unless some of them cannot be read.
    pub fn new(inputs: &[Input]) -> Result<Self, Vec<Diagnostic>> {
        let errors: Vec<Diagnostic> = inputs.iter().flat_map(unreadable).collect();
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut joined = Self::default();
        let mut lines = 0;
        for input in inputs {
            if !joined.bytes.is_empty() {
                joined.bytes.extend_from_slice(SEPARATOR);
                lines += 1;
            }
            let bytes = input.bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&input.bytes);
            joined.parts.push(Part { name: input.name.clone(), lines_before: lines });
            joined.bytes.extend_from_slice(bytes);
            lines += memchr::memchr_iter(b'\n', bytes).count();
            if bytes.last().is_some_and(|last| *last != b'\n') {
                joined.bytes.push(b'\n');
                lines += 1;
            }
        }
        Ok(joined)
    }

    /// The stream.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The input that a line of the stream is from, by index, and the line in it;
    /// both lines 1-based.
    pub fn home(&self, line: usize) -> (usize, usize) {
        let behind = self.parts.partition_point(|part| part.lines_before < line);
        let index = behind.saturating_sub(1);
        (index, line - self.parts.get(index).map_or(0, |part| part.lines_before))
    }

    /// The name of an input.
    pub fn name(&self, index: usize) -> &str {
        self.parts.get(index).map_or("", |part| part.name.as_str())
    }

    /// How many inputs there are.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Turns a place in the stream into one in its file.
    pub fn bring_home(&self, place: &mut Place) {
        let (index, line) = self.home(place.line);
        self.name(index).clone_into(&mut place.file);
        place.line = line;
    }
}

/// Why an input cannot be read, for each document of it.
fn unreadable(input: &Input) -> Vec<Diagnostic> {
    let Err(errors) = Survey::new(&input.bytes) else { return Vec::new() };
    let is_template = memchr::memmem::find(&input.bytes, b"{{").is_some();
    let named = errors.into_iter().map(|mut error| {
        if let Some(place) = &mut error.place {
            input.name.clone_into(&mut place.file);
        }
        if is_template {
            error = error
                .note("it holds `{{`, as templates of charts do, and these are no YAML")
                .help("check what the chart renders: `helm template RELEASE CHART | germ-post check`");
        }
        error
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(name: &str, text: &str) -> Input {
        Input { name: name.to_owned(), bytes: text.as_bytes().to_vec() }
    }

    #[test]
    fn every_line_finds_home() {
        let joined = Joined::new(&[
            input("a", "\u{feff}a: 1\nb: 2"),
            input("empty", ""),
            input("c", "---\nc: 3\n---\nd: 4\n"),
        ])
        .unwrap();
        assert_eq!(joined.bytes(), b"a: 1\nb: 2\n---\n---\n---\nc: 3\n---\nd: 4\n");
        let home = |line| {
            let (index, line) = joined.home(line);
            (joined.name(index).to_owned(), line)
        };
        assert_eq!(home(2), ("a".to_owned(), 2));
        assert_eq!(home(6), ("c".to_owned(), 2));
        assert_eq!(home(8), ("c".to_owned(), 4));
    }

    #[test]
    fn a_template_is_told_from_a_typing_error() {
        let errors = |text: &str| Joined::new(&[input("x.yaml", text)]).unwrap_err();
        let template = errors("a: {{ .Values.a }}\nb: {{- x }}\n");
        assert!(template[0].help[0].contains("helm template"), "{template:?}");
        assert_eq!(template[0].place.as_ref().unwrap().file, "x.yaml");
        assert!(errors("a: [1\n")[0].notes.is_empty());
    }
}
