//! Methods whose calls include resumptions of Kotlin's coroutines.

use crate::number::{counted, grouped};
use jfathom_plan::MethodKey;
use jfathom_profile::{Frame, Method, MethodIx, Profile};
use jfathom_views::Names;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::{self, Write};

/// Stands behind the name of such a method.
const MARK: &str = " ↻";
/// What a table with such names says of them.
pub(crate) const RESUMED_LEGEND: &str =
    "↻: the calls include resumptions of a Kotlin coroutine, which :resumed counts";
/// Methods that are named.
const NAMED: usize = 4;

/// How many calls of each method that coroutines enter again were resumptions.
pub(crate) fn resumptions(profile: &Profile) -> HashMap<MethodIx, u64> {
    let methods = || (0..).map(MethodIx).zip(&profile.methods);
    let rows = methods().filter(|(_, method)| method.info.is_resumption());
    let mut counts: HashMap<&MethodKey, u64> = HashMap::new();
    for (_, row) in rows {
        *counts.entry(&row.info.key).or_default() += row.calls() + row.virtual_calls;
    }
    let resumed = methods().filter(|(_, method)| is_resumed(method));
    let count = |(at, method): (MethodIx, &Method)| {
        let MethodKey { class, name, descriptor } = method.info.key.clone();
        let name = jfathom_plan::resumption_name(&name);
        let key = MethodKey { class, name, descriptor };
        (at, counts.get(&key).copied().unwrap_or(0))
    };
    resumed.map(count).collect()
}

fn is_resumed(method: &Method) -> bool {
    method.info.resumes && !method.info.is_resumption()
}

/// Writes how many calls of which methods were resumptions, the most first. Nothing where none was.
pub(crate) fn write(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let mut methods: Vec<(MethodIx, u64)> =
        resumptions(profile).into_iter().filter(|(_, count)| *count > 0).collect();
    if methods.is_empty() {
        return Ok(());
    }
    methods.sort_by_key(|(ix, count)| (Reverse(*count), *ix));
    let names = Names::of(&profile.methods);
    let of_all = |ix: MethodIx| {
        let method = profile.method(ix);
        method.calls() + method.virtual_calls
    };
    let mut named: Vec<String> = methods
        .iter()
        .take(NAMED)
        .map(|&(ix, count)| {
            format!("{} {} of {}", names.method(ix), grouped(count), grouped(of_all(ix)))
        })
        .collect();
    if let more @ 1.. = methods.len().saturating_sub(NAMED) {
        named.push(format!("{} more", counted(more as u64, "method", "methods")));
    }
    write_line!(
        out,
        "resumed   resumptions of Kotlin coroutines among the calls: {}",
        named.join(", ")
    )
}

/// Whether a table of these frames has a name with a mark.
pub(crate) fn is_marked(profile: &Profile, frame: Frame) -> bool {
    matches!(frame, Frame::Method(method) if is_resumed(profile.method(method)))
}

/// The name of a frame, with the mark if it is such a method.
pub(crate) fn marked(profile: &Profile, frame: Frame, name: String) -> String {
    if is_marked(profile, frame) { name + MARK } else { name }
}
