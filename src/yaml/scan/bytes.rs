//! Which bytes a vouched document may consist of. One pass over the whole text,
//! so that the rest of the scan need not think of control characters, of the
//! line breaks that only YAML 1.1 knows, or of a lone carriage return.

/// How the lines of a text end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineEnds {
    /// Only `\n`.
    Lf,
    /// At least one `\r\n`, and no `\r` elsewhere.
    SomeCrLf,
}

/// Small enough to look at again byte by byte, large enough for wide registers.
const BLOCK: usize = 64;

/// `None` when the text has a character that a plain document does not have.
pub(super) fn check(bytes: &[u8]) -> Option<LineEnds> {
    let mut ends = LineEnds::Lf;
    let mut at = 0;
    for block in bytes.chunks(BLOCK) {
        // No early exit in here: this loop becomes a few wide instructions.
        let mut unusual = false;
        for &byte in block {
            unusual |= !(byte.wrapping_sub(0x20) < 0x5f || byte == b'\n' || byte == b'\t');
        }
        if unusual && check_block(bytes, at..at + block.len())? == LineEnds::SomeCrLf {
            ends = LineEnds::SomeCrLf;
        }
        at += block.len();
    }
    Some(ends)
}

fn check_block(bytes: &[u8], range: std::ops::Range<usize>) -> Option<LineEnds> {
    let mut ends = LineEnds::Lf;
    for at in range {
        let next = |distance: usize| bytes.get(at + distance).copied();
        match bytes[at] {
            b'\r' if next(1) == Some(b'\n') => ends = LineEnds::SomeCrLf,
            b'\n' | b'\t' => {}
            0..0x20 | 0x7f => return None,
            // The C1 controls, U+0085 among them.
            0xc2 if next(1).is_some_and(|byte| byte < 0xa0) => return None,
            // U+2028 and U+2029.
            0xe2 if next(1) == Some(0x80) && matches!(next(2), Some(0xa8 | 0xa9)) => return None,
            // U+FEFF, U+FFFE, U+FFFF.
            0xef if matches!(
                (next(1), next(2)),
                (Some(0xbb), Some(0xbf)) | (Some(0xbf), Some(0xbe | 0xbf))
            ) =>
            {
                return None;
            }
            _ => {}
        }
    }
    Some(ends)
}
