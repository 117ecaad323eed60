//! The modes of methods at the begin of a recording.

use crate::{
    Error, RecordOptions,
    drain::{count_rule::CountRule, manifests::ManifestLibrary},
};
use jfathom_plan::{IdRange, InstrumentedMethod, Manifest, MethodId};
use jfathom_session::names::{MODES_FILE, READING_FILE, ROOTS_ONLY_FILE, STACK_INTERVALS_FILE};
use jfathom_trace::{ManifestRef, ReadingMethods, StackIntervalIx, layout};
use std::{io::Write, path::Path, sync::Arc};

/// The modes that the methods of a manifest begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InitialModes {
    pub ids: IdRange,
    pub count: Vec<MethodId>,
    /// Roots; they are never counted.
    pub roots: Vec<MethodId>,
    /// Methods that wait for other threads; they are counted only if the user says so.
    pub waits: Vec<MethodId>,
    /// Methods whose calls have latencies; they are counted only if the user says so.
    pub watched: Vec<MethodId>,
    /// Methods that are timed because the user says so.
    pub timed: Vec<MethodId>,
    /// Methods whose stacks are walked at some calls.
    pub walked: Vec<(MethodId, StackIntervalIx)>,
}

impl InitialModes {
    /// The modes that the rule chooses.
    pub fn from_manifest(manifest: &Manifest, rule: &CountRule) -> Self {
        let ids = |is_wanted: fn(&InstrumentedMethod) -> bool| {
            let methods = manifest.methods().filter(|(_, method)| is_wanted(method));
            methods.map(|(_, method)| method.id).collect()
        };
        let chosen = rule.choose(manifest);
        // A JVM that runs has called some of them with probes that time. What is off from now on
        // would leave these calls open; what is counted does not.
        let count = chosen.count.into_iter().chain(chosen.off);
        Self {
            ids: manifest.ids,
            count: count.collect(),
            timed: chosen.timed,
            walked: chosen.walked,
            roots: ids(|method| method.root),
            waits: ids(|method| method.waits),
            watched: chosen.watched,
        }
    }
}

/// Writes the file of initial modes, from the manifests that are known before any JVM runs. Without
/// a mode to write there is no file.
///
/// # Errors
/// Fails if the file cannot be written, or if only roots are to be timed and there are none.
pub(crate) fn write(
    dir: &Path,
    options: &RecordOptions,
    library: &ManifestLibrary,
) -> Result<(), Error> {
    let mut modes: Vec<u8> = Vec::new();
    let mut reading = ReadingMethods::default();
    let mut has_roots = false;
    for manifest in known(options, library) {
        let mut set = |id: MethodId, mode: u32| *mode_of(&mut modes, id) = mode as u8;
        match options.roots_only {
            true => {
                let mut methods = manifest.methods();
                has_roots |= methods.any(|(_, method)| method.root);
                let others = manifest.methods().filter(|(_, method)| !method.root);
                others.for_each(|(_, method)| set(method.id, layout::MODE_OFF));
            }
            false => {
                let chosen = options.count.choose(&manifest);
                chosen.count.into_iter().for_each(|id| set(id, layout::MODE_COUNT));
                chosen.off.into_iter().for_each(|id| set(id, layout::MODE_OFF));
                for (id, interval) in chosen.walked {
                    *mode_of(&mut modes, id) |= interval.mode_bits();
                }
                chosen.reading.into_iter().for_each(|id| reading.insert(id));
            }
        }
    }
    if options.roots_only && !has_roots {
        return Err(Error::NoRoot { files: options.files.len() + options.manifests.len() });
    }
    let replace = |name: &str, bytes: &[u8]| {
        jfathom_files::replace(&dir.join(name), 0o600, |file| file.write_all(bytes))
    };
    let marked = if options.roots_only { replace(ROOTS_ONLY_FILE, &[]) } else { Ok(()) };
    let written = if modes.is_empty() { Ok(()) } else { replace(MODES_FILE, &modes) };
    let intervals: Vec<u8> = match options.roots_only {
        true => Vec::new(),
        false => {
            let intervals = options.count.rules.stack_intervals();
            intervals.iter().flat_map(|interval| interval.get().to_le_bytes()).collect()
        }
    };
    let table =
        if intervals.is_empty() { Ok(()) } else { replace(STACK_INTERVALS_FILE, &intervals) };
    let read = match reading.is_empty() {
        true => Ok(()),
        false => replace(READING_FILE, reading.bytes()),
    };
    marked
        .and(written)
        .and(table)
        .and(read)
        .map_err(|e| Error::SessionDir { path: dir.to_owned(), what: e.to_string() })
}

/// The initial mode of a method.
fn mode_of(modes: &mut Vec<u8>, id: MethodId) -> &mut u8 {
    let index = id.get() as usize;
    if modes.len() <= index {
        modes.resize(index + 1, layout::MODE_TIME as u8);
    }
    &mut modes[index]
}

/// The manifests that are known before any JVM runs, without those whose ids overlap: which one a
/// JVM means is known only when it names it.
fn known(options: &RecordOptions, library: &ManifestLibrary) -> Vec<Arc<Manifest>> {
    let seen: Vec<&ManifestRef> = options.files.iter().chain(&options.manifests).collect();
    let mut manifests = Vec::new();
    for (place, one) in seen.iter().enumerate() {
        let same = |other: &&&ManifestRef| other.plan == one.plan && other.ids == one.ids;
        let claimed = seen.iter().any(|other| other.ids.overlaps(one.ids) && !same(&other));
        let again = seen.iter().take(place).any(|other| same(&other));
        manifests.extend((!claimed && !again).then(|| library.peek(one)).flatten());
    }
    manifests
}

#[cfg(test)]
mod tests;
