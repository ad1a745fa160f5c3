//! Whether a tree means a value: the comparison of [`Tree::read`] with it, but for the
//! value that reading makes. The proof asks it of every edited document.

use serde_json::Value;

use super::read::ReadError;
use super::tree::{Content, Entry, Key, NodeId, Tree};

impl Tree<'_> {
    /// Whether the document reads as `value`.
    pub fn means(&self, value: &Value) -> Result<bool, ReadError> {
        match self.root().and_then(|root| self.node_means(root, value)) {
            Some(means) => Ok(means),
            None => Ok(self.read()? == *value),
        }
    }

    /// `None` where aliases or merge keys are in the way, whose reading has limits that
    /// count over the whole document.
    fn node_means(&self, id: NodeId, value: &Value) -> Option<bool> {
        match (&self.node(id).content, value) {
            (Content::Alias { .. }, _) => None,
            (Content::Scalar { value: scalar, .. }, _) => Some(scalar.is_json(value)),
            (Content::Sequence { items, .. }, Value::Array(values)) => {
                if items.len() != values.len() {
                    return self.whole(id, value);
                }
                self.all(items.iter().map(|item| item.node).zip(values))
            }
            (Content::Mapping { entries, .. }, Value::Object(map)) => {
                // Keys in the same order are the same keys, none of them twice.
                let is_next = |(entry, key): (&Entry<'_>, &String)| {
                    entry.name.name() == Some(key) && self.is_literal(entry.key)
                };
                if entries.len() == map.len() && entries.iter().zip(map.keys()).all(is_next) {
                    self.all(entries.iter().map(|entry| entry.value).zip(map.values()))
                } else {
                    self.whole(id, value)
                }
            }
            _ => self.whole(id, value),
        }
    }

    fn all<'v>(&self, mut pairs: impl Iterator<Item = (NodeId, &'v Value)>) -> Option<bool> {
        // Behind a difference there may still be an alias; then all is read.
        pairs.try_fold(true, |so_far, (id, value)| Some(self.node_means(id, value)? && so_far))
    }

    /// The same by reading the node.
    fn whole(&self, id: NodeId, value: &Value) -> Option<bool> {
        if !self.is_literal(id) {
            return None;
        }
        self.read_node(id).ok().map(|read| read == *value)
    }

    /// Whether nothing in the node stands for something else.
    fn is_literal(&self, id: NodeId) -> bool {
        match &self.node(id).content {
            Content::Scalar { .. } => true,
            Content::Alias { .. } => false,
            Content::Sequence { items, .. } => items.iter().all(|item| self.is_literal(item.node)),
            Content::Mapping { entries, .. } => entries.iter().all(|entry| {
                entry.name != Key::Merge && self.is_literal(entry.key) && self.is_literal(entry.value)
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::yaml;

    /// Trees whose values differ in everything that may differ.
    const TEXTS: &[&str] = &[
        "a: 1\nb: [x, {c: null}]\n",
        "b: [x, {c: null}]\na: 1\n",
        "a: 1\nb: [x, {c: }]\nc: 1\n",
        "a: 2\na: 1\nb: [x, {c: null}]\n",
        "a: 1\na: 1\nc: 1\n",
        "a: 1\nb: [{c: null}, x]\n",
        "a: 1\nb: [x]\n",
        "a: &x 1\nb: [x, {c: null}]\nc: *x\n",
        "a: {<<: {x: 1}, y: 2}\n",
        "a: {x: 1, y: 2}\n",
        "a: 1.0\n",
        "a: 1\n",
        "a: 1.5\n",
        "a: -0.0\n",
        "a: 0\n",
        "a: 18446744073709551615\n",
        "a: -1\n",
        "a: 'true'\n",
        "a: yes\n",
        "a: |\n  text\n",
        "a: \"text\\n\"\n",
        "a:\n",
        "[1, 2]\n",
        "[1]\n",
        "{}\n",
        "[]\n",
        "",
        "x\n",
    ];

    #[test]
    fn it_is_what_reading_and_comparing_say() {
        let values: Vec<Value> =
            TEXTS.iter().map(|text| yaml::parse(text).unwrap().read().unwrap()).collect();
        for text in TEXTS {
            let tree = yaml::parse(text).unwrap();
            let own = tree.read().unwrap();
            for value in
                values.iter().chain(&[json!({"a": 1, "b": 2, "c": 3}), Value::Null, json!({"a": 1e3})])
            {
                assert_eq!(tree.means(value), Ok(own == *value), "{text} {value}");
            }
        }
    }

    #[test]
    fn a_document_that_cannot_be_read_means_nothing() {
        assert!(yaml::parse("a: {<<: 1}\n").unwrap().means(&json!({"a": {}})).is_err());
    }
}
