//! Lines and columns of many places in one text. Counting from the start of the
//! text for each of them would take quadratic time in all.

/// Bytes between two places that are known.
const BLOCK: usize = 4096;

/// What stands in front of a block.
#[derive(Debug, Clone, Copy)]
struct Mark {
    /// Line breaks.
    breaks: usize,
    /// Characters on the line that the block begins in.
    characters: usize,
}

/// Known places of one text.
#[derive(Debug)]
pub(super) struct LineIndex {
    marks: Vec<Mark>,
}

impl LineIndex {
    /// Looks at the whole text once.
    pub(super) fn new(text: &str) -> Self {
        let mut mark = Mark { breaks: 0, characters: 0 };
        let mut marks = vec![mark];
        for block in text.as_bytes().chunks(BLOCK) {
            mark = behind(mark, block);
            marks.push(mark);
        }
        Self { marks }
    }

    /// The 1-based line and column (in characters) of a byte offset in the text
    /// that the index was made of.
    pub(super) fn line_and_column(&self, text: &str, offset: usize) -> (usize, usize) {
        let offset = offset.min(text.len());
        let block = offset / BLOCK;
        let mark = self.marks.get(block).copied().unwrap_or(Mark { breaks: 0, characters: 0 });
        let mark = behind(mark, text.as_bytes().get(block * BLOCK..offset).unwrap_or_default());
        (mark.breaks + 1, mark.characters + 1)
    }
}

/// The mark behind `bytes` that follow `mark`.
fn behind(mark: Mark, bytes: &[u8]) -> Mark {
    let characters = |bytes: &[u8]| bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
    match memchr::memrchr(b'\n', bytes) {
        Some(last) => Mark {
            breaks: mark.breaks + memchr::memchr_iter(b'\n', bytes).count(),
            characters: characters(&bytes[last + 1..]),
        },
        None => Mark { characters: mark.characters + characters(bytes), ..mark },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::stream::line_and_column;

    #[test]
    fn it_counts_as_one_would_from_the_start() {
        let line = "é: wide\n".repeat(700) + &"x€".repeat(3000) + "\n\n";
        let text = line.repeat(3);
        let index = LineIndex::new(&text);
        for offset in (0..=text.len()).filter(|offset| text.is_char_boundary(*offset)).step_by(13) {
            assert_eq!(index.line_and_column(&text, offset), line_and_column(&text, offset), "{offset}");
        }
        assert_eq!(index.line_and_column(&text, text.len() + 9), line_and_column(&text, text.len()));
        let whole = "a\n".repeat(BLOCK);
        assert_eq!(LineIndex::new(&whole).line_and_column(&whole, whole.len()), (BLOCK + 1, 1));
    }
}
