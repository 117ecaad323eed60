//! One HTML file of the page's parts.

use crate::script::script;
use base64::{Engine, prelude::BASE64_STANDARD};
use libdeflater::{CompressionLvl, Compressor};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::io::{self, Write};

const PAGE: &str = include_str!("../web/index.html");
const STYLE: &str = include_str!("../web/style.css");

/// How well data are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    /// For a file that is kept.
    Small,
    /// For a browser on this machine that waits.
    Fast,
}

/// Writes the page of a document and its columns.
pub(crate) fn write(head: &Value, columns: &[u8], out: &mut dyn Write) -> io::Result<()> {
    let data = BASE64_STANDARD.encode(packed(head, columns, Packing::Small)?);
    write_page("", &page_policy(), &data, out)
}

/// Writes a page without data. It asks its own server for them, at the path `data`, as long as the
/// server says that there may be newer ones (`web/live.js`). Its policy is [`live_policy`].
///
/// # Errors
/// Fails if `out` does.
pub fn live_page(out: &mut dyn Write) -> io::Result<()> {
    write_page(" data-live=\"true\"", &live_policy(), "", out)
}

fn write_page(live: &str, policy: &str, data: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut rest = PAGE;
    for (mark, text) in [
        ("{live}", live),
        ("{policy}", policy),
        ("{style}", STYLE),
        ("{data}", data),
        ("{script}", &script()),
    ] {
        let (before, after) = rest.split_once(mark).unwrap_or((rest, ""));
        out.write_all(before.as_bytes())?;
        out.write_all(text.as_bytes())?;
        rest = after;
    }
    out.write_all(rest.as_bytes())
}

/// The security policy of a page with data. It allows the page's own script and style, and nothing
/// else: no network, no other script, no frame.
pub fn page_policy() -> String {
    let hash = |text: &str| format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)));
    format!(
        "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'",
        hash(&script()),
        hash(STYLE)
    )
}

/// The security policy of [`live_page`]: as [`page_policy`], and requests to the page's own server.
pub fn live_policy() -> String {
    format!("{}; connect-src 'self'", page_policy())
}

/// Length of the document in four bytes, the lowest first; the document; the columns; all as one
/// gzip stream.
pub(crate) fn packed(head: &Value, columns: &[u8], packing: Packing) -> io::Result<Vec<u8>> {
    let head = head.to_string();
    let length = u32::try_from(head.len()).map_err(io::Error::other)?;
    let data = [&length.to_le_bytes(), head.as_bytes(), columns].concat();
    let mut compressor = Compressor::new(match packing {
        Packing::Small => CompressionLvl::best(),
        Packing::Fast => CompressionLvl::fastest(),
    });
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
        for mark in ["{live}", "{policy}", "{style}", "{data}", "{script}"] {
            assert_eq!(PAGE.matches(mark).count(), 1, "{mark}");
        }
        let end = ["</script", "</style", "<!--"];
        assert!(end.iter().all(|end| !script().contains(end) && !STYLE.contains(end)));
    }
}
