//! The report of a run as versioned JSON.

use serde::Serialize;

use crate::rewrite::Report;

/// The version of the format. Fields may be added within a version; none changes
/// its meaning or goes.
pub const VERSION: u32 = 1;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct File<'r> {
    version: u32,
    tool: Tool<'r>,
    profiles: &'r [String],
    exit: u8,
    #[serde(flatten)]
    report: &'r Report,
}

#[derive(Serialize)]
struct Tool<'r> {
    name: &'r str,
    version: &'r str,
}

/// The report's text, ending with a line break.
pub fn render(report: &Report, profiles: &[String], exit: u8) -> Result<String, serde_json::Error> {
    let file = File {
        version: VERSION,
        tool: Tool { name: "germ-post", version: env!("CARGO_PKG_VERSION") },
        profiles,
        exit,
        report,
    };
    serde_json::to_string_pretty(&file).map(|text| text + "\n")
}
