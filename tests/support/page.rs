//! Pages of the documentation, as tests read them: their blocks, the comments that say what a
//! page needs, their headings and links, and the parts that are made from the code, which
//! `GERM_UPDATE=1` writes anew.

use std::fs;
use std::path::{Path, PathBuf};

/// A Markdown file of the repository.
#[derive(Debug, Clone)]
pub struct Page {
    /// Its path below the root of the repository.
    pub name: String,
    /// All of it.
    pub text: String,
}

/// What of a page means something to a test, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// A comment of one line, without its brackets.
    Comment { line: usize, text: String },
    /// A fenced block.
    Block(Block),
    /// A line that is neither.
    Line { line: usize, text: String },
}

/// A fenced block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The number of the line of the fence.
    pub line: usize,
    /// What stands behind the fence: the language, and what the block is.
    pub info: String,
    /// The lines between, without the fence's indentation.
    pub text: String,
    /// The fence's indentation.
    pub indent: String,
}

impl Block {
    /// The first word.
    pub fn language(&self) -> &str {
        self.info.split(' ').next().unwrap_or("")
    }

    /// The words behind the first.
    pub fn words(&self) -> Vec<&str> {
        self.info.split(' ').skip(1).collect()
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Whether files that are made from the code are to be written.
pub fn update() -> bool {
    std::env::var_os("GERM_UPDATE").is_some()
}

/// Holds a file against what the code makes of it, or writes it.
pub fn keep(name: &str, made: &str) {
    let path = root().join(name);
    let kept = fs::read_to_string(&path).unwrap_or_default();
    if update() && kept != made {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, made).unwrap();
        return;
    }
    assert!(kept == made, "{name} is not what the code says; GERM_UPDATE=1 writes it anew");
}

impl Page {
    /// Reads a page.
    pub fn read(name: &str) -> Self {
        let text = fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        Self { name: name.to_owned(), text }
    }

    /// The pages for users: the README and all below `docs/`.
    pub fn for_users() -> Vec<Self> {
        let files = walkdir::WalkDir::new(root().join("docs")).sort_by_file_name();
        let files = files.into_iter().map(|entry| entry.unwrap().into_path());
        let docs = files.filter(|path| path.extension().is_some_and(|end| end == "md"));
        let mut names: Vec<PathBuf> = docs.map(|path| path.strip_prefix(root()).unwrap().into()).collect();
        names.insert(0, "README.md".into());
        names.iter().map(|name| Self::read(name.to_str().unwrap())).collect()
    }

    /// Everything in it.
    pub fn parts(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut lines = self.text.lines().enumerate();
        while let Some((index, text)) = lines.next() {
            let line = index + 1;
            let body = text.trim_start();
            let indent = &text[..text.len() - body.len()];
            let fence: String = body.chars().take_while(|c| *c == '`').collect();
            if fence.len() >= 3 {
                let inside = lines.by_ref().map(|(_, text)| text.strip_prefix(indent).unwrap_or(text));
                let inside: Vec<&str> = inside.take_while(|text| *text != fence).collect();
                let text = inside.iter().flat_map(|line| [*line, "\n"]).collect();
                let info = body[fence.len()..].trim().to_owned();
                parts.push(Part::Block(Block { line, info, text, indent: indent.to_owned() }));
            } else if let Some(comment) = body.strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->"))
            {
                parts.push(Part::Comment { line, text: comment.trim().to_owned() });
            } else {
                parts.push(Part::Line { line, text: text.to_owned() });
            }
        }
        parts
    }

    /// The blocks.
    pub fn blocks(&self) -> impl Iterator<Item = Block> {
        self.parts().into_iter().filter_map(|part| match part {
            Part::Block(block) => Some(block),
            _ => None,
        })
    }

    /// The text of the first block that is called so: whose fence ends in these words.
    pub fn block(&self, what: &str) -> String {
        let found = self.blocks().find(|block| block.words().join(" ") == what);
        found.unwrap_or_else(|| panic!("{} has no block {what}", self.name)).text
    }

    /// The part of the page from this heading of the second level to the next one.
    pub fn section(&self, title: &str) -> Self {
        let after = self.text.split(&format!("\n## {title}\n")).nth(1);
        let after = after.unwrap_or_else(|| panic!("{} has no section {title}", self.name));
        Self { name: self.name.clone(), text: after.split("\n## ").next().unwrap().to_owned() }
    }

    /// Holds the part between `<!-- WHAT: begin… -->` and `<!-- WHAT: end -->` against what the
    /// code makes, or writes it.
    pub fn keep_part(&self, what: &str, made: &str) {
        let marker = |text: &str| self.text.find(&format!("<!-- {what}: {text}"));
        let (Some(begin), Some(end)) = (marker("begin"), marker("end")) else {
            panic!("{} has no place for {what}", self.name)
        };
        let begin = begin + self.text[begin..].find('\n').unwrap() + 1;
        keep(&self.name, &format!("{}{made}{}", &self.text[..begin], &self.text[end..]));
    }

    /// The anchors of its headings, as GitHub and mdBook make them.
    pub fn anchors(&self) -> Vec<String> {
        let mut anchors: Vec<String> = Vec::new();
        for part in self.parts() {
            let Part::Line { text, .. } = part else { continue };
            let hashes = text.chars().take_while(|c| *c == '#').count();
            let Some(title) = text[hashes..].strip_prefix(' ').filter(|_| (1..=6).contains(&hashes)) else {
                continue;
            };
            let kept = title.trim().to_lowercase().replace(' ', "-");
            let slug: String =
                kept.chars().filter(|c| c.is_alphanumeric() || *c == '-' || *c == '_').collect();
            let same = anchors.iter().filter(|known| **known == slug).count();
            anchors.push(if same > 0 { format!("{slug}-{same}") } else { slug });
        }
        anchors
    }

    /// The targets of its links and images, outside of code, with their lines.
    pub fn links(&self) -> Vec<(usize, String)> {
        let mut links = Vec::new();
        for part in self.parts() {
            let Part::Line { line, text } = part else { continue };
            let text = without_code(&text);
            let mut rest = text.as_str();
            while let Some(at) = rest.find("](") {
                rest = &rest[at + 2..];
                let Some(end) = rest.find(')') else { break };
                links.push((line, rest[..end].to_owned()));
                rest = &rest[end..];
            }
            for word in text.split('<').skip(1) {
                let target = word.split('>').next().unwrap();
                if target.starts_with("http") {
                    links.push((line, target.to_owned()));
                }
            }
        }
        links
    }
}

/// A line without what stands between backquotes.
fn without_code(line: &str) -> String {
    line.split('`').enumerate().filter(|(index, _)| index % 2 == 0).map(|(_, text)| text).collect()
}
