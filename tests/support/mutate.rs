//! Deterministic damage to real documents: what a differential test feeds to two
//! readers that must agree. The same seed gives the same texts on every machine.

/// A small generator of pseudo-random numbers (splitmix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number, of any size.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`; 0 when `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        if bound == 0 { 0 } else { (self.next() % bound as u64) as usize }
    }

    /// One of `items`.
    pub fn pick<'t, T: ?Sized>(&mut self, items: &[&'t T]) -> &'t T {
        items[self.below(items.len())]
    }
}

/// What has a meaning in YAML, or once confused a reader of it.
const SNIPPETS: &[&str] = &[
    ":",
    ": ",
    " #",
    "#",
    "- ",
    "-",
    "?",
    "? ",
    "&a ",
    "&a",
    "*a",
    "*a ",
    "!",
    "!!str ",
    "!x ",
    "|",
    ">",
    "|-\n",
    ">2\n",
    "|+\n",
    "|1\n",
    "'",
    "\"",
    "''",
    "\"\"",
    "\\",
    "\\\n",
    "{",
    "}",
    "[",
    "]",
    "{}",
    "[]",
    ",",
    "%",
    "@",
    "`",
    "\t",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\n \n",
    "\r\n",
    "---",
    "...",
    "<<: ",
    "~",
    "~: ",
    "\0",
    "\u{7f}",
    "é",
    "\u{a0}",
    "\u{3000}",
    "\u{1f600}",
    "\\u12",
    "\\u00e9",
    "\\ud83d",
    "\\/",
    "\\x41",
    "\\N",
    "0x",
    "1: ",
    "1.5: ",
    ".inf",
    "-.inf",
    ".nan",
    "null",
    "yes: ",
    "a: ",
    "a:",
    "- - ",
    "- a: ",
    "x",
    "0",
    "--- ",
    "...\n",
    "name: n\n",
    "kind: K\n",
    "metadata:\n",
    "\n# c\n",
    "\n  # c\n",
];

/// Line breaks and marks that only some readers know.
const FOREIGN: &[&str] = &["\u{85}", "\u{2028}", "\u{2029}", "\u{feff}", "\r"];

/// A short text of pieces that mean something to YAML, in any order.
pub fn soup(random: &mut Random) -> String {
    const PLAIN: &[&str] =
        &["a", "b c", "1", "yes", "\n", "\n  ", "\n- ", "\n  - ", "k: ", "\nl: ", "\n  m: ", "\"s\"", "'t'"];
    (0..2 + random.below(12))
        .map(|_| if random.below(3) == 0 { random.pick(PLAIN) } else { random.pick(SNIPPETS) })
        .collect()
}

/// A damaged part of `text`: an excerpt of at most `lines` lines with one to
/// four changes. With `foreign`, the changes may bring foreign line breaks.
pub fn mutate(text: &str, lines: usize, foreign: bool, random: &mut Random) -> String {
    let mut out = excerpt(text, lines, random);
    for _ in 0..1 + random.below(4) {
        out = change(&out, foreign, random);
    }
    out
}

/// Some lines in a row, moved to the left by the indentation they share.
fn excerpt(text: &str, most: usize, random: &mut Random) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    if lines.len() <= most {
        return text.to_owned();
    }
    let start = random.below(lines.len() - most);
    let lines = &lines[start..start + 1 + random.below(most)];
    let indent = |line: &&str| line.len() - line.trim_start_matches(' ').len();
    let shared = lines.iter().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    lines.iter().map(|line| line.get(shared.min(indent(line))..).unwrap_or("")).collect()
}

fn change(text: &str, foreign: bool, random: &mut Random) -> String {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    if lines.is_empty() {
        lines.push(String::new());
    }
    let line = random.below(lines.len());
    let other = random.below(lines.len());
    let snippet = if foreign && random.below(8) == 0 { random.pick(FOREIGN) } else { random.pick(SNIPPETS) };
    let place = boundary(&lines[line], random);
    match random.below(14) {
        0 => drop(lines.remove(line)),
        1 => {
            let copy = lines[line].clone();
            lines.insert(other, copy);
        }
        2 => lines.swap(line, other),
        3 => lines[line].insert_str(0, &" ".repeat(1 + random.below(3))),
        4 => {
            let cut = lines[line].len() - lines[line].trim_start_matches(' ').len();
            lines[line].drain(..random.below(cut + 1));
        }
        5 => {
            lines[line].pop();
        }
        6 => lines[line].truncate(place),
        7 => {
            let first = lines[line].trim_start_matches(' ').len();
            let start = lines[line].len() - first;
            lines[line].insert_str(start, snippet);
        }
        8 => {
            let end = lines[line].trim_end().len();
            lines[line].insert_str(end, snippet);
        }
        9 => {
            if let Some(colon) = lines[line].find(": ") {
                lines[line].insert_str(colon + 2, snippet);
            }
        }
        10 => {
            if let Some(colon) = lines[line].find(": ") {
                lines[line].replace_range(colon + 2.., &format!("{snippet}\n"));
            }
        }
        11 if place < lines[line].len() => {
            lines[line].remove(place);
        }
        _ => lines[line].insert_str(place, snippet),
    }
    lines.concat()
}

fn boundary(line: &str, random: &mut Random) -> usize {
    let mut place = random.below(line.len() + 1);
    while !line.is_char_boundary(place) {
        place -= 1;
    }
    place
}
