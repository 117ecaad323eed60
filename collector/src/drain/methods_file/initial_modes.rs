//! New methods of a live session as manifests, and their initial modes.

use crate::drain::{count_rule::CountRule, modes::InitialModes};
use jfathom_plan::{Digest, IdRange, Manifest, ManifestClass, Placement};
use jfathom_trace::layout;
use std::collections::BTreeMap;

/// The initial modes of new methods, for a drainer: one value for each run of consecutive ids.
pub(crate) fn initial_modes(classes: &[ManifestClass], rule: &CountRule) -> Vec<InitialModes> {
    let mut ids: Vec<u32> = classes
        .iter()
        .flat_map(|class| class.methods.iter().map(|method| method.id.get()))
        .collect();
    ids.sort_unstable();
    let mut runs: Vec<IdRange> = Vec::new();
    for id in ids {
        match runs.last_mut() {
            Some(run) if run.end() == id => run.len += 1,
            _ => runs.push(IdRange { start: id, len: 1 }),
        }
    }
    let mut whole = InitialModes::from_manifest(&manifest(classes.to_vec()), rule);
    let mut modes: Vec<InitialModes> = runs
        .into_iter()
        .map(|ids| InitialModes {
            ids,
            count: Vec::new(),
            roots: Vec::new(),
            waits: Vec::new(),
            watched: Vec::new(),
            timed: Vec::new(),
            walked: Vec::new(),
        })
        .collect();
    // In the last value: the drainer must know all ids before it changes the mode of one.
    if let Some(last) = modes.last_mut() {
        last.count = std::mem::take(&mut whole.count);
    }
    if let Some(first) = modes.first_mut() {
        first.roots = whole.roots;
        first.waits = whole.waits;
        first.watched = whole.watched;
        first.timed = whole.timed;
        first.walked = whole.walked;
    }
    modes
}

/// Classes of a live session as a manifest.
pub(super) fn manifest(classes: Vec<ManifestClass>) -> Manifest {
    Manifest {
        tool: String::new(),
        plan: Digest::default(),
        placement: Placement::Live,
        module: None,
        ids: IdRange { start: 0, len: layout::LIVE_IDS },
        has_roots: true,
        roots: Vec::new(),
        scheme: None,
        call_graph: None,
        classes,
        skips: Vec::new(),
        skip_counts: BTreeMap::new(),
        interfaces: Vec::new(),
        unfollowed: Default::default(),
    }
}
