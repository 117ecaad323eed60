//! JFR from a JVM's start on.

use super::{JfrEvents, MAX_BYTES, NAME, SETTINGS_FILE, STACK_DEPTH};
use crate::Error;
use std::{os::unix::ffi::OsStrExt, path::Path};

/// The module without which a JVM has no JFR.
pub(crate) const MODULE: &str = "jdk.jfr";

/// Writes the settings into a session directory.
///
/// # Errors
/// Fails if the file cannot be written, or if JFR could not read the directory's name.
pub(crate) fn write_settings(events: &JfrEvents, dir: &Path) -> Result<(), Error> {
    let error = |what: String| Error::SessionDir { path: dir.to_owned(), what };
    if dir.as_os_str().as_bytes().iter().any(|byte| b",=\"' \t\n".contains(byte)) {
        return Err(error(
            "JFR takes no path with a comma, `=`, quote or blank; name another --session-dir"
                .to_owned(),
        ));
    }
    jfathom_files::write(&dir.join(SETTINGS_FILE), events.settings())
        .map_err(|e| error(e.to_string()))
}

/// The JVM flags that record into a session directory. Each JVM makes a file of its own there.
pub(crate) fn flags(dir: &Path) -> Vec<String> {
    let settings = dir.join(SETTINGS_FILE);
    vec![
        format!("-XX:FlightRecorderOptions=stackdepth={STACK_DEPTH}"),
        format!(
            "-XX:StartFlightRecording=name={NAME},settings={},filename={},maxsize={}m,\
             dumponexit=true",
            settings.display(),
            dir.display(),
            MAX_BYTES >> 20
        ),
        // Its notes would stand in the program's output.
        "-Xlog:jfr*=error".to_owned(),
    ]
}
