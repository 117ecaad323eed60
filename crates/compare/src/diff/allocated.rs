//! Allocated bytes of both sides.

use std::borrow::Cow;

use jfathom_profile::{Bytes, Frame, MethodIx, Profile};

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

/// Bytes per run of a method. None of calls that have not read them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MethodBytes {
    /// In the method itself.
    pub own: Option<f64>,
    /// With its callees, recursive calls counted once.
    pub total: Option<f64>,
    /// Those of its calls at the bottom of a stack.
    pub bottom: Option<f64>,
    /// In the tasks that it spawned.
    pub task: f64,
}

/// Both sides with the same methods that have read what they allocate: what one side has not read
/// is among the same callers' bytes on both. `methods` has the places of each method on both sides.
/// Counted calls read nothing. Also returns, by method, whether it has not read on either side.
pub(super) fn aligned<'p>(
    profiles: [&'p Profile; 2],
    methods: &[[Option<MethodIx>; 2]],
) -> ([Cow<'p, Profile>; 2], Vec<bool>) {
    let mut aligned = profiles.map(Cow::Borrowed);
    let lacks = |side: usize, at: MethodIx| {
        profiles[side].allocation.is_recorded() && !profiles[side].knows_bytes_of(at)
    };
    let mut unread = Vec::with_capacity(methods.len());
    for places in methods {
        let of = [0, 1].map(|side: usize| places[side].is_some_and(|at| lacks(side, at)));
        unread.push(of[0] || of[1]);
        for (side, place) in places.iter().enumerate() {
            let Some(at) = place.filter(|_| of != [false; 2] && !of[side]) else { continue };
            if let Some(method) = aligned[side].to_mut().methods.get_mut(at.0 as usize) {
                method.is_unread = true;
            }
        }
    }
    for side in &mut aligned {
        if let Cow::Owned(profile) = side {
            profile.lift_unread_bytes();
        }
    }
    (aligned, unread)
}

/// The bytes of each method of a profile. None if not all of its recordings have them.
pub(super) fn by_method(profile: &Profile) -> Option<Vec<MethodBytes>> {
    if !profile.allocation.is_whole() {
        return None;
    }
    let per_run = |bytes: Bytes| bytes.0 as f64 / profile.run_count() as f64;
    let known = |at: u32| {
        let zero = profile.knows_bytes_of(MethodIx(at)).then_some(0.0);
        MethodBytes { own: zero, total: zero, bottom: zero, task: 0.0 }
    };
    let mut methods: Vec<MethodBytes> = (0..profile.methods.len() as u32).map(known).collect();
    let add = |to: &mut Option<f64>, bytes: f64| *to = to.map(|sum| sum + bytes);
    for hot in hot_methods(profile, |_| true) {
        let of = &mut methods[hot.method.0 as usize];
        add(&mut of.own, per_run(hot.own.allocated()));
        add(&mut of.total, per_run(hot.total.allocated()));
    }
    let tree = &profile.tree;
    for node in tree.nodes() {
        let bytes = per_run(tree.total_allocated(node));
        match tree.frame(node) {
            Frame::Method(method) if tree.depth(node) == 1 => {
                add(&mut methods[method.0 as usize].bottom, bytes);
            }
            Frame::Task(method) => methods[method.0 as usize].task += bytes,
            Frame::Method(_) | Frame::Thread(_) => {}
        }
    }
    Some(methods)
}

/// The bytes per run that each context itself allocates; none of one whose calls have not read
/// them. `places` has the context of each node. None if not all recordings have them.
pub(super) fn by_context(
    profile: &Profile,
    places: &[Option<usize>],
    contexts: usize,
) -> Option<Vec<Option<f64>>> {
    if !profile.allocation.is_whole() {
        return None;
    }
    let mut sums = vec![Some(0.0); contexts];
    for (node, place) in profile.tree.nodes().zip(places) {
        if let Some(place) = *place {
            let bytes = profile.tree.allocated(node).0 as f64 / profile.run_count() as f64;
            let is_known = profile.knows_bytes_at(node);
            sums[place] = sums[place].filter(|_| is_known).map(|sum| sum + bytes);
        }
    }
    Some(sums)
}
