//! The details of an object behind a fold of Markdown, which can be cut where they are
//! longer than a comment may be.

use std::fmt::Write as _;

use super::budget::Budget;
use crate::report::human::counted;

/// An object's details, which can be cut between lines.
#[derive(Debug)]
pub struct Detail {
    /// The line that is always seen, as HTML.
    pub title: String,
    /// The lines of a diff.
    pub lines: Vec<String>,
    /// What stands around them.
    pub fence: String,
}

impl Detail {
    /// The details as Markdown.
    pub fn text(&self) -> String {
        let mut out = format!("<details><summary>{}</summary>\n\n", self.title);
        if !self.lines.is_empty() {
            let _ = writeln!(out, "{}diff\n{}\n{}", self.fence, self.lines.join("\n"), self.fence);
        }
        out.push_str("\n</details>\n");
        out
    }

    /// The details from a line on.
    pub fn part(&self, from: usize) -> Detail {
        Detail { title: self.title.clone(), lines: self.lines[from..].to_vec(), fence: self.fence.clone() }
    }

    /// The details in two.
    pub fn at(&self, lines: usize) -> (Detail, Detail) {
        let first = Detail {
            title: self.title.clone(),
            lines: self.lines[..lines].to_vec(),
            fence: self.fence.clone(),
        };
        let mut second = self.part(lines);
        if !second.title.ends_with(", continued") {
            second.title.push_str(", continued");
        }
        (first, second)
    }

    /// How many lines have room.
    pub fn fitting(&self, budget: &Budget, room: usize) -> usize {
        let frame = budget.size(&self.part(self.lines.len()).text()) + 2 * (budget.size(&self.fence) + 6);
        let mut left = room.saturating_sub(frame);
        let mut lines = 0;
        for line in &self.lines {
            match left.checked_sub(budget.size(line) + 1) {
                Some(rest) => left = rest,
                None => break,
            }
            lines += 1;
        }
        lines
    }

    /// As much of the details as has room, and how much is not there.
    pub fn start(&self, budget: &Budget, room: usize) -> String {
        const SAID: usize = 60;
        let lines = self.fitting(budget, room.saturating_sub(SAID));
        if lines == 0 {
            return String::new();
        }
        let (mut first, second) = self.at(lines);
        if !second.lines.is_empty() {
            first.lines.push(format!("@@ {} left out @@", counted(second.lines.len(), "line")));
        }
        first.text()
    }
}

/// A fence that nothing in the lines ends.
pub fn fence(lines: &[String]) -> String {
    let longest = lines.iter().flat_map(|line| line.split(|c| c != '`')).map(str::len).max().unwrap_or(0);
    "`".repeat(longest.max(2) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_fence() {
        assert_eq!(fence(&["a".to_owned()]), "```");
        assert_eq!(fence(&["a ``` b".to_owned(), "````` c".to_owned()]), "``````");
    }
}
