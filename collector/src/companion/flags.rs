//! JFR from a JVM's start on.

use super::{JfrEvents, MAX_BYTES, NAME, SETTINGS_FILE, STACK_DEPTH};
use crate::Error;
use std::{os::unix::ffi::OsStrExt, path::Path};

/// The module without which a JVM has no JFR.
pub const JFR_MODULE: &str = "jdk.jfr";

/// Whether JFR can be told a path: its options have commas between them, and no quotes.
pub fn is_jfr_path(path: &Path) -> bool {
    !path.as_os_str().as_bytes().iter().any(|byte| b",=\"' \t\n".contains(byte))
}

/// So that a sampled stack has all calls that the compiler inlined. Without these flags compiled
/// code has them at safepoints alone, and a thread between two of them seems to be at the next one.
const INLINED_CALLS: [&str; 2] = ["-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints"];

/// The JVM flags that record events into a directory by a settings file, for both of which
/// [`is_jfr_path`] holds. Each JVM makes a file of its own there. `more` are further options of the
/// recording, each with a comma behind it.
pub fn jfr_flags(events: &JfrEvents, settings: &Path, directory: &Path, more: &str) -> Vec<String> {
    let inlined = INLINED_CALLS.iter().filter(|_| events.has_stack_samples());
    let mut flags: Vec<String> = inlined.map(|flag| (*flag).to_owned()).collect();
    flags.extend([
        format!("-XX:FlightRecorderOptions=stackdepth={STACK_DEPTH}"),
        format!(
            "-XX:StartFlightRecording={more}settings={},filename={},dumponexit=true",
            settings.display(),
            directory.display()
        ),
        // Its notes would stand in the program's output.
        "-Xlog:jfr*=error".to_owned(),
    ]);
    flags
}

/// Writes the settings into a session directory.
///
/// # Errors
/// Fails if the file cannot be written, or if JFR could not read the directory's name.
pub(crate) fn write_settings(events: &JfrEvents, dir: &Path) -> Result<(), Error> {
    let error = |what: String| Error::SessionDir { path: dir.to_owned(), what };
    if !is_jfr_path(dir) {
        return Err(error(
            "JFR takes no path with a comma, `=`, quote or blank; name another --session-dir"
                .to_owned(),
        ));
    }
    jfathom_files::write(&dir.join(SETTINGS_FILE), events.clone().with_clock().settings())
        .map_err(|e| error(e.to_string()))
}

/// The JVM flags that record into a session directory. Each JVM makes a file of its own there.
pub(crate) fn flags(events: &JfrEvents, dir: &Path) -> Vec<String> {
    let more = format!("name={NAME},maxsize={}m,", MAX_BYTES >> 20);
    jfr_flags(events, &dir.join(SETTINGS_FILE), dir, &more)
}
