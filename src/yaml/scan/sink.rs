//! What the scan tells while it passes over a document, so that a tree can be
//! built on the way. The scan by itself tells it to nobody, which costs nothing.

use std::ops::Range;

use super::literal::BlockScalar;
use super::quoted::Quoted;
use crate::yaml::tree::ScalarStyle;

/// A collection that opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::yaml) enum Collection {
    Mapping,
    Sequence,
}

/// Hears what the scan passes, in the order of the text. What is told before the
/// scan gives up is void. All numbers are byte offsets.
pub(in crate::yaml) trait Sink<'s> {
    /// Whether it follows anchors and aliases. What nobody follows is not vouched for:
    /// aliases can stand for more than a document may hold.
    const ANCHORS: bool = false;

    /// A collection opens at its first key or dash, or at its bracket.
    fn open(&mut self, _collection: Collection, _flow: bool, _start: usize) {}
    /// The innermost collection closes; a flow collection ends at `end`.
    fn close(&mut self, _end: Option<usize>) {}
    /// A key, its quotes in `range` but not in `name`, and its colon.
    fn key(&mut self, _name: &'s str, _style: ScalarStyle, _range: Range<usize>, _colon: usize) {}
    /// A dash.
    fn dash(&mut self, _at: usize) {}
    /// The first line of a plain scalar; blanks may stand at its end.
    fn plain(&mut self, _range: Range<usize>) -> Option<()> {
        Some(())
    }
    /// Another line of it.
    fn more_plain(&mut self, _range: Range<usize>) {}
    /// A quoted scalar.
    fn quoted(&mut self, _start: usize, _quoted: &Quoted) -> Option<()> {
        Some(())
    }
    /// The anchor of the node that comes next.
    fn anchor(&mut self, _range: Range<usize>) {}
    /// An alias.
    fn alias(&mut self, _range: Range<usize>) -> Option<()> {
        Some(())
    }
    /// A block scalar in a collection that stands in column `_parent`.
    fn block_scalar(&mut self, _start: usize, _scalar: &BlockScalar, _parent: usize) -> Option<()> {
        Some(())
    }
}

/// Nobody.
impl Sink<'_> for () {}
