//! What checks look at: every object of the stream as it is going to be, and the
//! configurations of the nodes, each with the way back to its source.

use std::cell::OnceCell;
use std::ops::Range;

use serde_json::Value;

use super::finding::Location;
use super::input::Joined;
use super::node_config::Derived;
use super::place;
use crate::edit::Path;
use crate::manifest::{Identity, template};
use crate::policy::Network;
use crate::profile::matching::{Matcher, ObjectView};
use crate::rewrite::document::PlannedDocument;
use crate::rewrite::survey::Survey;
use crate::rewrite::world::World;

/// Inputs of one kind, read.
#[derive(Debug)]
pub struct Source<'s> {
    /// The inputs.
    pub joined: &'s Joined,
    /// Whether they are the configurations of nodes, which hold secrets.
    pub of_nodes: bool,
    /// Their stream.
    pub survey: Survey<'s>,
    /// The documents that some rule is about.
    pub documents: Vec<PlannedDocument<'s>>,
}

/// A place in a document's source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// 0: the stream, 1: the nodes' configurations.
    pub source: usize,
    /// Index in [`Source::documents`].
    pub document: usize,
    /// Index of the object in the document.
    pub object: usize,
    /// Bytes of the document's text.
    pub range: Range<usize>,
}

/// An object that checks look at.
#[derive(Debug)]
pub struct Actor {
    /// 0: the stream, 1: the nodes' configurations.
    pub source: usize,
    /// Index in [`Source::documents`].
    pub document: usize,
    /// Index of the object in the document.
    pub object: usize,
    /// What was made of the object, where it is not looked at as it stands.
    derived: Option<Derived>,
}

/// Everything that checks look at.
#[derive(Debug)]
pub struct Scene<'s> {
    /// The stream, and the nodes' configurations if there are any.
    pub sources: Vec<Source<'s>>,
    /// The objects, in order.
    pub actors: Vec<Actor>,
    world: World,
    network: OnceCell<Network>,
}

impl<'s> Scene<'s> {
    /// The scene of planned sources, with the documents' derived objects.
    pub fn new(sources: Vec<Source<'s>>, mut derived: Vec<(usize, Derived)>, sharers: &[&Matcher]) -> Self {
        let mut actors = Vec::new();
        for (source, of) in sources.iter().enumerate() {
            for (document, planned) in of.documents.iter().enumerate() {
                let stays = |object: &usize| !planned.dropped.contains_key(object);
                for object in (0..planned.objects.len()).filter(stays) {
                    actors.push(Actor { source, document, object, derived: None });
                }
            }
        }
        for (document, derived) in derived.drain(..) {
            actors.push(Actor { source: 1, document, object: 0, derived: Some(derived) });
        }
        let mut scene = Self { sources, actors, world: World::default(), network: OnceCell::new() };
        if let Some(source) = scene.sources.first() {
            scene.world = World::new(&source.survey, scene.views().map(|(_, view)| view), &[], sharers);
        }
        scene
    }

    /// The document of an object.
    pub fn document(&self, actor: usize) -> Option<&PlannedDocument<'s>> {
        let at = self.actors.get(actor)?;
        self.sources.get(at.source)?.documents.get(at.document)
    }

    /// An object as it is going to be.
    pub fn view(&self, actor: usize) -> Option<ObjectView<'_>> {
        match &self.actors.get(actor)?.derived {
            Some(derived) => {
                let (identity, value) = (&derived.identity, &derived.value);
                Some(ObjectView { identity, value, template: None, release: 0 })
            }
            None => self.document(actor)?.object(self.actors[actor].object),
        }
    }

    /// The policies of the stream and what they are about, read when first asked for.
    /// Objects are known by their index in [`Self::actors`].
    pub fn network(&self) -> &Network {
        self.network.get_or_init(|| {
            let of_stream = |actor: &usize| self.actors[*actor].source == 0;
            let objects = (0..self.actors.len()).filter(of_stream).filter_map(|actor| {
                let view = self.view(actor)?;
                Some((actor, view.identity, view.release, view.value))
            });
            Network::new(objects)
        })
    }

    /// All objects.
    pub fn views(&self) -> impl Iterator<Item = (usize, ObjectView<'_>)> {
        (0..self.actors.len()).filter_map(|actor| Some((actor, self.view(actor)?)))
    }

    /// The objects that match.
    pub fn matching<'m>(
        &'m self,
        matcher: &'m Matcher,
    ) -> impl Iterator<Item = (usize, ObjectView<'m>)> + 'm {
        self.views().filter(|(_, view)| matcher.matches(*view, &self.world))
    }

    /// Whether an object matches.
    pub fn matches(&self, matcher: &Matcher, view: ObjectView<'_>) -> bool {
        matcher.matches(view, &self.world)
    }

    /// The input that an object is from: 0 or 1 for the kind of input, and its index.
    pub fn file(&self, actor: usize) -> Option<(usize, usize)> {
        let at = self.actors.get(actor)?;
        let source = self.sources.get(at.source)?;
        let document = source.documents.get(at.document)?;
        let start = source.survey.document(document.index).text.start;
        Some((at.source, source.joined.home(source.survey.stream.line_and_column(start).0).0))
    }

    /// The place in the source of a path in an object.
    pub fn spot(&self, actor: usize, path: &[String]) -> Option<Spot> {
        let at = self.actors.get(actor)?;
        let document = self.document(actor)?;
        let inside: Path = match &at.derived {
            Some(derived) => derived.origin(path),
            None => path.to_vec(),
        };
        let range = place::anchor(document, &document.objects.get(at.object)?.at, &inside);
        Some(Spot { source: at.source, document: at.document, object: at.object, range })
    }

    /// The place of a path in an object as the source has it, dropped objects
    /// included.
    pub fn spot_at(&self, source: usize, document: usize, object: usize, path: &[String]) -> Option<Spot> {
        let planned = self.sources.get(source)?.documents.get(document)?;
        let range = place::source_anchor(planned, &planned.objects.get(object)?.at, path);
        Some(Spot { source, document, object, range })
    }

    /// The region of a spot.
    pub fn location(&self, spot: &Spot) -> Option<Location> {
        let source = self.sources.get(spot.source)?;
        let document = source.documents.get(spot.document)?;
        Some(place::location(source, document, spot.range.clone()))
    }

    /// What names the object of a spot.
    pub fn identity(&self, spot: &Spot) -> Option<&Identity> {
        let document = self.sources.get(spot.source)?.documents.get(spot.document)?;
        document.objects.get(spot.object).map(|object| &object.identity)
    }

    /// The template that the object of a spot came from.
    pub fn template(&self, spot: &Spot) -> Option<String> {
        let document = self.sources.get(spot.source)?.documents.get(spot.document)?;
        let of_annotation = |value: &Value| template::filename_annotation(value).map(str::to_owned);
        let view = document.original_object(spot.object)?;
        view.template.map(str::to_owned).or_else(|| of_annotation(view.value))
    }
}
