//! The fields of the head, collected while the scan passes over them.

use super::Head;
use super::levels::{Kind, Levels};
use crate::yaml::scalar::{self, Scalar};
use std::borrow::Cow;

/// A field that waits for its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    ApiVersion,
    Kind,
    Name,
}

/// Watches keys and values go by.
pub(super) struct Collector<'s> {
    head: Head<'s>,
    field: Option<Field>,
    /// The last top-level key was `metadata`.
    in_metadata: bool,
}

impl<'s> Collector<'s> {
    pub(super) fn new() -> Self {
        Self { head: Head { empty: true, ..Head::default() }, field: None, in_metadata: false }
    }

    /// The document has content.
    pub(super) fn has_content(&mut self) {
        self.head.empty = false;
    }

    /// A key of the innermost mapping of `levels`.
    #[inline]
    pub(super) fn key(&mut self, key: &str, levels: &Levels) {
        match levels.count() {
            1 => self.top_level_key(key),
            2 if self.in_metadata && key == "name" && levels.kind(0) == Some(Kind::Mapping) => {
                self.head.name = None;
                self.field = Some(Field::Name);
            }
            _ => self.field = None,
        }
    }

    fn top_level_key(&mut self, key: &str) {
        self.field = None;
        self.in_metadata = false;
        match key {
            "apiVersion" => {
                self.head.api_version = None;
                self.field = Some(Field::ApiVersion);
            }
            "kind" => {
                self.head.kind = None;
                self.field = Some(Field::Kind);
            }
            "metadata" => {
                self.head.name = None;
                self.in_metadata = true;
            }
            "items" => self.head.has_items = true,
            _ => {}
        }
    }

    /// A sequence is the value of what came before.
    pub(super) fn sequence(&mut self) {
        self.field = None;
    }

    /// Whether the value that comes next is wanted.
    #[inline]
    pub(super) fn wants_value(&self) -> bool {
        self.field.is_some()
    }

    /// Whether a flow mapping that comes next could hold the name.
    pub(super) fn wants_mapping(&self, levels: &Levels) -> bool {
        self.in_metadata && levels.count() == 1
    }

    /// A quoted value without escapes.
    pub(super) fn quoted(&mut self, text: &'s str) {
        self.store(text);
    }

    /// A plain value; `None` when the parser would refuse it.
    pub(super) fn plain(&mut self, text: &'s str) -> Option<()> {
        match scalar::resolve_plain(text).ok()? {
            Scalar::Str(_) => self.store(text),
            _ => self.field = None,
        }
        Some(())
    }

    fn store(&mut self, text: &'s str) {
        let slot = match self.field.take() {
            Some(Field::ApiVersion) => &mut self.head.api_version,
            Some(Field::Kind) => &mut self.head.kind,
            Some(Field::Name) => &mut self.head.name,
            None => return,
        };
        *slot = Some(Cow::Borrowed(text));
    }

    pub(super) fn finish(self) -> Head<'s> {
        self.head
    }
}
