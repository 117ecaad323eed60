//! Stdout and stderr. All text of this program goes through here and through [`Printed`], so that
//! no name controls a terminal. jfathom's own control sequences are in this file.

use jfathom_plan::printable;
use jfathom_report::Printed;
use std::{
    fs,
    io::{self, IsTerminal, StderrLock, StdoutLock, Write},
    os::unix::fs::MetadataExt,
};

/// Erases from the cursor to the line's end (ECMA-48).
const ERASE: &[u8] = b"\x1b[K";

/// Stdout for text.
pub(crate) fn stdout() -> Printed<StdoutLock<'static>> {
    Printed::new(io::stdout().lock())
}

/// Stderr for text.
pub(crate) fn stderr() -> Printed<StderrLock<'static>> {
    Printed::new(io::stderr().lock())
}

/// Whether stderr is a terminal.
pub(crate) fn is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Whether stdin and stdout are terminals.
pub(crate) fn has_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Whether stdout is a terminal.
pub(crate) fn is_stdout_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Whether a process writes to the terminal that stderr is; true if that is not known.
pub(crate) fn shares_terminal(pid: u32) -> bool {
    let device = |path: String| fs::metadata(path).map(|meta| meta.rdev());
    let Ok(own) = device("/proc/self/fd/2".to_owned()) else { return true };
    [1, 2].iter().any(|stream| match device(format!("/proc/{pid}/fd/{stream}")) {
        Ok(theirs) => theirs == own,
        // A closed stream writes nowhere.
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    })
}

/// Columns of the terminal that stdout is; `None` if it is no terminal.
pub(crate) fn terminal_width() -> Option<usize> {
    let out = io::stdout();
    if !out.is_terminal() {
        return None;
    }
    let columns = rustix::termios::tcgetwinsize(&out).ok()?.ws_col;
    (columns > 0).then_some(usize::from(columns))
}

/// Whether text on stdout is coloured (<https://no-color.org>, <https://bixense.com/clicolors>).
pub(crate) fn is_coloured() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_forced = std::env::var_os("CLICOLOR_FORCE").is_some_and(|value| value != "0");
    let takes_colours =
        io::stdout().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
    !is_set("NO_COLOR") && (is_forced && is_set("CLICOLOR_FORCE") || takes_colours)
}

/// Shows a line on the terminal that stderr is, and leaves the cursor at its beginning: the next
/// one overwrites it. Errors are ignored: a closed terminal must not end a recording.
pub(crate) fn show_status(text: &str) {
    let mut err = io::stderr().lock();
    let _ = err.write_all(&[printable(text).as_bytes(), ERASE, b"\r"].concat());
}

/// Erases the line of [`show_status`].
pub(crate) fn erase_status() {
    let _ = io::stderr().lock().write_all(ERASE);
}

/// Prints a sentence on stderr, after the program's name. Further lines, such as the hints of an
/// error, are indented, so that none looks like a sentence of its own.
pub(crate) fn say(sentence: &str) {
    let mut text = String::from("jfathom: ");
    for (at, line) in sentence.split('\n').enumerate() {
        if at > 0 && !line.starts_with("  ") {
            text.push_str("  ");
        }
        text.push_str(&printable(line));
        text.push('\n');
    }
    let _ = stderr().write_all(text.as_bytes());
}

/// Prints a question on stderr, and leaves the cursor behind it.
pub(crate) fn prompt(question: &str) {
    let _ = io::stderr().lock().write_all(printable(question).as_bytes());
}

/// Prints help or a usage error, in colours unless it has something unprintable in it.
pub(crate) fn print_usage(error: &clap::Error) {
    let plain = error.render().to_string();
    let is_ours = plain.lines().all(|line| printable(line) == line);
    // A closed pipe behind `--help` is no failure of ours.
    let _ = match is_ours {
        true => error.print(),
        false => stderr().write_all(plain.as_bytes()),
    };
}
