//! What CEL cannot say of a rule, and why.

/// Why something of a rule is not said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsaid(String);

impl Unsaid {
    /// The reason, as a clause: `it compares versions`.
    pub fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }

    /// The reason.
    pub fn reason(&self) -> &str {
        &self.0
    }
}

/// A rule that is not exported, or not as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Its id.
    pub rule: String,
    /// Whether the rest of the rule is exported.
    pub in_part: bool,
    /// Why, each reason once.
    pub reasons: Vec<String>,
}

impl LeftOut {
    /// What is left out of a rule, each reason once, if anything is.
    pub fn of(rule: &str, in_part: bool, unsaid: &[Unsaid]) -> Option<Self> {
        let mut reasons: Vec<String> = Vec::new();
        for unsaid in unsaid {
            if !reasons.iter().any(|reason| reason == unsaid.reason()) {
                reasons.push(unsaid.reason().to_owned());
            }
        }
        (!reasons.is_empty()).then(|| Self { rule: rule.to_owned(), in_part, reasons })
    }

    /// In a line: `talos/x is left out in part: …`.
    pub fn in_words(&self) -> String {
        let how = if self.in_part { "is left out in part" } else { "is left out" };
        format!("{} {how}: {}", self.rule, self.reasons.join("; "))
    }
}
