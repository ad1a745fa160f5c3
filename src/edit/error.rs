//! Why an edit was refused. An error names the operation and the place, and
//! never holds text of the document, which may be a Secret.

/// An operation that cannot be carried out without risk to the document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct EditError {
    /// Index of the operation in the list that was asked for.
    pub operation: usize,
    /// Byte offset in the document's text where the edit stopped.
    pub offset: usize,
    /// What stands in the way.
    pub kind: Refusal,
}

impl EditError {
    pub(super) fn new(operation: usize, offset: usize, kind: Refusal) -> Self {
        Self { operation, offset, kind }
    }

    /// What the user can do about it, where that is known.
    pub fn help(&self) -> Option<&'static str> {
        self.kind.help()
    }
}

/// The kinds of refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The document is empty or holds comments only.
    #[error("the document has no content to edit")]
    Empty,
    /// The path leads to nothing.
    #[error("the path of the edit leads to nothing here")]
    Missing,
    /// The path goes on below a scalar.
    #[error("the path of the edit goes on below a value that is neither a mapping nor a sequence")]
    NotACollection,
    /// The token is no index of this sequence.
    #[error("the path of the edit asks for an item that this sequence does not have")]
    BadIndex,
    /// The whole document would be removed, or replaced by something of another kind.
    #[error("the document as a whole cannot be removed or become another kind of value")]
    WholeDocument,
    /// The key comes from a merge key and can only be overridden.
    #[error("the key is inherited through the merge key `<<` and cannot be removed here")]
    Inherited,
    /// A key that no reader takes for a plain key.
    #[error("a key of this name cannot be written so that every reader agrees on it")]
    UnsafeKey,
    /// Another place of the document uses the node through an alias.
    #[error("the place is shared: an alias elsewhere in the document refers to it")]
    Shared {
        /// Byte offset of the alias.
        alias: usize,
    },
    /// Aliases expand to too many nodes.
    #[error("the aliases of this document expand to too many values")]
    TooLarge,
    /// The value of `<<` is neither a mapping nor a list of mappings.
    #[error("the merge key `<<` has a value that cannot be merged")]
    BadMerge,
    /// The text holds U+0085, U+2028, U+2029 or a carriage return of its own.
    #[error("the document has line breaks that YAML readers disagree about")]
    OddLineBreaks,
    /// A blank line with a tab follows, which only what stands there now makes readable.
    #[error("a blank line with a tab in it follows, which Kubernetes' reader takes behind plain text only")]
    TabLine,
    /// A comment stands where the edit would have to cut.
    #[error("a comment stands inside the flow collection where it would have to be cut")]
    CommentInFlow,
    /// What is left would be read as a part of the block scalar in front of it.
    #[error("the comment behind the removed lines would become text of the block scalar in front of them")]
    CommentWouldBecomeText,
    /// A block scalar ends with the document, without a line break.
    #[error("the block scalar at the end of the document has no line break, and one more line would add it")]
    OpenBlockScalar,
    /// A way of writing that the editor does not handle.
    #[error("the place is written in a way that germ-post does not edit")]
    UnknownForm,
}

impl Refusal {
    fn help(self) -> Option<&'static str> {
        match self {
            Refusal::Inherited => {
                Some("set the key to another value, or edit the mapping that it is inherited from")
            }
            Refusal::Shared { .. } => Some("write the value out where the alias stands"),
            Refusal::CommentInFlow | Refusal::UnknownForm => {
                Some("write this part of the document in plain block style")
            }
            Refusal::CommentWouldBecomeText => Some("indent the comment like the key that follows it"),
            Refusal::OpenBlockScalar => Some("end the document with a line break"),
            Refusal::TabLine => Some("take the tab out of the blank line"),
            Refusal::OddLineBreaks => Some("write these characters as escapes in double quotes"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_helps_where_the_user_can_do_something() {
        let help = |kind| EditError::new(0, 0, kind).help();
        assert_eq!(help(Refusal::Shared { alias: 1 }), Some("write the value out where the alias stands"));
        assert_eq!(help(Refusal::Missing), None);
    }
}
