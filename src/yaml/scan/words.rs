//! Looking for bytes eight at a time. Most runs in a manifest are shorter than
//! the cost of calling a vector search, so that the searches start with words
//! and call `memchr` only for what is long.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;
const SPACES: u64 = ONES * b' ' as u64;

/// How many words are tried before `memchr` is called.
const WORDS: usize = 4;

/// How many spaces stand at `at`.
#[inline]
pub(super) fn spaces(bytes: &[u8], at: usize) -> usize {
    let mut count = 0;
    while let Some(word) = word(bytes, at + count) {
        let other = word ^ SPACES;
        if other != 0 {
            return count + other.trailing_zeros() as usize / 8;
        }
        count += 8;
    }
    while bytes.get(at + count) == Some(&b' ') {
        count += 1;
    }
    count
}

/// Where the line that `at` stands in ends: its `\n`, or the end of the text.
#[inline]
pub(super) fn line_feed(bytes: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &bytes[at.min(bytes.len())..]).map_or(bytes.len(), |found| at + found)
}

/// The next `\n`, `:` or `#` from `at` on, or the end of the text.
#[inline]
pub(super) fn text_stop(bytes: &[u8], mut at: usize) -> usize {
    for _ in 0..WORDS {
        let Some(word) = word(bytes, at) else { break };
        let hits = equal(word, b'\n') | equal(word, b':') | equal(word, b'#');
        if hits != 0 {
            return at + hits.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    memchr::memchr3(b'\n', b':', b'#', rest).map_or(bytes.len(), |found| at + found)
}

/// Where the name of an anchor ends, if there is one of the plain kind.
pub(super) fn name_end(bytes: &[u8], at: usize) -> Option<usize> {
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let length = bytes.get(at..)?.iter().take_while(is_name).count();
    let ends = matches!(bytes.get(at + length), None | Some(b' ' | b'\n' | b',' | b']' | b'}'));
    (length > 0 && ends).then_some(at + length)
}

#[inline]
fn word(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk::<8>().map(|chunk| u64::from_le_bytes(*chunk))
}

/// A high bit for each byte equal to `byte`. Bytes above the first hit may be
/// marked wrongly; the first hit never is.
#[inline]
fn equal(word: u64, byte: u8) -> u64 {
    let zero_where_equal = word ^ (ONES * u64::from(byte));
    zero_where_equal.wrapping_sub(ONES) & !zero_where_equal & HIGHS
}
