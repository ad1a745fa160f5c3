//! Block scalars: their exact span, and the forms that Kubernetes' reader reads
//! in another way.

use std::ops::Range;

use super::ParseError;

/// From the block scalar's indicator to behind its last line. `event_end` may lie
/// in the indentation of the next token and behind blank lines. An explicit
/// indentation counts from column `parent`.
pub(super) fn span(text: &str, start: usize, event_end: usize, parent: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let mut end = event_end.min(bytes.len());
    let header_end = memchr::memchr2(b'\n', b'#', &bytes[start..]).map_or(bytes.len(), |at| start + at);
    let header = &bytes[start..header_end];
    let indent = match header.iter().find(|byte| byte.is_ascii_digit()) {
        Some(digit) => parent + usize::from(digit - b'0'),
        None => first_indent(bytes.get(header_end..end).unwrap_or_default()),
    };
    let line_start = memchr::memrchr(b'\n', &bytes[start..end]).map_or(start, |at| start + at + 1);
    let is_last = end == bytes.len();
    let rest = &bytes[line_start..end];
    if is_blank(rest) && !(is_last && holds_text(rest, indent)) {
        end = line_start;
    }
    if !header.contains(&b'+') {
        // Clip and strip drop the blank lines at the end: they are not content.
        while let Some(before) = end.checked_sub(1).filter(|last| bytes[*last] == b'\n') {
            let line = memchr::memrchr(b'\n', &bytes[start..before]).map(|at| start + at + 1);
            match line {
                Some(line) if is_blank(&bytes[line..before]) && !holds_text(&bytes[line..before], indent) => {
                    end = line
                }
                _ => break,
            }
        }
    }
    start..end
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}

/// Whether blanks go on behind the indentation: they are text.
fn holds_text(line: &[u8], indent: usize) -> bool {
    let spaces = line.iter().take_while(|byte| **byte == b' ').count();
    spaces > indent || (spaces == indent && line.get(spaces) == Some(&b'\t'))
}

/// The indentation of the first line behind the header that is more than spaces.
fn first_indent(body: &[u8]) -> usize {
    body.split(|byte| *byte == b'\n')
        .skip(1)
        .map(|line| (line.iter().take_while(|byte| **byte == b' ').count(), line))
        .find(|(spaces, line)| !matches!(line.get(*spaces), None | Some(b'\r')))
        .map_or(usize::MAX, |(spaces, _)| spaces)
}

/// Refuses a block scalar that Kubernetes' reader refuses or cuts short.
pub(super) fn check(text: &str, span: &Range<usize>, is_root: bool) -> Result<(), ParseError> {
    let source = &text[span.clone()];
    let mut lines = source.split_inclusive(['\n', '\r']);
    let header = lines.next().unwrap_or(source);
    let indicators = header.split('#').next().unwrap_or(header);
    // Where the header does not say the indentation, the first text does.
    let mut leading = !indicators.bytes().any(|byte| byte.is_ascii_digit());
    let mut offset = span.start + header.len();
    for line in lines {
        let content = line.trim_start_matches(' ');
        if leading && content.starts_with('\t') {
            return Err(ParseError::new(offset, "a block scalar begins with a tab")
                .with_help("say its indentation behind the `|` or `>`, or quote the text"));
        }
        let is_blank = content.trim_end_matches(['\r', '\n']).is_empty();
        leading &= is_blank;
        if is_root && !is_blank && content.len() == line.len() {
            return Err(ParseError::new(offset, "the text of a block scalar is not indented"));
        }
        offset += line.len();
    }
    Ok(())
}
