//! Block scalars: their exact span, and the forms that Kubernetes' reader reads
//! in another way.

use std::ops::Range;

use super::ParseError;

/// From the block scalar's indicator to behind its last line. `event_end` may lie
/// in the indentation of the next token and behind blank lines.
pub(super) fn span(text: &str, start: usize, event_end: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let mut end = event_end.min(bytes.len());
    let line_start = memchr::memrchr(b'\n', &bytes[start..end]).map_or(start, |at| start + at + 1);
    if bytes[line_start..end].iter().all(|b| matches!(b, b' ' | b'\t')) {
        end = line_start;
    }
    let header_end = memchr::memchr2(b'\n', b'#', &bytes[start..]).map_or(bytes.len(), |at| start + at);
    if !bytes[start..header_end].contains(&b'+') {
        // Clip and strip drop the blank lines at the end: they are not content.
        while let Some(before) = end.checked_sub(1).filter(|last| bytes[*last] == b'\n') {
            let line = memchr::memrchr(b'\n', &bytes[start..before]).map(|at| start + at + 1);
            match line {
                Some(line) if bytes[line..before].iter().all(|b| matches!(b, b' ' | b'\t' | b'\r')) => {
                    end = line
                }
                _ => break,
            }
        }
    }
    start..end
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
