//! A packaged chart → the files that matter here, in memory. Limits are Helm's, so
//! that an archive that Helm would refuse takes no memory here either.

use std::io::Read;

use flate2::read::GzDecoder;
use tar::Archive;

use super::load::{ChartFile, is_of_interest};

/// Bytes of a whole archive, unpacked: `MaxDecompressedChartSize` of Helm.
const MAX_CHART: u64 = 100 * 1024 * 1024;
/// Bytes of one file in it: `MaxDecompressedFileSize` of Helm.
const MAX_FILE: u64 = 5 * 1024 * 1024;

/// Unpacks a `.tgz`. Every path loses its first part, the chart's own folder. An error
/// says what is wrong with the archive.
pub fn unpack(bytes: &[u8]) -> Result<Vec<ChartFile>, String> {
    let unreadable = |error: std::io::Error| format!("the archive cannot be read: {error}");
    let mut archive = Archive::new(GzDecoder::new(bytes).take(MAX_CHART + 1));
    let mut files = Vec::new();
    let mut total = 0;
    for entry in archive.entries().map_err(unreadable)? {
        let mut entry = entry.map_err(unreadable)?;
        total += entry.size();
        if total > MAX_CHART {
            return Err("the archive is larger than the 100 MiB that Helm takes".to_owned());
        }
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let path = String::from_utf8_lossy(&entry.path_bytes()).replace('\\', "/");
        let path = path.trim_start_matches("./");
        let Some((_, inside)) = path.split_once('/') else {
            return Err("a file of the archive is in no folder of the chart".to_owned());
        };
        if inside.split('/').any(|part| part == "..") {
            return Err("a file of the archive lies outside of the chart".to_owned());
        }
        if !is_of_interest(inside) {
            continue;
        }
        if entry.size() > MAX_FILE {
            return Err(format!("{inside} is larger than the 5 MiB that Helm takes"));
        }
        let path = inside.to_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).map_err(unreadable)?;
        files.push(ChartFile { path, bytes });
    }
    if files.is_empty() { Err("the archive holds no chart".to_owned()) } else { Ok(files) }
}
