//! Stacks that were sampled beside a session, put below the nodes in which they were.
//!
//! A stack's frames of recorded methods lead down the tree of its thread; the frames below the last
//! one hang below the node. The calls that were open at the sample's time are an independent check.
//! Where the two differ, time decides (decision 29).

mod agreement;
mod call_paths;
mod open_calls;
mod probe_frames;
mod unnamed;

use crate::jfr::frame_names::frame_name;
use agreement::{Verdict, judge};
pub(crate) use call_paths::CallPaths;
use call_paths::Place;
use jfathom_jfr::{Recording, Sample, SampleKind, Samples};
use jfathom_profile::{
    NodeIx, Profile, SampleAgreement, SampleCounts, SampleFrame, SampleSource, SampleTreeBuilder,
    SamplesElsewhere, StackSamples,
};
pub(crate) use open_calls::OpenCalls;
use probe_frames::probe_frames;
use std::{cmp::Reverse, collections::HashMap};
pub(crate) use unnamed::{FrameMethod, frame_methods, name_by_open_calls};

/// Where samples are: a node, the stack, and the first of its frames, from outside, that hangs
/// below the node.
type Spot = (NodeIx, u32, usize);

/// The samples of a recording in a profile. `open` has the calls that were open at each of them.
pub(crate) fn stack_samples(
    profile: &Profile,
    recording: &Recording,
    open: &OpenCalls,
    source: SampleSource,
) -> StackSamples {
    let samples = &recording.samples;
    let mut joined = Joined {
        recording,
        paths: CallPaths::new(profile, &samples.methods),
        probe_frames: probe_frames(samples),
        places: HashMap::new(),
        spots: HashMap::new(),
        elsewhere: SamplesElsewhere {
            unknown: samples.without_stack,
            thrown_away: open.is_begin_missing(),
            ..SamplesElsewhere::default()
        },
        agreement: SampleAgreement {
            resolution_nanos: open.resolution_nanos(),
            ..SampleAgreement::default()
        },
        has_unsampled: !profile.latencies.unsampled.is_empty(),
        short_nanos: open.resolution_nanos().saturating_add(open.clock_error_nanos()),
    };
    for (at, sample) in samples.samples.iter().enumerate() {
        joined.add(sample, open.at_sample(at));
    }
    let Joined { spots, mut elsewhere, agreement, paths, probe_frames, .. } = joined;
    let mut builder = SampleTreeBuilder::default();
    // Exceptions have stacks in the recording, too.
    let mut places: Vec<Option<u32>> = vec![None; samples.methods.len()];
    for sample in &samples.samples {
        let stack = samples.stacks.get(sample.stack as usize);
        for frame in stack.map_or(&[][..], |stack| &stack.frames) {
            let place = places.get_mut(*frame as usize).filter(|place| place.is_none());
            if let (Some(place), Some(method)) = (place, samples.methods.get(*frame as usize)) {
                *place = Some(builder.name(&frame_name(method)));
            }
        }
    }
    // What there is most of first: where the tree is full, the rest lacks its innermost frames.
    let mut spots: Vec<(Spot, SampleCounts)> = spots.into_iter().collect();
    spots.sort_by_key(|(spot, counts)| (Reverse(*counts), *spot));
    for ((node, stack, from), counts) in spots {
        let frames = frames_of(samples, &probe_frames, stack);
        let mut sampled: Vec<SampleFrame> = frames
            .iter()
            .rev()
            .skip(from)
            .filter_map(|frame| Some(SampleFrame::Sampled((*places.get(*frame as usize)?)?)))
            .collect();
        // A method that calls itself is one frame: its levels would hide what they call.
        sampled.dedup();
        let recorded = paths.frames_to(node).into_iter().map(SampleFrame::Recorded);
        if !builder.add(recorded.chain(sampled), counts) {
            elsewhere.cut += counts.all();
        }
    }
    let (names, tree) = builder.finish();
    StackSamples {
        source,
        period_nanos: samples.period_nanos.unwrap_or(0),
        sampled_nanos: 0,
        spanned_nanos: 0,
        clock_error_nanos: open.clock_error_nanos(),
        elsewhere,
        agreement,
        names,
        tree,
    }
}

/// Samples on their way into a tree.
struct Joined<'a> {
    recording: &'a Recording,
    paths: CallPaths<'a>,
    /// By stack: how many innermost frames are a probe's.
    probe_frames: Vec<usize>,
    /// By thread's root and stack.
    places: HashMap<(NodeIx, u32), Option<Place>>,
    spots: HashMap<Spot, SampleCounts>,
    elsewhere: SamplesElsewhere,
    agreement: SampleAgreement,
    /// Whether root sampling has left out calls of roots.
    has_unsampled: bool,
    /// Shorter calls are too short to say whether they were open.
    short_nanos: u64,
}

/// The frames of a stack without those of a probe, the innermost first.
fn frames_of<'s>(samples: &'s Samples, probe_frames: &[usize], stack: u32) -> &'s [u32] {
    let frames = samples.stacks.get(stack as usize).map_or(&[][..], |stack| &stack.frames);
    let of_probe = probe_frames.get(stack as usize).copied().unwrap_or(0);
    frames.get(of_probe..).unwrap_or_default()
}

/// One sample, as a number.
fn one(kind: SampleKind, is_probe: bool) -> SampleCounts {
    match kind {
        _ if is_probe => SampleCounts { probes: 1, ..SampleCounts::default() },
        SampleKind::Java => SampleCounts { running: 1, ..SampleCounts::default() },
        SampleKind::Native => SampleCounts { native: 1, ..SampleCounts::default() },
    }
}

impl Joined<'_> {
    fn add(&mut self, sample: &Sample, open: Option<open_calls::Open<'_>>) {
        let of_probe = self.probe_frames.get(sample.stack as usize).copied().unwrap_or(0);
        let count = one(sample.kind, of_probe > 0);
        let thread = self.recording.threads.get(sample.thread);
        let Some(root) = self.paths.root(thread) else {
            self.elsewhere.outside += count;
            return;
        };
        let stack = self.recording.samples.stacks.get(sample.stack as usize);
        let Some(stack) = stack else {
            self.elsewhere.unknown += 1;
            return;
        };
        if stack.is_truncated {
            // Only the time says where it was.
            match open.as_ref().and_then(|open| self.paths.node_of(root, open.path?)) {
                Some(node) => self.put((node, sample.stack, usize::MAX), count),
                None if open.as_ref().is_some_and(|open| open.path.is_none()) => {
                    self.elsewhere.outside += count;
                }
                None => self.elsewhere.truncated += count,
            }
            return;
        }
        let frames = stack.frames.get(of_probe..).unwrap_or_default();
        let place = self.place(root, sample.stack, frames, open.as_ref());
        let elsewhere = match of_probe {
            0 => &mut self.elsewhere.outside,
            _ => &mut self.elsewhere.in_runtime,
        };
        let Some(open) = open else {
            match place {
                Some(place) => {
                    let node = place.nodes.first().copied();
                    self.put_place(&place, node.unwrap_or(root), sample.stack, count);
                }
                None => *elsewhere += count,
            }
            return;
        };
        // In a probe the frames say where it is: what is open changes there.
        if of_probe > 0 {
            match place {
                Some(place) => {
                    let node = place.nodes.first().copied();
                    self.put_place(&place, node.unwrap_or(root), sample.stack, count);
                }
                None => *elsewhere += count,
            }
            return;
        }
        // In a call that root sampling left out: its frames are those of the others, and no record
        // says which calls were open.
        if let Some(place) =
            place.as_ref().filter(|_| self.has_unsampled && open.path.is_none() && !open.is_beyond)
        {
            let node = place.nodes.first().copied();
            self.put_place(place, node.unwrap_or(root), sample.stack, count);
            return;
        }
        let nodes = place.as_ref().map_or(&[][..], |place| &place.nodes);
        let (verdict, node) = judge(&mut self.paths, root, nodes, &open, self.short_nanos);
        match verdict {
            Verdict::Outside => {
                self.elsewhere.outside += count;
                return;
            }
            Verdict::Agree => self.agreement.agree += 1,
            Verdict::Short => self.agreement.short += 1,
            Verdict::Disagree => {
                self.agreement.disagree += 1;
                match open.path.and_then(|path| self.paths.node_of(root, path)) {
                    // The frames below belong to other calls.
                    Some(node) => self.put((node, sample.stack, usize::MAX), count),
                    None => self.elsewhere.outside += count,
                }
                return;
            }
        }
        match (place, node) {
            (Some(place), Some(node)) => {
                let node = self.paths.within_regions(node, open.path);
                self.put_place(&place, node, sample.stack, count);
            }
            _ => self.elsewhere.outside += count,
        }
    }

    /// Where a stack is. Frames without a name are named by what was open.
    fn place(
        &mut self,
        root: NodeIx,
        stack: u32,
        frames: &[u32],
        open: Option<&open_calls::Open<'_>>,
    ) -> Option<Place> {
        let Self { paths, places, .. } = self;
        if let Some(place) = places.get(&(root, stack)) {
            return place.clone();
        }
        let mut methods = paths.frame_methods(frames);
        let is_named = !methods.contains(&FrameMethod::Unnamed);
        if let Some(open) = open.filter(|_| !is_named) {
            let near = open.near.iter().copied().flatten();
            for calls in open.path.into_iter().chain(near) {
                if name_by_open_calls(&mut methods, &paths.open_path(calls)) {
                    break;
                }
            }
        }
        let place = paths.place(root, &methods);
        if is_named {
            places.insert((root, stack), place.clone());
        }
        place
    }

    fn put_place(&mut self, place: &Place, node: NodeIx, stack: u32, count: SampleCounts) {
        self.elsewhere.off_path += u64::from(!place.is_recorded);
        self.put((node, stack, place.sampled_from), count);
    }

    fn put(&mut self, spot: Spot, count: SampleCounts) {
        *self.spots.entry(spot).or_default() += count;
    }
}

#[cfg(test)]
mod tests;
