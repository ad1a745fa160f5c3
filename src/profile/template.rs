//! References from an object that a rule adds to the object that it is made for:
//! `${.spec.selector.matchLabels}`. Parameters have no dot in front.

/// A piece of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'t> {
    /// Text as it is.
    Text(&'t str),
    /// The path of a field.
    Field(&'t str),
}

/// Whether the text refers to a field.
pub fn has_fields(text: &str) -> bool {
    pieces(text).iter().any(|piece| matches!(piece, Piece::Field(_)))
}

/// The text, cut at its references. One that is not closed is text.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("${.") {
        let Some(length) = rest[at..].find('}') else { break };
        if at > 0 {
            out.push(Piece::Text(&rest[..at]));
        }
        out.push(Piece::Field(&rest[at + 3..at + length]));
        rest = &rest[at + length + 1..];
    }
    if !rest.is_empty() {
        out.push(Piece::Text(rest));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Piece, pieces};

    #[test]
    fn texts_are_cut_at_references() {
        assert_eq!(pieces("${.a.b}"), [Piece::Field("a.b")]);
        assert_eq!(pieces("x-${.a}-${b}"), [Piece::Text("x-"), Piece::Field("a"), Piece::Text("-${b}")]);
        assert_eq!(pieces("${.a"), [Piece::Text("${.a")]);
    }
}
