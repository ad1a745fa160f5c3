//! The block collections that are open, as a small stack without allocation.

/// Deepest block nesting that is vouched for.
const MAX: usize = 100;

/// What is open at an indentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Mapping,
    Sequence,
    /// A sequence whose dashes stand in the column of the mapping around it.
    Indentless,
}

/// The open collections, outermost first.
pub(super) struct Levels {
    columns: [u16; MAX],
    kinds: [Kind; MAX],
    count: usize,
}

impl Levels {
    pub(super) fn new() -> Self {
        Self { columns: [0; MAX], kinds: [Kind::Mapping; MAX], count: 0 }
    }

    /// How many collections are open.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The kind of the collection at a depth, the root being 0.
    pub(super) fn kind(&self, depth: usize) -> Option<Kind> {
        self.kinds[..self.count].get(depth).copied()
    }

    /// The innermost kind.
    pub(super) fn top(&self) -> Option<Kind> {
        self.kind(self.count.wrapping_sub(1))
    }

    /// The innermost column; -1 around the root.
    #[inline]
    pub(super) fn column(&self) -> isize {
        match self.count.checked_sub(1).and_then(|top| self.columns.get(top)) {
            Some(&column) => column as isize,
            None => -1,
        }
    }

    /// Opens a collection; `None` when it is too deep or too far to the right.
    pub(super) fn push(&mut self, column: usize, kind: Kind) -> Option<()> {
        *self.columns.get_mut(self.count)? = u16::try_from(column).ok()?;
        *self.kinds.get_mut(self.count)? = kind;
        self.count += 1;
        Some(())
    }

    /// Closes the innermost collection.
    pub(super) fn pop(&mut self) {
        self.count = self.count.saturating_sub(1);
    }
}
