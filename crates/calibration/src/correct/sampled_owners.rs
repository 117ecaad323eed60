//! Samples by the timed calls in whose self time they are.
//!
//! What a counted call does is in the self time of the timed call around it, its owner. A method
//! that was timed in some calls and counted in others has its samples with the owners above it as
//! far as its timed calls do not account for them: by their part of the calls, and by their time,
//! since calls that were counted may stand elsewhere in the tree.

use std::collections::HashMap;

use jfathom_profile::{Frame, NodeIx, Profile, SampleFrame, SampleIx, Tree};

/// The part of a node's samples that goes to owners further out no more.
const LEAST_PART: f64 = 0.01;

/// A time of which samples account for this part and more was running time: what is missing was not
/// sampled, as a program has phases. A time with fewer was in good part a wait.
pub(super) const RUNNING_SHARE: f64 = 0.6;

/// Numbers of samples; parts of samples are possible.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Samples {
    /// Of the program.
    pub running: f64,
    /// Of probes.
    pub probes: f64,
}

impl Samples {
    fn scaled(self, part: f64) -> Self {
        Self { running: self.running * part, probes: self.probes * part }
    }

    /// The sum of both.
    pub fn plus(mut self, other: Self) -> Self {
        self.add(other);
        self
    }

    fn add(&mut self, other: Self) {
        self.running += other.running;
        self.probes += other.probes;
    }
}

/// The part of an owner's samples that is a node's.
#[derive(Debug)]
pub(super) struct Part {
    pub node: NodeIx,
    pub samples: Samples,
}

/// An owner: the node with the time, and whose samples are in it.
#[derive(Debug)]
pub(super) struct Owner {
    pub node: NodeIx,
    pub parts: Vec<Part>,
}

impl Owner {
    /// All its samples.
    pub fn all(&self) -> Samples {
        let mut all = Samples::default();
        self.parts.iter().for_each(|part| all.add(part.samples));
        all
    }
}

/// The samples of a profile by owner.
#[derive(Debug, Default)]
pub(super) struct SampledOwners {
    /// Ascending by node.
    pub owners: Vec<Owner>,
    /// By node: the one above it; a root has itself. Empty without samples.
    callers: Vec<u32>,
    /// The running time of a thread for which a sample stands, stretched to the time before
    /// sampling began; none if that is not known.
    pub nanos_per_sample: Option<f64>,
}

impl SampledOwners {
    pub fn new(profile: &Profile) -> Self {
        let (mut owners, mut callers) = (Vec::new(), Vec::new());
        let nanos_per_sample = nanos_per_sample(profile);
        let samples = own_samples(profile);
        if !samples.is_empty() {
            callers = callers_of(&profile.tree);
            let parts = parts(profile, &callers, samples, nanos_per_sample);
            owners.extend(parts.into_iter().map(|(node, parts)| Owner { node, parts }));
            owners.sort_unstable_by_key(|owner| owner.node);
        }
        Self { owners, callers, nanos_per_sample }
    }

    /// The node above another one; a root has itself.
    pub fn caller(&self, node: NodeIx) -> NodeIx {
        NodeIx(self.callers.get(node.0 as usize).copied().unwrap_or(node.0))
    }
}

fn nanos_per_sample(profile: &Profile) -> Option<f64> {
    let samples = &profile.stack_samples;
    let [period, sampled, spanned] =
        [samples.period_nanos, samples.sampled_nanos, samples.spanned_nanos].map(|of| of as f64);
    (period > 0.0 && sampled > 0.0).then(|| period * (spanned / sampled).max(1.0))
}

/// By node: samples of the node itself and of frames without a probe below it, ascending by node.
fn own_samples(profile: &Profile) -> Vec<(NodeIx, Samples)> {
    let (tree, sampled) = (&profile.tree, &profile.stack_samples.tree);
    let mut own = Vec::new();
    let mut open: Vec<(NodeIx, SampleIx)> = Vec::new();
    let roots: HashMap<Frame, NodeIx> = tree.roots().map(|root| (tree.frame(root), root)).collect();
    let recorded = |of: SampleIx| match sampled.node(of).frame {
        SampleFrame::Recorded(frame) => Some(frame),
        SampleFrame::Sampled(_) => None,
    };
    open.extend(sampled.roots().filter_map(|of| Some((*roots.get(&recorded(of)?)?, of))));
    while let Some((node, of)) = open.pop() {
        let mut counts = sampled.node(of).own;
        let mut below: HashMap<Frame, SampleIx> = HashMap::new();
        for child in sampled.children(of) {
            match recorded(child) {
                Some(frame) => drop(below.insert(frame, child)),
                None => counts += sampled.total(child),
            }
        }
        if counts.running > 0 || counts.probes > 0 {
            let [running, probes] = [counts.running, counts.probes].map(|of| of as f64);
            own.push((node, Samples { running, probes }));
        }
        if !below.is_empty() {
            let children = tree.children(node);
            open.extend(children.filter_map(|at| Some((at, *below.get(&tree.frame(at))?))));
        }
    }
    own.sort_unstable_by_key(|(node, _)| *node);
    own
}

fn callers_of(tree: &Tree) -> Vec<u32> {
    let mut path: Vec<u32> = Vec::new();
    let caller = |node: NodeIx| {
        path.truncate(tree.depth(node) as usize);
        let caller = path.last().copied().unwrap_or(node.0);
        path.push(node.0);
        caller
    };
    tree.nodes().map(caller).collect()
}

fn parts(
    profile: &Profile,
    callers: &[u32],
    samples: Vec<(NodeIx, Samples)>,
    nanos_per_sample: Option<f64>,
) -> HashMap<NodeIx, Vec<Part>> {
    let tree = &profile.tree;
    let mut parts: HashMap<NodeIx, Vec<Part>> = HashMap::new();
    let own: HashMap<NodeIx, f64> = samples
        .iter()
        .filter_map(|(node, of)| Some((*node, (of.running + of.probes) * nanos_per_sample?)))
        .collect();
    for (node, samples) in samples {
        // What is left for owners further out, and the outermost owner so far.
        let (mut left, mut outermost) = (1.0, None);
        let mut at = node;
        while left > 0.0 && !matches!(tree.frame(at), Frame::Thread(_)) {
            let timed = timed_share(profile, at, own.get(&at).copied());
            if timed > 0.0 {
                let rest = left * (1.0 - timed);
                let part = if rest < LEAST_PART { left } else { left * timed };
                let of_owner = parts.entry(at).or_default();
                of_owner.push(Part { node, samples: samples.scaled(part) });
                outermost = Some(at);
                left -= part;
            }
            let caller = NodeIx(callers[at.0 as usize]);
            if caller == at {
                break;
            }
            at = caller;
        }
        let of_owner = outermost.and_then(|owner| parts.get_mut(&owner)?.last_mut());
        if let Some(last) = of_owner.filter(|_| left > 0.0) {
            last.samples.add(samples.scaled(left));
        }
    }
    parts
}

/// The part of what a node does that has a time of its own; `sampled_nanos`: what its samples stand
/// for.
fn timed_share(profile: &Profile, node: NodeIx, sampled_nanos: Option<f64>) -> f64 {
    let tree = &profile.tree;
    let Frame::Method(method) = tree.frame(node) else { return 1.0 };
    let by_calls = match tree.calls(node) {
        // A call that is open, or one that samples alone show.
        0 => f64::from(u8::from(!tree.has_callers_time(node))),
        calls => tree.timed(node) as f64 / calls as f64,
    };
    let method = profile.method(method);
    if method.counted == 0 {
        return by_calls;
    }
    // Samples scatter: no more is counted than the part of all its calls.
    let least = 1.0 - method.counted as f64 / method.calls().max(1) as f64;
    let measured = tree.self_time(node).0 as f64 * 1e9 / profile.rate.hz() as f64;
    let by_time = sampled_nanos.map_or(1.0, |nanos| (measured / nanos.max(1.0)).min(1.0));
    by_calls.min(by_time.max(least))
}
