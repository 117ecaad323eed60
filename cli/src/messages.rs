//! User messages of all commands.

pub(crate) mod plan;
pub(crate) mod proposal;
pub(crate) mod record;
pub(crate) mod rewrite;
pub(crate) mod verify;

use crate::out;
use anyhow::Result;
use jfathom_archive::Notice;
use jfathom_report::number::grouped;
use std::io::Write;

/// Prints to stdout.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = out::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Prints to stderr.
pub(crate) fn warn(text: &str) -> Result<()> {
    out::stderr().write_all(text.as_bytes())?;
    Ok(())
}

/// Notices shown without --verbose.
const NOTICES: usize = 50;

/// Appends the notices of the archive crate, one line each. Those that need no action (`is_known`)
/// and those after the first [`NOTICES`] are shown only if `verbose`.
pub(crate) fn notices(
    text: &mut String,
    notices: &[Notice],
    verbose: bool,
    is_known: impl Fn(&Notice) -> bool,
) {
    let shown: Vec<&Notice> =
        notices.iter().filter(|notice| verbose || !is_known(notice)).collect();
    let most = if verbose { usize::MAX } else { NOTICES };
    for notice in shown.iter().take(most) {
        put_line!(text, "jfathom: notice: {notice}");
    }
    if let Some(more) = shown.len().checked_sub(most).filter(|&more| more > 0) {
        put_line!(text, "jfathom: notice: and {} more (-v lists them)", grouped(more as u64));
    }
}
