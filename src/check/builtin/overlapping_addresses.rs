//! Blocks of addresses that overlap each other, or addresses that are somebody
//! else's: those that a parameter names, and those of fields of other objects.

use indexmap::IndexMap;
use serde::Deserialize;

use super::address::Range;
use super::{Builtin, Fields, FieldsFile, path};
use crate::check::finding::Related;
use crate::check::rules::{Hit, bad, meant};
use crate::check::scene::Scene;
use crate::edit::Path;
use crate::profile::matching::Matcher;
use crate::profile::path::PathExpr;
use crate::profile::rule::Check;
use crate::profile::test_value::ValueTest;

/// What the profile tells.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Told {
    /// Where an object has its blocks: mappings with `cidr`, or `start` and `stop`.
    blocks: String,
    /// Addresses that are not to be in any block, by what they are.
    #[serde(default)]
    reserved: IndexMap<String, Vec<String>>,
    /// Fields of other objects with such addresses.
    #[serde(default)]
    taken: Vec<FieldsFile>,
}

pub(super) struct OverlappingAddresses {
    blocks: PathExpr,
    reserved: Vec<(String, String, Range)>,
    taken: Vec<Fields>,
}

/// A block of an object.
struct Block {
    actor: usize,
    at: Path,
    path: String,
    text: String,
    range: Range,
}

impl OverlappingAddresses {
    pub(super) fn new(told: Told) -> Result<Self, String> {
        let mut reserved = Vec::new();
        for (what, ranges) in told.reserved {
            for text in ranges {
                let range = Range::parse(&text)
                    .ok_or_else(|| format!("`{text}` is no address, `first-last` or CIDR"))?;
                reserved.push((what.clone(), text, range));
            }
        }
        let taken = told.taken.into_iter().map(Fields::new).collect::<Result<_, _>>()?;
        Ok(Self { blocks: path(&told.blocks)?, reserved, taken })
    }

    fn blocks(&self, scene: &Scene<'_>, check: &Check) -> Vec<Block> {
        let mut out = Vec::new();
        for actor in meant(scene, check) {
            for (at, path, value) in bad(scene, actor, &self.blocks, &ValueTest::Present) {
                let text = |key: &str| value.as_ref()?.get(key)?.as_str();
                let read = match (text("cidr"), text("start"), text("stop")) {
                    (Some(cidr), ..) => Range::parse(cidr).map(|range| ("cidr", cidr.to_owned(), range)),
                    (None, Some(start), stop) => {
                        let last = stop.unwrap_or(start);
                        Range::between(start, last).map(|range| ("start", format!("{start}-{last}"), range))
                    }
                    (None, None, _) => None,
                };
                let Some((key, text, range)) = read else { continue };
                let mut at = at;
                at.push(key.to_owned());
                out.push(Block { actor, at, path, text, range });
            }
        }
        out
    }
}

impl Builtin for OverlappingAddresses {
    fn hits(&self, scene: &Scene<'_>, check: &Check) -> Vec<Hit> {
        let blocks = self.blocks(scene, check);
        let mut out = Vec::new();
        let hit = |block: &Block, what: &str, related: Option<Related>| Hit {
            actor: block.actor,
            at: block.at.clone(),
            path: Some(block.path.clone()),
            message: Some(format!("{} overlaps {what}", block.text)),
            value: None,
            related: related.into_iter().collect(),
            notes: Vec::new(),
        };
        for (index, block) in blocks.iter().enumerate() {
            for other in blocks[..index].iter().filter(|other| other.range.overlaps(&block.range)) {
                let name = scene.view(other.actor).map_or("", |view| view.identity.name.as_str());
                let what = match other.actor == block.actor {
                    true => format!("{}, a block of the same pool", other.text),
                    false => format!("{} of {name}", other.text),
                };
                out.push(hit(block, &what, related(scene, other.actor, &other.at, &other.text)));
            }
            for (what, text, _) in self.reserved.iter().filter(|(.., range)| range.overlaps(&block.range)) {
                out.push(hit(block, &format!("{what}, {text}"), None));
            }
            for fields in &self.taken {
                for (actor, at, value) in fields.found(scene) {
                    let Some(text) = value.as_str() else { continue };
                    if Range::parse(text).is_some_and(|range| range.overlaps(&block.range)) {
                        let related = related(scene, actor, &at, &fields.note);
                        out.push(hit(block, &format!("{}, {text}", fields.note), related));
                    }
                }
            }
        }
        out
    }

    fn matchers(&self) -> Vec<&Matcher> {
        self.taken.iter().map(|fields| &fields.matcher).collect()
    }
}

fn related(scene: &Scene<'_>, actor: usize, at: &Path, note: &str) -> Option<Related> {
    let location = scene.location(&scene.spot(actor, at)?)?;
    Some(Related { note: note.to_owned(), location })
}
