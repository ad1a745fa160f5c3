//! The pieces of a CEL expression: literals, and conditions that know how they have
//! to be put in parentheses and fold where they are known.

use serde_json::Value;

use crate::export::text::literally;

/// A condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cel {
    /// It is known.
    Known(bool),
    /// It has to be asked.
    Asked {
        /// The expression.
        text: String,
        /// What joins it at its top level.
        joined: Joined,
    },
}

/// What joins an expression at its top level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joined {
    /// Nothing: it can stand anywhere.
    Nothing,
    /// A comparison.
    Comparison,
    /// `&&`.
    And,
    /// `||`.
    Or,
}

impl Cel {
    /// A call, a selection, or whatever else stands anywhere.
    pub fn atom(text: impl Into<String>) -> Self {
        Self::Asked { text: text.into(), joined: Joined::Nothing }
    }

    /// A comparison.
    pub fn comparison(text: impl Into<String>) -> Self {
        Self::Asked { text: text.into(), joined: Joined::Comparison }
    }

    /// All of them.
    pub fn all(conditions: impl IntoIterator<Item = Self>) -> Self {
        Self::join(conditions, true, " && ", Joined::And)
    }

    /// One of them.
    pub fn any(conditions: impl IntoIterator<Item = Self>) -> Self {
        Self::join(conditions, false, " || ", Joined::Or)
    }

    fn join(conditions: impl IntoIterator<Item = Self>, neutral: bool, with: &str, joined: Joined) -> Self {
        let mut kept: Vec<Self> = Vec::new();
        for condition in conditions {
            match condition {
                Self::Known(known) if known == neutral => {}
                Self::Known(known) => return Self::Known(known),
                asked if kept.contains(&asked) => {}
                asked => kept.push(asked),
            }
        }
        match kept.len() {
            0 => Self::Known(neutral),
            1 => kept.swap_remove(0),
            _ => {
                let texts: Vec<String> = kept.into_iter().map(|condition| condition.within(joined)).collect();
                Self::Asked { text: texts.join(with), joined }
            }
        }
    }

    /// The opposite.
    pub fn negated(self) -> Self {
        match self {
            Self::Known(known) => Self::Known(!known),
            Self::Asked { text, joined: Joined::Nothing } => match text.strip_prefix('!') {
                Some(inner) => Self::atom(inner),
                None => Self::atom(format!("!{text}")),
            },
            Self::Asked { text, .. } => Self::atom(format!("!({text})")),
        }
    }

    /// The expression by itself.
    pub fn text(self) -> String {
        match self {
            Self::Known(known) => known.to_string(),
            Self::Asked { text, .. } => text,
        }
    }

    /// The expression as a part of one that is joined so.
    fn within(self, outer: Joined) -> String {
        match self {
            Self::Asked { text, joined: joined @ (Joined::And | Joined::Or) } if joined != outer => {
                format!("({text})")
            }
            other => other.text(),
        }
    }
}

/// A text in quotes. What JSON escapes CEL does, too.
pub fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// A value. Lists and mappings of several types are made dynamic item by item, since
/// Kubernetes wants literals to be of one type.
pub fn literal(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| dynamic_in(items, item)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(map) => {
            let values: Vec<Value> = map.values().cloned().collect();
            let entries: Vec<String> = map
                .iter()
                .map(|(key, value)| format!("{}: {}", quoted(key), dynamic_in(&values, value)))
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
        scalar => scalar.to_string(),
    }
}

fn dynamic_in(all: &[Value], one: &Value) -> String {
    let is_scalar = |value: &Value| !value.is_array() && !value.is_object();
    let same = all.iter().all(|other| is_scalar(other) && same_type(one, other));
    if same { literal(one) } else { format!("dyn({})", literal(one)) }
}

/// Whether CEL takes both for values of one type.
pub fn same_type(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.is_f64() == other.is_f64(),
        _ => std::mem::discriminant(one) == std::mem::discriminant(other),
    }
}

/// A regular expression for what a name with `*` means, not anchored.
pub fn pattern(glob: &str) -> String {
    glob.split('*').map(literally).collect::<Vec<_>>().join(".*")
}

/// Whether a text, given as an expression, is one of these names with `*`.
pub fn is_one_of(subject: &str, names: &[String]) -> Cel {
    if names.iter().any(|name| name == "*") {
        return Cel::Known(true);
    }
    let (globs, plain): (Vec<&String>, Vec<&String>) = names.iter().partition(|name| name.contains('*'));
    let mut alternatives = Vec::new();
    match plain.as_slice() {
        [] => {}
        [one] => alternatives.push(Cel::comparison(format!("{subject} == {}", quoted(one)))),
        several => {
            let list: Vec<String> = several.iter().map(|name| quoted(name)).collect();
            alternatives.push(Cel::comparison(format!("{subject} in [{}]", list.join(", "))));
        }
    }
    if !globs.is_empty() {
        let patterns: Vec<String> = globs.iter().map(|glob| pattern(glob)).collect();
        let expression = quoted(&format!("^({})$", patterns.join("|")));
        alternatives.push(Cel::atom(format!("{subject}.matches({expression})")));
    }
    Cel::any(alternatives)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn literals_are_quoted_and_of_one_type() {
        assert_eq!(literal(&json!("a\"b\\c\n")), r#""a\"b\\c\n""#);
        assert_eq!(literal(&json!(["a", 1])), r#"[dyn("a"), dyn(1)]"#);
        assert_eq!(literal(&json!({"a": {"b": [1, 2]}})), r#"{"a": dyn({"b": dyn([1, 2])})}"#);
    }

    #[test]
    fn parentheses_stand_where_they_must() {
        let asked = |text: &str| Cel::comparison(text);
        let or = Cel::any([asked("a == 1"), asked("b == 1")]);
        let both = Cel::all([or.clone(), asked("c == 1"), Cel::Known(true)]);
        assert_eq!(both.text(), "(a == 1 || b == 1) && c == 1");
        assert_eq!(Cel::any([or.clone(), asked("c == 1")]).text(), "a == 1 || b == 1 || c == 1");
        assert_eq!(or.negated().text(), "!(a == 1 || b == 1)");
        assert_eq!(Cel::all([asked("a"), Cel::Known(false)]), Cel::Known(false));
        assert_eq!(Cel::atom("x.has()").negated().negated().text(), "x.has()");
    }

    #[test]
    fn names_are_compared_or_matched() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(is_one_of("n", &names(&["a"])).text(), r#"n == "a""#);
        assert_eq!(is_one_of("n", &names(&["a", "b.c*"])).text(), r#"n == "a" || n.matches("^(b\\.c.*)$")"#);
        assert_eq!(is_one_of("n", &names(&["*"])), Cel::Known(true));
    }
}
