//! How long a comment may be. GitHub takes 65,536 characters, GitLab 1,000,000, the
//! summary of a step of GitHub Actions 1 MiB, which are bytes. Sources: GitHub's "Body
//! is too long (maximum is 65536 characters)", <https://docs.gitlab.com/administration/instance_limits/>,
//! <https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>.

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Unicode code points, as GitHub and GitLab do.
    Characters,
    /// Bytes of UTF-8.
    Bytes,
}

/// A limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// So many.
    pub most: usize,
    /// Of these.
    pub measure: Measure,
}

impl Budget {
    /// A comment on GitHub.
    pub const GITHUB: Budget = Budget { most: 65_536, measure: Measure::Characters };

    /// The summary of a step of GitHub Actions.
    pub const STEP_SUMMARY: Budget = Budget { most: 1024 * 1024, measure: Measure::Bytes };

    /// How much of the budget a text takes.
    pub fn size(&self, text: &str) -> usize {
        match self.measure {
            Measure::Characters => text.chars().count(),
            Measure::Bytes => text.len(),
        }
    }

    /// The beginning of a text that fits.
    pub fn cut<'t>(&self, text: &'t str, most: usize) -> &'t str {
        let at = match self.measure {
            Measure::Characters => text.char_indices().nth(most).map_or(text.len(), |(at, _)| at),
            Measure::Bytes => {
                (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
            }
        };
        &text[..at]
    }
}
