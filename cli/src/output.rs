//! Outputs that the user names, or stdout.

use crate::failure::context;
use anyhow::Result;
use jfathom_files::output::{self, Output};
use jfathom_report::{Coloured, Printed};
use std::{io::Write, path::Path};

/// Writes text to an output that the user names, or to stdout. Unprintable characters are escaped
/// in files too, since a terminal may show them later.
pub(crate) fn to_output(
    file: Option<&Path>,
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<()> {
    to_file(file.unwrap_or(Path::new(output::STDOUT)), |out| {
        let mut out = Printed::new(out);
        write(&mut out)?;
        out.flush()
    })
}

/// The output, if its name says that it is a page for the browser.
pub(crate) fn page_file(output: Option<&Path>) -> Option<&Path> {
    output.filter(|path| path.extension().is_some_and(|ending| ending == "html"))
}

/// Writes text to an output that the user names, or to stdout, there in colours if `is_coloured`.
pub(crate) fn to_terminal(
    file: Option<&Path>,
    is_coloured: bool,
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<()> {
    if !is_coloured || file.is_some_and(|file| !is_stdout(file)) {
        return to_output(file, write);
    }
    to_file(Path::new(output::STDOUT), |out| {
        let mut out = Printed::new(Coloured::new(out));
        write(&mut out)?;
        out.flush()
    })
}

/// Writes an output that the user names; `-` is stdout.
pub(crate) fn to_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<()> {
    written(path, output::write(path, 0o666, write))
}

/// As [`to_file`], but never replaces a file.
pub(crate) fn to_new_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<()> {
    written(path, Output::find(path).and_then(|output| output.write_new(0o666, write)))
}

fn written(path: &Path, result: std::io::Result<()>) -> Result<()> {
    result.map_err(|error| match is_stdout(path) {
        true => error.into(),
        false => context(error, path, "cannot write"),
    })
}

/// Whether an output is stdout.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path == Path::new(output::STDOUT)
}
