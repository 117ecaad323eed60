//! One HTML file of the page's parts.

use crate::{base64::base64, script::script, sha256::sha256};
use libdeflater::{CompressionLvl, Compressor};
use serde_json::Value;
use std::io::{self, Write};

const PAGE: &str = include_str!("../web/index.html");
const STYLE: &str = include_str!("../web/style.css");

/// Writes the page of a document and its columns.
pub(crate) fn write(head: &Value, columns: &[u8], out: &mut dyn Write) -> io::Result<()> {
    let script = script();
    let policy = policy(&script);
    let data = base64(&compressed(head, columns)?);
    let mut rest = PAGE;
    for (mark, text) in
        [("{policy}", &*policy), ("{style}", STYLE), ("{data}", &*data), ("{script}", &*script)]
    {
        let (before, after) = rest.split_once(mark).unwrap_or((rest, ""));
        out.write_all(before.as_bytes())?;
        out.write_all(text.as_bytes())?;
        rest = after;
    }
    out.write_all(rest.as_bytes())
}

/// Allows this script and this style, and nothing else: no network, no other script, no frame.
fn policy(script: &str) -> String {
    let hash = |text: &str| format!("'sha256-{}'", base64(&sha256(text.as_bytes())));
    format!(
        "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'",
        hash(script),
        hash(STYLE)
    )
}

/// Length of the document in four bytes, the lowest first; the document; the columns; all as one
/// gzip stream.
fn compressed(head: &Value, columns: &[u8]) -> io::Result<Vec<u8>> {
    let head = head.to_string();
    let length = u32::try_from(head.len()).map_err(io::Error::other)?;
    let data = [&length.to_le_bytes(), head.as_bytes(), columns].concat();
    let mut compressor = Compressor::new(CompressionLvl::best());
    let mut stream = vec![0; compressor.gzip_compress_bound(data.len())];
    let length = compressor.gzip_compress(&data, &mut stream).map_err(io::Error::other)?;
    stream.truncate(length);
    Ok(stream)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_has_its_place_once() {
        for mark in ["{policy}", "{style}", "{data}", "{script}"] {
            assert_eq!(PAGE.matches(mark).count(), 1, "{mark}");
        }
        let end = ["</script", "</style", "<!--"];
        assert!(end.iter().all(|end| !script().contains(end) && !STYLE.contains(end)));
    }
}
