//! Throughput by size of the input as an SVG picture, both axes logarithmic.

use std::fmt::Write as _;

use super::series::{KUSTOMIZE, NONE, Row, TALOS, YQ};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 190.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;

/// Decades of bytes, and of MB/s.
const SIZES: (i32, i32) = (3, 8);
const SPEEDS: (i32, i32) = (-2, 4);

const SERIES: [(&str, &str); 5] =
    [("cat", "#777777"), (NONE, "#0072b2"), (TALOS, "#d55e00"), (YQ, "#009e73"), (KUSTOMIZE, "#cc79a7")];

/// The picture.
pub fn svg(rows: &[Row]) -> String {
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n\
         <text x=\"{LEFT}\" y=\"22\" font-size=\"14\">Throughput by size of the input, \
         whole processes, MB per second of CPU time</text>\n"
    );
    axes(&mut out);
    let mut labels: Vec<f64> = Vec::new();
    for (name, colour) in SERIES {
        let points: Vec<(f64, f64)> = rows
            .iter()
            .filter(|row| row.program == name)
            .filter_map(|row| Some((x(row.bytes as f64), y(row.speed()?))))
            .collect();
        let Some(last) = points.last() else { continue };
        let path: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            path.join(" ")
        );
        for (x, y) in &points {
            let _ = writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
        }
        // Names stand at the ends of their lines, but not upon each other.
        let mut at = last.1 + 4.0;
        while labels.iter().any(|other| (other - at).abs() < 15.0) {
            at += 3.0;
        }
        labels.push(at);
        let _ =
            writeln!(out, "<text x=\"{:.1}\" y=\"{at:.1}\" fill=\"{colour}\">{name}</text>", last.0 + 8.0);
    }
    out.push_str("</svg>\n");
    out
}

fn x(bytes: f64) -> f64 {
    along(bytes, SIZES, LEFT, WIDTH - RIGHT)
}

fn y(speed: f64) -> f64 {
    along(speed, SPEEDS, HEIGHT - BOTTOM, TOP)
}

fn along(value: f64, (from, to): (i32, i32), start: f64, end: f64) -> f64 {
    start + (value.log10() - f64::from(from)) / f64::from(to - from) * (end - start)
}

fn axes(out: &mut String) {
    let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
    for decade in SIZES.0..=SIZES.1 {
        let at = x(10f64.powi(decade));
        let name = ["1 kB", "10 kB", "100 kB", "1 MB", "10 MB", "100 MB"][(decade - SIZES.0) as usize];
        let _ = writeln!(
            out,
            "<line x1=\"{at:.1}\" y1=\"{TOP}\" x2=\"{at:.1}\" y2=\"{bottom}\" stroke=\"#dddddd\"/>\n\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{name}</text>",
            bottom + 20.0
        );
    }
    for decade in SPEEDS.0..=SPEEDS.1 {
        let at = y(10f64.powi(decade));
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{right}\" y2=\"{at:.1}\" stroke=\"#dddddd\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 8.0,
            at + 4.0,
            10f64.powi(decade)
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">size of the input</text>",
        (LEFT + right) / 2.0,
        HEIGHT - 10.0
    );
}
