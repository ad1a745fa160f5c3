//! Where a node stands: the indicators, the anchor and the tag in front of it,
//! found by scanning the bytes between two events.

use std::ops::Range;

use super::builder::{Builder, Open, Plain};
use super::trivia::{Tabs, check_tabs, skip_trivia};
use super::{ParseError, strict};
use crate::yaml::tree::NodeId;

/// The properties of a node as the event tells them.
pub(super) struct Properties<'t> {
    pub(super) anchor_id: usize,
    pub(super) tag: Option<&'t granit_parser::Tag>,
}

/// Where a node stands, found by scanning the bytes in front of it.
pub(super) struct Position {
    pub(super) dash: Option<usize>,
    pub(super) question: Option<usize>,
    pub(super) colon: Option<usize>,
    pub(super) anchor: Option<Range<usize>>,
    pub(super) tag: Option<Range<usize>>,
    /// First byte of the content, or where it would be.
    pub(super) content: usize,
}

/// Blanks and comments that were skipped and found right.
#[derive(Clone, Copy)]
pub(super) struct Skipped {
    start: usize,
    end: usize,
    tabs: Tabs,
    plain: bool,
}

impl Builder<'_> {
    /// Whether what comes next stands between brackets.
    pub(super) fn in_flow(&self) -> bool {
        matches!(self.open.last(), Some(Open::Sequence { flow: true, .. } | Open::Mapping { flow: true, .. }))
    }

    /// The innermost block collection that is open.
    pub(super) fn block(&self) -> Option<NodeId> {
        self.blocks.last().copied()
    }

    /// The column from which on a line stands inside a block collection; 0 without
    /// one.
    pub(super) fn indent(&self, block: Option<NodeId>) -> usize {
        block.map_or(0, |node| {
            let before = &self.text[..self.nodes[node.index()].span.start];
            before.chars().rev().take_while(|c| !matches!(c, '\n' | '\r')).count() + 1
        })
    }

    /// Skips what stands behind the node that came last.
    pub(super) fn skip_behind_node(&self) -> Result<usize, ParseError> {
        let tabs = match self.nodes.last() {
            None => Tabs::Nowhere,
            Some(_) if self.in_flow() => Tabs::Anywhere,
            Some(_) => Tabs::BehindText,
        };
        self.skip(self.cursor, tabs, self.plain.filter(|plain| plain.end == self.cursor))
    }

    /// Skips what stands in front of the next token, if it has no tab in a place
    /// where Kubernetes' reader does not take one.
    fn skip(&self, at: usize, tabs: Tabs, behind: Option<Plain>) -> Result<usize, ParseError> {
        let plain = behind.is_some();
        if let Some(skipped) = self.skipped.get()
            && (skipped.start, skipped.tabs, skipped.plain) == (at, tabs, plain)
        {
            return Ok(skipped.end);
        }
        let end = skip_trivia(self.text, at);
        if memchr::memchr(b'\t', &self.text.as_bytes()[at..end]).is_some() {
            let plain_indent = behind.map(|plain| self.indent(plain.block));
            check_tabs(self.text, at..end, tabs, plain_indent)?;
        }
        self.skipped.set(Some(Skipped { start: at, end, tabs, plain }));
        Ok(end)
    }

    /// Scans from the cursor to where the next node's content begins, over blanks,
    /// comments, one indicator and the node's own properties. An absent scalar
    /// lies right behind the indicator or its properties.
    pub(super) fn position(&self, properties: &Properties<'_>, absent: bool) -> Result<Position, ParseError> {
        let bytes = self.text.as_bytes();
        let mut position =
            Position { dash: None, question: None, colon: None, anchor: None, tag: None, content: 0 };
        let in_flow = self.in_flow();
        // No tab where a key may begin: behind `-`, `?` and the colon of a `?`.
        let key_follows = if in_flow { Tabs::Anywhere } else { Tabs::Nowhere };
        let text_precedes = if in_flow { Tabs::Anywhere } else { Tabs::BehindText };
        let mut at = self.cursor;
        let mut next = self.skip_behind_node()?;
        let pass = |at: &mut usize, next: &mut usize, tabs| {
            *at = *next + 1;
            *next = self.skip(*at, tabs, None)?;
            Ok(*at - 1)
        };
        match self.open.last() {
            None => {}
            Some(Open::Sequence { flow: true, .. }) if bytes.get(next) == Some(&b',') => {
                pass(&mut at, &mut next, text_precedes)?;
            }
            Some(Open::Sequence { flow: true, .. }) => {}
            Some(Open::Sequence { flow: false, .. }) => {
                if bytes.get(next) != Some(&b'-') {
                    return Err(self.lost(next));
                }
                position.dash = Some(pass(&mut at, &mut next, key_follows)?);
            }
            Some(Open::Mapping { flow, pending: None, node }) => {
                if *flow && bytes.get(next) == Some(&b',') && self.has_brace(*node) {
                    pass(&mut at, &mut next, text_precedes)?;
                }
                if bytes.get(next) == Some(&b'?') && is_blank_or_end(bytes.get(next + 1)) {
                    position.question = Some(pass(&mut at, &mut next, key_follows)?);
                }
            }
            Some(Open::Mapping { pending: Some(key), .. }) if bytes.get(next) == Some(&b':') => {
                let tabs = if key.question.is_some() { key_follows } else { text_precedes };
                position.colon = Some(pass(&mut at, &mut next, tabs)?);
            }
            Some(Open::Mapping { pending: Some(_), .. }) => {}
        }
        let mut wants_anchor = properties.anchor_id != 0;
        let mut wants_tag = properties.tag.is_some();
        let behind_indicator = at;
        while (wants_anchor && bytes.get(next) == Some(&b'&'))
            || (wants_tag && bytes.get(next) == Some(&b'!'))
        {
            let end = property_end(bytes, next, in_flow);
            if bytes[next] == b'&' {
                strict::anchor(self.text, &(next..end))?;
                position.anchor = Some(next..end);
                wants_anchor = false;
            } else {
                strict::tag(self.text, &(next..end))?;
                position.tag = Some(next..end);
                wants_tag = false;
            }
            at = end;
            next = self.skip(at, text_precedes, None)?;
        }
        if wants_anchor || wants_tag {
            return Err(self.lost(behind_indicator));
        }
        position.content = if absent { at } else { next };
        Ok(position)
    }
}

fn property_end(bytes: &[u8], start: usize, in_flow: bool) -> usize {
    if bytes[start..].starts_with(b"!<") {
        return memchr::memchr(b'>', &bytes[start..]).map_or(bytes.len(), |at| start + at + 1);
    }
    let ends = |byte: &u8| match byte {
        b' ' | b'\t' | b'\n' | b'\r' => true,
        b',' | b'[' | b']' | b'{' | b'}' => in_flow,
        _ => false,
    };
    bytes[start..].iter().position(ends).map_or(bytes.len(), |length| start + length)
}

fn is_blank_or_end(byte: Option<&u8>) -> bool {
    matches!(byte, None | Some(b' ' | b'\t' | b'\n' | b'\r'))
}
