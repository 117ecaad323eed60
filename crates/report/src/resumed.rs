//! Methods whose calls include resumptions of Kotlin's coroutines.

use crate::number::{counted, grouped};
use jfathom_profile::{Frame, Method, MethodIx, Profile};
use jfathom_views::Names;
use std::cmp::Reverse;
use std::io::{self, Write};

/// Stands behind the name of such a method.
const MARK: &str = " ↻";
/// What a table with such names says of them.
pub(crate) const RESUMED_LEGEND: &str =
    "↻: the calls of the method include resumptions of a Kotlin coroutine";
/// Methods that are named.
const NAMED: usize = 4;

/// Writes which methods these are, those with most calls first. Nothing where there are none.
pub(crate) fn write(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let mut methods: Vec<(MethodIx, &Method)> = (0..)
        .map(MethodIx)
        .zip(&profile.methods)
        .filter(|(_, method)| method.info.resumes && method.calls() > 0)
        .collect();
    if methods.is_empty() {
        return Ok(());
    }
    methods.sort_by_key(|(ix, method)| (Reverse(method.calls()), *ix));
    let names = Names::of(&profile.methods);
    let mut named: Vec<String> =
        methods.iter().take(NAMED).map(|(ix, _)| names.method(*ix).to_owned()).collect();
    if let more @ 1.. = methods.len().saturating_sub(NAMED) {
        named.push(format!("{} more", grouped(more as u64)));
    }
    write_line!(
        out,
        "resumed   calls of {} include resumptions of Kotlin coroutines: {}",
        counted(methods.len() as u64, "method", "methods"),
        named.join(", ")
    )
}

/// Whether a table of these frames has a name with a mark.
pub(crate) fn is_marked(profile: &Profile, frame: Frame) -> bool {
    matches!(frame, Frame::Method(method) if profile.method(method).info.resumes)
}

/// The name of a frame, with the mark if it is such a method.
pub(crate) fn marked(profile: &Profile, frame: Frame, name: String) -> String {
    if is_marked(profile, frame) { name + MARK } else { name }
}
