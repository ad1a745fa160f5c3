//! The figures as tables that are text and Markdown alike.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::series::{Row, TALOS, Table};
use super::{Result, inputs};

const FROM: &str = "<!-- figures: written by benches/compare.sh --write -->";
const TO: &str = "<!-- end of figures -->";

/// All tables, under the machine that they were measured on.
pub fn text(tables: &[Table], folder: &Path) -> Result<String> {
    let mut out = machine();
    for table in tables {
        let bytes = fs::metadata(inputs::file(folder, table.name))?.len();
        let _ = write!(out, "\n**{}, {}**\n\n", table.title, size(bytes));
        out.push_str(&aligned(&lines(table, bytes)));
    }
    Ok(out)
}

fn machine() -> String {
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpus.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "germ-post {} on {}, {cores} cores; medians; ratios are CPU time a byte, germ-post under `talos` being 1.\n",
        env!("CARGO_PKG_VERSION"),
        model.map_or("an unknown processor", |(_, model)| model.trim()),
    )
}

fn lines(table: &Table, bytes: u64) -> Vec<[String; 6]> {
    let own = table.rows.iter().find(|row| row.program == TALOS).and_then(Row::speed);
    let head = ["program", "CPU ms", "wall ms", "peak MiB", "MB/s of CPU", "ratio"].map(str::to_owned);
    let row = |row: &Row| {
        let name = match row.bytes {
            other if other != bytes => format!("{} (on {}, once)", row.program, size(other)),
            _ => row.program.clone(),
        };
        let Some(figures) = row.figures else {
            return [name, "failed".into(), String::new(), String::new(), String::new(), String::new()];
        };
        // What reads nothing has no speed.
        let reads = row.program != "true";
        let speed = row.speed().filter(|_| reads);
        [
            name,
            number(figures.cpu),
            number(figures.wall),
            number(figures.peak),
            speed.map(number).unwrap_or_default(),
            own.zip(speed).map(|(own, speed)| number(own / speed)).unwrap_or_default(),
        ]
    };
    std::iter::once(head).chain(table.rows.iter().map(row)).collect()
}

/// Three digits, or all in front of the point.
pub fn number(value: f64) -> String {
    match value {
        small if small < 9.995 => format!("{small:.2}"),
        middle if middle < 99.95 => format!("{middle:.1}"),
        large => format!("{large:.0}"),
    }
}

/// A number of bytes.
pub fn size(bytes: u64) -> String {
    match bytes as f64 {
        small if small < 1e6 => format!("{} kB", number(small / 1e3)),
        large => format!("{} MB", number(large / 1e6)),
    }
}

/// A Markdown table with even columns: names to the left, numbers to the right.
fn aligned(lines: &[[String; 6]]) -> String {
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..6).map(width).collect();
    let mut out = String::new();
    for (nth, line) in lines.iter().enumerate() {
        for (column, cell) in line.iter().enumerate() {
            let width = widths[column];
            let _ = match column {
                0 => write!(out, "| {cell:<width$} |"),
                _ => write!(out, " {cell:>width$} |"),
            };
        }
        out.push('\n');
        if nth == 0 {
            let rule = |(column, width): (usize, &usize)| match column {
                0 => format!("|{}|", "-".repeat(width + 2)),
                _ => format!("{}:|", "-".repeat(width + 1)),
            };
            out.extend(widths.iter().enumerate().map(rule));
            out.push('\n');
        }
    }
    out
}

/// Puts the text between the two markers of a document.
pub fn put_into(path: &Path, text: &str) -> Result<()> {
    let old = fs::read_to_string(path)?;
    let parts = old.split_once(FROM).and_then(|(head, rest)| Some((head, rest.split_once(TO)?.1)));
    let (head, tail) = parts.ok_or_else(|| format!("{} has no `{FROM}` … `{TO}`", path.display()))?;
    Ok(fs::write(path, format!("{head}{FROM}\n\n{text}\n{TO}{tail}"))?)
}
