//! One side of a comparison: its texts, cut and checked, and the objects of those
//! documents that the other side does not have letter by letter.

use std::collections::HashMap;

use serde_json::Value;

use super::model::Spot;
use crate::check::Input;
use crate::diagnostic::Diagnostic;
use crate::edit::Path;
use crate::manifest::{Identity, objects, template};
use crate::profile::path::get;
use crate::rewrite::survey::Survey;

/// One side.
#[derive(Debug)]
pub struct Side<'s> {
    /// What it is called.
    pub name: String,
    /// Its texts.
    pub texts: Vec<Text<'s>>,
}

/// A text of a side.
#[derive(Debug)]
pub struct Text<'s> {
    /// What it is called.
    pub name: &'s str,
    /// Its documents.
    pub survey: Survey<'s>,
}

/// An object of a side.
#[derive(Debug)]
pub struct Object {
    /// What names it.
    pub identity: Identity,
    /// Its value.
    pub value: Value,
    /// The template it came from.
    pub template: Option<String>,
    /// Where its document is.
    pub spot: Spot,
    /// Where it lies in the document.
    pub at: Path,
}

/// The objects of both sides that are in no document that both have.
#[derive(Debug, Default)]
pub struct Opened {
    /// Of the old side.
    pub old: Vec<Object>,
    /// Of the new side.
    pub new: Vec<Object>,
    /// How many objects are in documents that both sides have.
    pub same: usize,
}

impl<'s> Side<'s> {
    /// Cuts and checks the texts. A side that does not read, or that holds nothing, is an
    /// error: it would look as if everything was removed.
    pub fn new(name: String, inputs: &'s [Input], allow_empty: bool) -> Result<Self, Vec<Diagnostic>> {
        let mut texts = Vec::new();
        let mut errors = Vec::new();
        for input in inputs {
            let bytes = input.bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&input.bytes);
            match Survey::new(bytes) {
                Ok(survey) => texts.push(Text { name: &input.name, survey }),
                Err(found) => errors.extend(found.into_iter().map(|error| named(error, input))),
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let side = Self { name, texts };
        let is_empty = side.texts.iter().all(|text| text.survey.heads.iter().all(|head| !head.has_content));
        if is_empty && !allow_empty {
            return Err(vec![side.empty()]);
        }
        Ok(side)
    }

    fn empty(&self) -> Diagnostic {
        Diagnostic::input("side-empty", format!("{} holds no object", self.name))
            .note("a failed rendering looks like this, too, and would be shown as everything removed")
            .help("`--allow-empty` compares it all the same")
    }

    /// The text of a document.
    pub fn text(&self, spot: &Spot) -> &'s str {
        self.texts.get(spot.text).map_or("", |text| text.survey.text(spot.document))
    }

    fn documents(&self) -> impl Iterator<Item = (usize, usize, &'s str)> + '_ {
        self.texts.iter().enumerate().flat_map(|(text, of)| {
            let with_content = of.survey.heads.iter().enumerate().filter(|(_, head)| head.has_content);
            with_content.map(move |(document, _)| (text, document, of.survey.text(document)))
        })
    }

    fn open(&self, text: usize, document: usize, out: &mut Vec<Object>) -> Result<(), Diagnostic> {
        let of = &self.texts[text];
        let (tree, value) = of.survey.parse(document).map_err(|mut error| {
            if let Some(place) = &mut error.place {
                of.name.clone_into(&mut place.file);
            }
            error
        })?;
        let source = template::source_comment(tree.text()).map(str::to_owned);
        let start = of.survey.document(document).text.start;
        let line = of.survey.stream.line_and_column(start).0;
        let found = objects::objects(&value);
        let alone = found.len() == 1 && found[0].at.is_empty();
        let spot = Spot { file: of.name.to_owned(), text, document, line, in_list: !alone };
        let mut whole = Some(value);
        for object in found {
            let value =
                if alone { whole.take() } else { whole.as_ref().and_then(|v| get(v, &object.at).cloned()) };
            let Some(value) = value else { continue };
            let template =
                source.clone().or_else(|| template::filename_annotation(&value).map(str::to_owned));
            out.push(Object {
                identity: object.identity,
                value,
                template,
                spot: spot.clone(),
                at: object.at,
            });
        }
        Ok(())
    }

    /// How many objects a document holds.
    fn count(&self, text: usize, document: usize) -> usize {
        let survey = &self.texts[text].survey;
        if !survey.heads[document].is_list {
            return 1;
        }
        survey.parse(document).map_or(1, |(_, value)| objects::objects(&value).len())
    }
}

/// Reads what is different between the sides. A document that both have letter by
/// letter is not looked into.
pub fn open(old: &Side<'_>, new: &Side<'_>) -> Result<Opened, Vec<Diagnostic>> {
    let mut opened = Opened::default();
    let mut counts: HashMap<&str, isize> = HashMap::new();
    for (_, _, text) in old.documents() {
        *counts.entry(text.trim()).or_default() += 1;
    }
    let mut errors = Vec::new();
    let mut common: HashMap<&str, isize> = HashMap::new();
    for (text, document, source) in new.documents() {
        let left = counts.get_mut(source.trim()).filter(|left| **left > 0);
        match left {
            Some(left) => {
                *left -= 1;
                *common.entry(source.trim()).or_default() += 1;
                opened.same += new.count(text, document);
            }
            None => errors.extend(new.open(text, document, &mut opened.new).err()),
        }
    }
    for (text, document, source) in old.documents() {
        match common.get_mut(source.trim()).filter(|left| **left > 0) {
            Some(left) => *left -= 1,
            None => errors.extend(old.open(text, document, &mut opened.old).err()),
        }
    }
    if errors.is_empty() { Ok(opened) } else { Err(errors) }
}

/// An error that names the input.
fn named(mut error: Diagnostic, input: &Input) -> Diagnostic {
    if let Some(place) = &mut error.place {
        input.name.clone_into(&mut place.file);
    }
    error.note("nothing is compared: a side that does not read would look as if it was removed")
}
