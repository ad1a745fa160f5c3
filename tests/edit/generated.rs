//! Random documents in random styles: indentation, gaps, quotes, comments, blank
//! lines, anchors and flow collections as nobody would mix them, each then
//! edited at random.

use germ_post::edit::{EditError, Operation};
use germ_post::yaml::parse;
use proptest::prelude::*;

use crate::checks::check;
use crate::random::{config, patch, seed};

/// Numbers that decide everything; zeros when they run out, so that a shorter
/// tape is a simpler document.
struct Writer<'t> {
    tape: std::slice::Iter<'t, u8>,
    out: String,
    line_break: &'static str,
    anchors: usize,
    /// Anchors of mappings that are complete.
    mappings: Vec<usize>,
    keys: usize,
}

impl Writer<'_> {
    /// A number below `limit`.
    fn pick(&mut self, limit: usize) -> usize {
        usize::from(self.tape.next().copied().unwrap_or(0)) % limit
    }

    fn one<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.pick(choices.len())]
    }

    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn blanks(&mut self, count: usize) {
        self.out.extend(std::iter::repeat_n(' ', count));
    }

    fn end_line(&mut self) {
        let comment = self.one(&["", "", "", "", " # c", "  #", " "]);
        self.push(comment);
        self.push(self.line_break);
    }

    /// Comments and blank lines in front of a child at `column`.
    fn trivia(&mut self, column: usize) {
        for _ in 0..[0, 0, 0, 1, 1, 2][self.pick(6)] {
            match self.pick(6) {
                0 => {}
                1 => self.push("# 0"),
                2 => {
                    self.blanks(column + 1);
                    self.push("# deep");
                }
                _ => {
                    self.blanks(column);
                    self.push("# own");
                }
            }
            self.push(self.line_break);
        }
    }

    fn scalar(&mut self) -> &'static str {
        const SCALARS: &[&str] = &[
            "x",
            "two words",
            "'it''s'",
            "\"d\\tq\"",
            "1",
            "0644",
            "yes",
            "~",
            "null",
            "1.5",
            "a#b",
            "\"# no\"",
            "é",
            "http://x:80/",
            "\"\"",
            "'y'",
            "-x",
        ];
        SCALARS[self.pick(SCALARS.len())]
    }

    /// A key that is new to the mapping, or now and then one that is not.
    fn key(&mut self, first: usize) {
        self.keys += 1;
        let number = if self.pick(20) == 1 { first } else { self.keys };
        match self.pick(8) {
            0 => self.push(&format!("\"k{number}\"")),
            1 => self.push(&format!("'k{number}'")),
            _ => self.push(&format!("k{number}")),
        }
    }

    fn mapping(&mut self, column: usize, depth: usize) {
        let first = self.keys + 1;
        for index in 0..=self.pick(4) {
            if index > 0 {
                self.trivia(column);
                self.blanks(column);
            }
            if !self.mappings.is_empty() && self.pick(3) == 1 {
                let at = self.pick(self.mappings.len());
                let merged = self.mappings[at];
                self.push(&format!("<<: *a{merged}"));
                self.end_line();
                continue;
            }
            let explicit = self.pick(16) == 1;
            if explicit {
                self.push("? ");
            }
            self.key(first);
            if explicit {
                self.end_line();
                self.blanks(column);
            }
            self.push(":");
            if !self.value(column, depth) {
                let more = if explicit { 1 } else { 0 };
                match self.pick(2) {
                    0 => self.below(column + 1 + self.tape.len() % 3, depth, true),
                    _ => self.below(column + more + self.tape.len() % 3, depth, false),
                }
            }
        }
    }

    /// A block collection on the lines below its key or dash.
    fn below(&mut self, column: usize, depth: usize, mapping: bool) {
        let anchored = self.pick(4) == 1;
        if anchored {
            self.anchors += 1;
            self.push(&format!(" &a{}", self.anchors));
        }
        let anchor = self.anchors;
        self.end_line();
        self.trivia(column);
        self.blanks(column);
        if mapping {
            self.mapping(column, depth - 1);
        } else {
            self.sequence(column, depth - 1);
        }
        if anchored && mapping {
            self.mappings.push(anchor);
        }
    }

    fn sequence(&mut self, column: usize, depth: usize) {
        for index in 0..=self.pick(4) {
            if index > 0 {
                self.trivia(column);
                self.blanks(column);
            }
            self.push("-");
            if !self.value(column, depth) {
                let gap = 1 + self.pick(8) / 5;
                match self.pick(6) {
                    0 => self.below(column + 1 + gap, depth, true),
                    1 => self.below(column + 1 + gap, depth, false),
                    2 => {
                        self.blanks(gap);
                        self.sequence(column + 1 + gap, depth - 1);
                    }
                    _ => {
                        self.blanks(gap);
                        self.mapping(column + 1 + gap, depth - 1);
                    }
                }
            }
        }
    }

    /// What stands on the line; false if a block collection is wanted instead.
    fn value(&mut self, column: usize, depth: usize) -> bool {
        match self.pick(12) {
            0 => {}
            1 | 2 if depth > 0 => return false,
            3 | 4 if depth > 1 => return false,
            5 => {
                self.push(" ");
                self.flow(column, 2);
            }
            6 => {
                self.block_scalar(column);
                return true;
            }
            7 if self.anchors > 0 => {
                let anchor = 1 + self.pick(self.anchors);
                self.push(&format!(" *a{anchor}"));
            }
            8 => {
                self.anchors += 1;
                let scalar = self.scalar();
                self.push(&format!(" &a{} {scalar}", self.anchors));
            }
            9 => self.push(" !!str x"),
            _ => {
                let gap = self.one(&[" ", " ", " ", "   "]);
                self.push(gap);
                let scalar = self.scalar();
                self.push(scalar);
            }
        }
        self.end_line();
        true
    }

    fn block_scalar(&mut self, column: usize) {
        let header = self.one(&[" |", " |-", " |+", " >", " >-", " >+", " | # c"]);
        self.push(header);
        self.push(self.line_break);
        let indent = column + 1 + self.pick(3);
        for _ in 0..self.pick(4) {
            let line = self.one(&["text", "  more", "# text", "", "- x", "k: v "]);
            if !line.is_empty() {
                self.blanks(indent);
            }
            self.push(line);
            self.push(self.line_break);
        }
    }

    fn flow(&mut self, column: usize, depth: usize) {
        let lines = self.pick(6) == 1;
        let pad = self.one(&["", "", " "]);
        let json = self.pick(3) == 1;
        let mapping = self.pick(2) == 1;
        self.push(if mapping { "{" } else { "[" });
        let count = self.pick(4);
        for index in 0..count {
            if index > 0 {
                self.push(",");
            }
            if lines {
                self.push(self.line_break);
                self.blanks(column + 2);
            } else if index > 0 {
                self.push(" ");
            } else {
                self.push(pad);
            }
            if mapping {
                self.keys += 1;
                let quote = if json { "\"" } else { "" };
                self.push(&format!("{quote}k{}{quote}: ", self.keys));
            }
            if depth > 0 && self.pick(3) == 1 {
                self.flow(column + 2, depth - 1);
            } else if json {
                let scalar = self.one(&["\"x\"", "1", "null", "true"]);
                self.push(scalar);
            } else {
                let scalar = self.scalar();
                self.push(scalar);
            }
        }
        if lines {
            self.push(self.line_break);
            self.blanks(column + 1);
        } else if count > 0 {
            self.push(pad);
        }
        self.push(if mapping { "}" } else { "]" });
    }
}

fn document(tape: &[u8]) -> String {
    let mut writer = Writer {
        tape: tape.iter(),
        out: String::new(),
        line_break: "\n",
        anchors: 0,
        mappings: Vec::new(),
        keys: 0,
    };
    if writer.pick(6) == 1 {
        writer.line_break = "\r\n";
    }
    let cut = writer.pick(5) == 1;
    writer.trivia(0);
    if writer.pick(5) == 1 {
        writer.sequence(0, 3);
    } else {
        writer.mapping(0, 4);
    }
    writer.trivia(0);
    let line_break = writer.line_break;
    let out = writer.out;
    if cut { out.strip_suffix(line_break).unwrap_or(&out).to_owned() } else { out }
}

/// Why an edit of such a document may be refused.
fn refused(text: &str, operations: &[Operation], error: &EditError) {
    use germ_post::edit::Refusal::*;
    let fair = match error.kind {
        Shared { .. } => text.contains('*'),
        Inherited => text.contains("<<"),
        OpenBlockScalar => !text.ends_with('\n'),
        CommentWouldBecomeText => text.contains('#'),
        _ => false,
    };
    assert!(fair, "{error} at {}\n{operations:#?}\n{text}", error.offset);
}

proptest! {
    #![proptest_config(config(4000))]
    #[test]
    fn any_document(tape in prop::collection::vec(any::<u8>(), 0..160), seeds in prop::collection::vec(seed(), 1..4)) {
        let text = document(&tape);
        // One in twenty-five has an alias to nothing or a value on a wrong line.
        let readable = parse(&text).is_ok_and(|tree| tree.root().is_some() && tree.read().is_ok());
        if !readable {
            return Ok(());
        }
        let operations = patch(&text, &seeds);
        if let Err(error) = check(&text, &operations) {
            refused(&text, &operations, &error);
        }
    }
}
