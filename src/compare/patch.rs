//! The comparison as a patch of the old text: hunks that `git apply` takes. Documents
//! that mean something else are replaced by the new ones, what is gone is cut out, what
//! is new stands behind its neighbour. Nothing of a Secret is in it, not even as a line
//! of context.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use similar::{ChangeTag, TextDiff};

use super::mask::Masked;
use super::model::{ObjectState, Spot};
use super::options::Options;
use super::run::Compared;
use crate::check::Input;
use crate::manifest::objects;
use crate::profile::path::get;
use crate::yaml::{self, Stream};

/// A patch of several files.
#[derive(Debug, Default)]
pub struct Patch {
    /// File by file.
    pub files: Vec<FilePatch>,
    /// Objects whose lines are left out, and why.
    pub left_out: Vec<String>,
}

/// A patch of one file.
#[derive(Debug)]
pub struct FilePatch {
    /// The file's name; `None`: it is new.
    pub old: Option<String>,
    /// Its name on the new side; `None`: it is gone.
    pub new: Option<String>,
    /// The hunks.
    pub hunks: Vec<Hunk>,
}

/// One hunk; lines are 1-based.
#[derive(Debug)]
pub struct Hunk {
    /// First line and number of lines of the old text.
    pub old: (usize, usize),
    /// First line and number of lines of the new text.
    pub new: (usize, usize),
    /// ` `, `-` or `+`, and the line with its line break if it has one.
    pub lines: Vec<(char, String)>,
}

/// A piece of a file: its old and its new text.
struct Piece<'t> {
    old: &'t str,
    new: String,
    /// Whether its lines must not be shown.
    closed: bool,
}

/// What becomes of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Fate {
    Replaced(usize, usize),
    Removed,
}

/// Makes the patch with so many lines of context.
pub fn patch(compared: &Compared, options: &Options, context: usize) -> Patch {
    let mut patch = Patch::default();
    let comparison = &compared.comparison;
    let mut fates: BTreeMap<(usize, usize), Fate> = BTreeMap::new();
    let mut inserted: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut placed: HashMap<(usize, usize), (usize, usize)> = HashMap::new();
    let at = |spot: &Spot| (spot.text, spot.document);
    let old_cut = cut(&compared.old);
    let new_cut = cut(&compared.new);
    let closed = |cuts: &[Vec<Cut<'_>>], spot: &Option<Spot>| {
        spot.as_ref().is_some_and(|spot| is_closed(cuts[spot.text][spot.document].text, options))
    };
    for object in &comparison.objects {
        // In a list, a Secret may stand beside it.
        if object.confidential || closed(&old_cut, &object.old) || closed(&new_cut, &object.new) {
            patch.left_out.push(format!("{} is not in this patch: its values are masked", object.title()));
            continue;
        }
        match (object.state, &object.old, &object.new) {
            (ObjectState::Changed | ObjectState::Renamed, Some(old), Some(new)) => {
                let fate = Fate::Replaced(new.text, new.document);
                let other = fates.insert(at(old), fate.clone()).filter(|other| *other != fate);
                if other.is_some() || placed.insert(at(new), at(old)).is_some_and(|place| place != at(old)) {
                    patch
                        .left_out
                        .push(format!("{} moved between lists; it is in part in this patch", object.title()));
                }
            }
            (ObjectState::Added, _, Some(new)) => {
                inserted.insert(at(new));
            }
            (ObjectState::Removed, Some(old), _) => {
                let others_stay = old.in_list && !fates.contains_key(&at(old));
                if others_stay && has_others(&compared.old, old, comparison) {
                    patch
                        .left_out
                        .push(format!("{} is gone from a list; it is not in this patch", object.title()));
                } else {
                    fates.entry(at(old)).or_insert(Fate::Removed);
                }
            }
            _ => {}
        }
    }
    for styled in comparison.styled.iter().filter(|styled| !styled.hunks.is_empty()) {
        fates.entry(at(&styled.old)).or_insert(Fate::Replaced(styled.new.text, styled.new.document));
    }
    // A list that is replaced brings its new objects with it.
    inserted.retain(|place| !placed.contains_key(place));
    let files = Files::new(compared);
    for (old, new) in &files.pairs {
        let of_file: Vec<(usize, usize)> =
            inserted.iter().filter(|(text, _)| Some(*text) == *new).copied().collect();
        let of_old = old.map_or(&[][..], |text| &old_cut[text]);
        let mut places: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
        for place in of_file {
            let behind = files.neighbour(place, &new_cut, of_old, &placed);
            places.entry(behind).or_default().push(place);
        }
        if places.is_empty() && !fates.keys().any(|(text, _)| Some(*text) == *old) {
            continue;
        }
        let pieces = pieces(old.unwrap_or_default(), of_old, &fates, &places, &new_cut, options);
        let hunks = hunks(&pieces, context);
        if hunks.is_empty() {
            continue;
        }
        let gone = pieces.iter().all(|piece| piece.new.trim().is_empty());
        let name = files.name(*old, *new);
        patch.files.push(FilePatch {
            old: old.is_some().then(|| name.clone()),
            new: (!gone).then_some(name),
            hunks,
        });
    }
    patch
}

/// Whether a list holds objects beside those that are gone.
fn has_others(inputs: &[Input], spot: &Spot, comparison: &super::Comparison) -> bool {
    let gone = comparison.objects.iter().filter(|object| {
        object.state == ObjectState::Removed
            && object.old.as_ref().is_some_and(|old| (old.text, old.document) == (spot.text, spot.document))
    });
    let stream = inputs.get(spot.text).and_then(|input| Stream::cut(&input.bytes).ok());
    let text = stream.and_then(|stream| {
        let document = stream.documents().get(spot.document)?;
        Some(stream.document_text(document).to_owned())
    });
    let value = text.and_then(|text| yaml::parse(&text).ok().and_then(|tree| tree.read().ok()));
    value.is_none_or(|value| objects::objects(&value).len() > gone.count())
}

/// A document's separator line and text.
#[derive(Debug, Clone, Copy)]
struct Cut<'t> {
    separator: &'t str,
    text: &'t str,
}

fn cut(inputs: &[Input]) -> Vec<Vec<Cut<'_>>> {
    inputs.iter().map(cut_one).collect()
}

fn cut_one(input: &Input) -> Vec<Cut<'_>> {
    let bytes = input.bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&input.bytes);
    let (Ok(stream), Ok(text)) = (Stream::cut(bytes), std::str::from_utf8(bytes)) else { return Vec::new() };
    let documents = stream.documents().iter().map(|document| Cut {
        separator: document.separator.clone().map_or("", |range| &text[range]),
        text: &text[document.text.clone()],
    });
    documents.collect()
}

/// Which files of the sides belong together.
struct Files<'c> {
    compared: &'c Compared,
    pairs: Vec<(Option<usize>, Option<usize>)>,
}

impl<'c> Files<'c> {
    fn new(compared: &'c Compared) -> Self {
        let mut files = Self { compared, pairs: Vec::new() };
        if let ([_], [_]) = (compared.old.as_slice(), compared.new.as_slice()) {
            files.pairs.push((Some(0), Some(0)));
            return files;
        }
        let mut left: Vec<usize> = (0..compared.new.len()).collect();
        for old in 0..compared.old.len() {
            let partner =
                left.iter().position(|new| files.short(Some(old), None) == files.short(None, Some(*new)));
            files.pairs.push((Some(old), partner.map(|at| left.remove(at))));
        }
        files.pairs.extend(left.into_iter().map(|new| (None, Some(new))));
        files
    }

    /// The name of a file below its side's folder.
    fn short(&self, old: Option<usize>, new: Option<usize>) -> String {
        let comparison = &self.compared.comparison;
        let (inputs, index, root) = match (old, new) {
            (Some(index), _) => (&self.compared.old, index, &comparison.old_name),
            (None, index) => (&self.compared.new, index.unwrap_or_default(), &comparison.new_name),
        };
        let name = inputs.get(index).map_or("", |input| input.name.as_str());
        let below = name.strip_prefix(root.as_str()).filter(|rest| rest.starts_with(['/', '\\']));
        below.unwrap_or(name).to_owned()
    }

    /// The name that a patch gives to a pair: the patch is for the old side.
    fn name(&self, old: Option<usize>, new: Option<usize>) -> String {
        let name = match self.short(old, new) {
            stdin if stdin == "<stdin>" => "stdin.yaml".to_owned(),
            other => other.replace('\\', "/"),
        };
        name.trim_start_matches(['/', '.']).to_owned()
    }

    /// The old document behind which a new one stands, as its number from 1; 0: in front.
    fn neighbour(
        &self,
        (text, document): (usize, usize),
        new: &[Vec<Cut<'_>>],
        old: &[Cut<'_>],
        placed: &HashMap<(usize, usize), (usize, usize)>,
    ) -> usize {
        for before in (0..document).rev() {
            if let Some((_, place)) = placed.get(&(text, before)) {
                return place + 1;
            }
            let same = new[text][before].text.trim();
            if !same.is_empty()
                && let Some(place) = old.iter().position(|cut| cut.text.trim() == same)
            {
                return place + 1;
            }
        }
        old.len()
    }
}

fn pieces<'t>(
    text: usize,
    old: &[Cut<'t>],
    fates: &BTreeMap<(usize, usize), Fate>,
    inserted: &BTreeMap<usize, Vec<(usize, usize)>>,
    new: &[Vec<Cut<'_>>],
    options: &Options,
) -> Vec<Piece<'t>> {
    let mut out: Vec<Piece<'t>> = Vec::new();
    let insert = |behind: usize, out: &mut Vec<Piece<'t>>| {
        for (text, document) in inserted.get(&behind).into_iter().flatten() {
            let text = new[*text][*document].text;
            out.push(Piece { old: "", new: format!("---\n{text}"), closed: false });
        }
    };
    insert(0, &mut out);
    for (index, cut) in old.iter().enumerate() {
        let closed = is_closed(cut.text, options);
        out.push(Piece { old: cut.separator, new: cut.separator.to_owned(), closed: false });
        let becomes = match fates.get(&(text, index)) {
            None => cut.text.to_owned(),
            Some(Fate::Replaced(text, document)) => new[*text][*document].text.to_owned(),
            Some(Fate::Removed) => {
                if let Some(separator) = out.last_mut() {
                    separator.new.clear();
                }
                String::new()
            }
        };
        out.push(Piece { old: cut.text, new: becomes, closed });
        insert(index + 1, &mut out);
    }
    let last = out.iter().rposition(|piece| !piece.new.is_empty());
    for (index, piece) in out.iter_mut().enumerate() {
        if Some(index) != last && !piece.new.is_empty() && !piece.new.ends_with('\n') {
            piece.new.push('\n');
        }
    }
    out
}

/// Whether a document holds what must not be shown. What cannot be read is taken to.
fn is_closed(text: &str, options: &Options) -> bool {
    if options.mask.is_empty() && memchr::memmem::find(text.as_bytes(), b"Secret").is_none() {
        return false;
    }
    let Some(value) = yaml::parse(text).ok().and_then(|tree| tree.read().ok()) else { return true };
    objects::objects(&value).iter().any(|object| {
        get(&value, &object.at).is_none_or(|of| !Masked::of(options, &object.identity, of).is_empty())
    })
}

/// One line of both texts.
struct Line<'t> {
    tag: ChangeTag,
    text: std::borrow::Cow<'t, str>,
    closed: bool,
}

fn hunks(pieces: &[Piece<'_>], context: usize) -> Vec<Hunk> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    for piece in pieces {
        let closed = piece.closed;
        if piece.old == piece.new {
            lines.extend(piece.old.split_inclusive('\n').map(|text| Line {
                tag: ChangeTag::Equal,
                text: text.into(),
                closed,
            }));
            continue;
        }
        let diff = TextDiff::from_lines(piece.old, &piece.new);
        lines.extend(diff.iter_all_changes().map(|change| Line {
            tag: change.tag(),
            text: change.value().to_owned().into(),
            closed,
        }));
    }
    let changed: Vec<usize> =
        lines.iter().enumerate().filter(|(_, line)| line.tag != ChangeTag::Equal).map(|(at, _)| at).collect();
    // Runs of changes whose contexts meet are one hunk.
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for at in changed {
        let may_be_shown = |line: &&Line<'_>| !line.closed || line.tag != ChangeTag::Equal;
        let start = at - lines[..at].iter().rev().take(context).take_while(may_be_shown).count();
        let end = at + 1 + lines[at + 1..].iter().take(context).take_while(may_be_shown).count();
        match runs.last_mut() {
            Some(run) if start <= run.1 => run.1 = end.max(run.1),
            _ => runs.push((start, end)),
        }
    }
    let mut out = Vec::new();
    let (mut old, mut new, mut seen) = (1, 1, 0);
    let count = |lines: &[Line<'_>], but: ChangeTag| lines.iter().filter(|line| line.tag != but).count();
    for (start, end) in runs {
        old += count(&lines[seen..start], ChangeTag::Insert);
        new += count(&lines[seen..start], ChangeTag::Delete);
        seen = start;
        let of_run = &lines[start..end];
        let (old_lines, new_lines) = (count(of_run, ChangeTag::Insert), count(of_run, ChangeTag::Delete));
        // An empty side names the line in front of it.
        let first = |line: usize, number: usize| if number == 0 { line - 1 } else { line };
        let sign = |tag: ChangeTag| match tag {
            ChangeTag::Equal => ' ',
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
        };
        out.push(Hunk {
            old: (first(old, old_lines), old_lines),
            new: (first(new, new_lines), new_lines),
            lines: of_run.iter().map(|line| (sign(line.tag), line.text.to_string())).collect(),
        });
    }
    out
}
