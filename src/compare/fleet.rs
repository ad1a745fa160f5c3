//! One comparison for each target of a fleet, those that say the same put together.

use super::model::{Comparison, Needless, ObjectDiff};
use super::run::Compared;

/// Targets that fare the same; one group without targets where there is no fleet.
#[derive(Debug, Clone, Default)]
pub struct Group {
    /// Their names.
    pub targets: Vec<String>,
    /// How they fare; texts and lines are those of the first.
    pub compared: Compared,
}

/// Everything that a run of `germ-post diff` found.
#[derive(Debug, Clone, Default)]
pub struct Fleet {
    /// Groups with differences first, those of the most targets first among them.
    pub groups: Vec<Group>,
    /// Rules that are needless now for every target that they had something to change for.
    pub needless: Vec<Needless>,
    /// How the sides were rendered, where a chart was.
    pub rendered: Option<String>,
}

impl Fleet {
    /// A single comparison.
    pub fn of_one(compared: Compared) -> Self {
        let needless = compared.comparison.needless.clone();
        Self { groups: vec![Group { targets: Vec::new(), compared }], needless, rendered: None }
    }

    /// Puts the targets together that fare the same.
    pub fn of_targets(targets: Vec<(String, Compared)>) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        let mut needless: Vec<(Needless, usize)> = Vec::new();
        let mut used: Vec<String> = Vec::new();
        for (target, compared) in targets {
            for one in &compared.comparison.needless {
                match needless.iter_mut().find(|(known, _)| known.rule == one.rule) {
                    Some((known, count)) => {
                        known.already &= one.already;
                        *count += 1;
                    }
                    None => needless.push((one.clone(), 1)),
                }
            }
            used.extend(compared.in_force.iter().cloned());
            match groups
                .iter_mut()
                .find(|group| says_the_same(&group.compared.comparison, &compared.comparison))
            {
                Some(group) => group.targets.push(target),
                None => groups.push(Group { targets: vec![target], compared }),
            }
        }
        // The sort is stable: of groups with as many targets the first named comes first.
        groups.sort_by_key(|group| {
            (group.compared.comparison.is_same(), std::cmp::Reverse(group.targets.len()))
        });
        let needless = needless.into_iter().map(|(rule, _)| rule).filter(|one| !used.contains(&one.rule));
        Self { groups, needless: needless.collect(), rendered: None }
    }

    /// Whether nothing is different anywhere.
    pub fn is_same(&self) -> bool {
        self.groups.iter().all(|group| group.compared.comparison.is_same())
    }

    /// How many targets there are; 0 where there is no fleet.
    pub fn targets(&self) -> usize {
        self.groups.iter().map(|group| group.targets.len()).sum()
    }

    /// How many of them stay as they are.
    pub fn unchanged_targets(&self) -> usize {
        let same = self.groups.iter().filter(|group| group.compared.comparison.is_same());
        same.map(|group| group.targets.len()).sum()
    }
}

/// Whether two comparisons tell a reader the same. Where the texts stand is not told.
fn says_the_same(one: &Comparison, other: &Comparison) -> bool {
    let object = |object: &ObjectDiff| {
        (
            object.state,
            object.identity.clone(),
            object.was.clone(),
            object.changes.clone(),
            object.value.clone(),
            object.origin.clone(),
        )
    };
    let danger = |danger: &super::model::Danger| {
        (danger.rule.clone(), danger.object.clone(), danger.path.clone(), danger.message.clone())
    };
    one.objects.iter().map(object).eq(other.objects.iter().map(object))
        && one.dangers.iter().map(danger).eq(other.dangers.iter().map(danger))
        && one.ignored == other.ignored
        && one.restarts == other.restarts
        && one.styled.iter().map(|s| &s.identity).eq(other.styled.iter().map(|s| &s.identity))
}
