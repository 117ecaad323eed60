//! Slices of one recording as one profile.

mod error;
mod methods;

use std::collections::HashMap;

use jfathom_profile::{
    Carried, Frame, MethodIx, Metric, Profile, Quality, Scheduling, Slice, SumNode, ThreadIx,
    TreeSum,
};

pub use self::error::JoinError;
use self::methods::{MethodsById, is_named};
use crate::merge::common_rate;
use crate::tree_path::TreePath;

/// The slices of one recording as one profile, in any order. A call that was open between two of
/// them is one call. Where a slice between others is missing, calls that were open then are counted
/// once before the hole and once after, and the quality says so.
///
/// # Errors
/// Fails if the profiles are not different slices of one recording of one JVM, or contradict each
/// other.
pub fn join(profiles: Vec<Profile>) -> Result<Profile, JoinError> {
    let rate = common_rate(&profiles).ok_or(JoinError::Nothing)?;
    let jvm = |profile: &Profile| {
        profile.meta.jvms.first().map(|jvm| (jvm.pid, jvm.start_millis, profile.meta.jvms.len()))
    };
    let of_first = profiles.first().and_then(jvm);
    let recording = |profile: &Profile| profile.slice.as_ref().map(|slice| slice.recording);
    let first_recording = profiles.first().and_then(recording);
    let mut numbers = HashMap::new();
    for (at, profile) in profiles.iter().enumerate() {
        let Some(slice) = &profile.slice else { return Err(JoinError::NoSlice(at)) };
        if jvm(profile) != of_first || Some(slice.recording) != first_recording {
            return Err(JoinError::OtherRecording(at));
        }
        if numbers.insert(slice.number, at).is_some() {
            return Err(JoinError::Twice(at));
        }
    }
    let mut slices: Vec<(Slice, Profile)> = profiles
        .into_iter()
        .filter_map(|mut profile| Some((profile.slice.take()?, profile)))
        .collect();
    slices.sort_by_key(|(slice, _)| slice.number);
    let first = slices.first().map(|(slice, profile)| (slice.clone(), profile.meta.clone()));
    let (first, meta) = first.ok_or(JoinError::Nothing)?;
    let mut join = Join {
        profile: Profile::without_records(rate, &meta),
        methods: MethodsById::default(),
        threads: HashMap::new(),
        tree: TreeSum::default(),
        carried: Vec::new(),
        before: None,
    };
    if let Some((_, first)) = slices.first() {
        join.profile.mounts = first.mounts;
        join.profile.allocation.source = first.allocation.source;
        join.profile.cpu.source = first.cpu.source;
        join.profile.stack_samples.source = first.stack_samples.source;
        join.profile.events = first.events.sources();
    }
    for (slice, profile) in slices {
        join.add(&slice, profile);
    }
    let mut joined = join.finish();
    joined.slice = Some(Slice { carried: joined.slice.map_or(Vec::new(), |s| s.carried), ..first });
    joined.check().map_err(JoinError::Contradiction)?;
    Ok(joined)
}

/// A sum of slices.
struct Join {
    profile: Profile,
    methods: MethodsById,
    /// The thread of the sum, by its number.
    threads: HashMap<u64, (ThreadIx, SumNode)>,
    tree: TreeSum,
    /// Open calls of the first slice, and after holes.
    carried: Vec<(SumNode, u64)>,
    /// Number of the slice before.
    before: Option<u32>,
}

impl Join {
    fn add(&mut self, slice: &Slice, other: Profile) {
        // Open calls are those of the slice before.
        let follows = self.before.is_some_and(|before| before.checked_add(1) == Some(slice.number));
        let hole = self.before.filter(|_| !follows);
        self.before = Some(slice.number);
        let to = &mut self.profile;
        // It may be one of many, and the reader must not take the sum for the whole.
        to.quality.other_losses.extend(hole.map(|before| {
            format!("slices between number {before} and number {} are missing", slice.number)
        }));
        // The last slice knows the clock's rate better than the others.
        let (from_rate, to_rate) = (other.rate, to.rate);
        let convert = |ticks| from_rate.convert(ticks, to_rate);
        to.mounts = to.mounts.and(other.mounts);
        to.allocation = to.allocation.and(other.allocation);
        to.cpu = to.cpu.and(other.cpu);
        to.events.add(other.events, convert);
        let mut meta = other.meta;
        let jvms = std::mem::take(&mut meta.jvms);
        to.meta.merge(meta);
        // The last one knows best how the JVM and its clock ended.
        to.meta.jvms = jvms;
        to.quality.add(&Quality {
            gap_ticks: convert(other.quality.gap_ticks),
            excluded: convert(other.quality.excluded),
            ..other.quality
        });
        let methods: Vec<MethodIx> = other
            .methods
            .into_iter()
            .map(|method| self.methods.add(&mut to.methods, method))
            .collect();
        let known_threads = to.threads.len();
        let mut threads = Vec::with_capacity(other.threads.len());
        for mut thread in other.threads {
            thread.unattributed = convert(thread.unattributed);
            thread.excluded = convert(thread.excluded);
            let next = ThreadIx(to.threads.len() as u32);
            let tree = &mut self.tree;
            let known = self.threads.entry(thread.sequence);
            let (ix, _) = *known.or_insert_with(|| (next, tree.add_thread(next)));
            match to.threads.get_mut(ix.0 as usize) {
                Some(known) => {
                    known.unattributed += thread.unattributed;
                    known.excluded += thread.excluded;
                    known.ended |= thread.ended;
                    known.scheduling = Scheduling::sum(known.scheduling, thread.scheduling);
                }
                None => to.threads.push(thread),
            }
            threads.push(ix);
        }
        let frame = |frame| match frame {
            Frame::Thread(thread) => Frame::Thread(threads[thread.0 as usize]),
            Frame::Method(method) => Frame::Method(methods[method.0 as usize]),
            Frame::Task(method) => Frame::Task(methods[method.0 as usize]),
        };
        to.latencies.add(other.latencies.mapped(frame, convert));
        to.stack_samples.add(&other.stack_samples, frame);
        to.stack_walks.add(&other.stack_walks, frame);
        let mut path = TreePath::default();
        for node in other.tree.nodes() {
            let own = frame(other.tree.frame(node));
            let of_thread = match own {
                Frame::Thread(thread) => {
                    let sequence = to.threads.get(thread.0 as usize).map(|of| of.sequence);
                    sequence.and_then(|sequence| self.threads.get(&sequence)).map(|of| of.1)
                }
                Frame::Method(_) | Frame::Task(_) => None,
            };
            let tree = &mut self.tree;
            let place = path.push(other.tree.depth(node), |parent| {
                Some(of_thread.unwrap_or_else(|| tree.child(parent, own)))
            });
            let Some(place) = place else { continue };
            let mut numbers = other.tree.numbers(node).map_times(convert);
            let carried = slice.carried_in(node);
            match own {
                // A thread is there once, in however many slices.
                Frame::Thread(thread) => {
                    numbers[Metric::Timed] = u64::from(thread.0 as usize >= known_threads);
                }
                _ if carried == 0 => {}
                _ if !follows => self.carried.push((place, carried)),
                Frame::Task(_) => {
                    numbers[Metric::Timed] = numbers[Metric::Timed].saturating_sub(carried)
                }
                Frame::Method(method) => {
                    numbers[Metric::Timed] = numbers[Metric::Timed].saturating_sub(carried);
                    if let Some(method) = to.methods.get_mut(method.0 as usize) {
                        method.entries = method.entries.saturating_sub(carried);
                        method.open = method.open.saturating_sub(carried);
                    }
                    to.quality.open_frames = to.quality.open_frames.saturating_sub(carried);
                }
            }
            self.tree.add(place, &numbers);
            self.tree.add_events(place, other.tree.events(node), convert);
        }
    }

    fn finish(self) -> Profile {
        let Self { mut profile, tree, carried, .. } = self;
        let order = tree.preorder();
        let places: HashMap<SumNode, u32> = order.iter().copied().zip(0..).collect();
        let mut sums: HashMap<u32, u64> = HashMap::new();
        for (node, calls) in carried {
            if let Some(place) = places.get(&node) {
                *sums.entry(*place).or_default() += calls;
            }
        }
        let mut carried: Vec<Carried> =
            sums.into_iter().map(|(node, calls)| Carried { node, calls }).collect();
        carried.sort_unstable_by_key(|of| of.node);
        profile.slice = Some(Slice { carried, ..Slice::default() });
        profile.tree = tree.tree();
        // The same method may lack its name in several slices.
        let unnamed = profile.methods.iter().filter(|method| !is_named(method)).count();
        profile.quality.unnamed_methods = unnamed as u64;
        profile
    }
}

#[cfg(test)]
mod tests;
