//! What was set as a goal, and whether this run met it.

use std::fmt::Write as _;

use super::series::{KUSTOMIZE, Row, TALOS, Table, YQ};
use super::table::number;

/// One line a goal.
pub fn text(tables: &[Table]) -> String {
    let mut out = "\n**Goals**\n\n".to_owned();
    let table = |name: &str| tables.iter().find(|table| table.name == name);
    for (name, peer, times) in
        [("release", KUSTOMIZE, 40.0), ("release", YQ, 10.0), ("chart", KUSTOMIZE, 50.0)]
    {
        let ratio = table(name).and_then(|table| ratio(table, peer));
        let goal = format!("{name}: at most 1/{times} of the CPU time of {peer}");
        line(&mut out, &goal, ratio.map(|ratio| (ratio >= times, format!("1/{}", number(ratio)))));
    }
    let late = table("release").and_then(|table| {
        let wall = |name| Some(row(table, name)?.figures?.wall);
        Some(wall(TALOS)? - wall("true")?)
    });
    line(
        &mut out,
        "release: within 3 ms of `true`, in wall time",
        late.map(|late| (late <= 3.0, format!("{} ms", number(late)))),
    );
    let fleet = table("fleet").and_then(|table| row(table, TALOS));
    for (goal, least) in
        [("fleet: at least 500 MB/s of CPU time", 500.0), ("fleet, as a wish: 700 MB/s", 700.0)]
    {
        let speed = fleet.and_then(Row::speed);
        line(&mut out, goal, speed.map(|speed| (speed >= least, format!("{} MB/s", number(speed)))));
    }
    let above = fleet.and_then(|row| Some(row.figures?.peak - row.bytes as f64 / f64::from(1 << 20)));
    line(
        &mut out,
        "fleet: peak memory at most the input and 20 MiB",
        above.map(|above| (above <= 20.0, format!("the input and {} MiB", number(above)))),
    );
    out
}

fn row<'t>(table: &'t Table, program: &str) -> Option<&'t Row> {
    table.rows.iter().find(|row| row.program == program)
}

/// How many times the CPU time of germ-post a peer takes.
fn ratio(table: &Table, peer: &str) -> Option<f64> {
    Some(row(table, peer)?.figures?.cpu / row(table, TALOS)?.figures?.cpu)
}

fn line(out: &mut String, goal: &str, outcome: Option<(bool, String)>) {
    let (met, figure) = match outcome {
        Some((true, figure)) => ("met", figure),
        Some((false, figure)) => ("**not met**", figure),
        None => ("not measured", String::new()),
    };
    let _ = writeln!(out, "- {goal}: {met}{}{figure}", if figure.is_empty() { "" } else { ", " });
}
