//! Whether a rule was met: before-state, after-state, or a mixture that no
//! version of the rule knows.

/// The steps that are judged together.
#[derive(Debug, Default)]
pub struct Unit {
    changed: Vec<String>,
    already: Vec<String>,
}

impl Unit {
    /// A step that found the before-state at `path` of `object`.
    pub fn changed(&mut self, object: &str, path: &str) {
        self.changed.push(format!("{path} of {object}"));
    }

    /// A step that found the after-state.
    pub fn already(&mut self, object: &str, path: &str) {
        self.already.push(format!("{path} of {object}"));
    }

    /// Why the unit is neither before nor after the rule, if it is neither.
    pub fn mixture(&self) -> Option<String> {
        let (to_do, done) = (self.changed.first()?, self.already.first()?);
        Some(format!("{to_do} is as before the rule, but {done} is as after it"))
    }
}
