//! Allocated bytes of both sides.

use jfathom_profile::{Bytes, Frame, Profile};

use crate::hot_methods;

/// Bytes per run on both sides. None for a side without them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BytesDiff {
    /// Mean of the baseline's runs.
    pub base: Option<f64>,
    /// Mean of the candidate's runs.
    pub new: Option<f64>,
}

impl BytesDiff {
    /// Candidate minus baseline. None unless both are known.
    pub fn difference(&self) -> Option<f64> {
        Some(self.new? - self.base?)
    }

    /// Relative growth: 0.1 is ten per cent. None unless both are known, and where the baseline has
    /// no bytes and the candidate has some.
    pub fn growth(&self) -> Option<f64> {
        match (self.base?, self.new?) {
            (_, 0.0) => Some(if self.base? > 0.0 { -1.0 } else { 0.0 }),
            (0.0, _) => None,
            (base, new) => Some(new / base - 1.0),
        }
    }
}

/// Bytes per run of a method.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MethodBytes {
    /// In the method itself.
    pub own: f64,
    /// With its callees, recursive calls counted once.
    pub total: f64,
    /// Those of its calls at the bottom of a stack.
    pub bottom: f64,
    /// In the tasks that it spawned.
    pub task: f64,
}

/// The bytes of each method of a profile. None if not all of its recordings have them.
pub(super) fn by_method(profile: &Profile) -> Option<Vec<MethodBytes>> {
    if !profile.allocation.is_whole() {
        return None;
    }
    let per_run = |bytes: Bytes| bytes.0 as f64 / profile.run_count() as f64;
    let mut methods = vec![MethodBytes::default(); profile.methods.len()];
    for hot in hot_methods(profile, |_| true) {
        let of = &mut methods[hot.method.0 as usize];
        (of.own, of.total) = (per_run(hot.allocated), per_run(hot.total_allocated));
    }
    let tree = &profile.tree;
    for node in tree.nodes() {
        let bytes = per_run(tree.total_allocated(node));
        match tree.frame(node) {
            Frame::Method(method) if tree.depth(node) == 1 => {
                methods[method.0 as usize].bottom += bytes;
            }
            Frame::Task(method) => methods[method.0 as usize].task += bytes,
            Frame::Method(_) | Frame::Thread(_) => {}
        }
    }
    Some(methods)
}

/// The bytes per run that each context itself allocates. `places` has the context of each node.
/// None if not all recordings have them.
pub(super) fn by_context(
    profile: &Profile,
    places: &[Option<usize>],
    contexts: usize,
) -> Option<Vec<f64>> {
    if !profile.allocation.is_whole() {
        return None;
    }
    let mut sums = vec![0.0; contexts];
    for (node, place) in profile.tree.nodes().zip(places) {
        if let Some(place) = *place {
            sums[place] += profile.tree.allocated(node).0 as f64 / profile.run_count() as f64;
        }
    }
    Some(sums)
}
