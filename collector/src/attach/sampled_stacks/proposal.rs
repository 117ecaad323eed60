//! Choice of roots from sampled stacks.
//!
//! Three sources, in this order: methods by which requests enter the program; the lowest method
//! that half of the stacks share, then that of the other stacks; the methods that are hottest by
//! themselves. Frames of idle threads, of the JDK and of generated classes never count.

use super::{
    frame::{Frame, Origin},
    request_entries::request_entry,
    stacks::{Sample, SampledStacks},
};
use jfathom_plan::{Selector, quoted_class, quoted_name};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The most roots that are proposed.
const ROOTS: usize = 3;
/// The most request entries among them.
const ENTRIES: usize = 2;
/// The most hot methods that are shown.
const HOTSPOTS: usize = 5;
/// A root is on at least one of this many stacks.
const RAREST: usize = 20;

/// Where the sampled time goes, and what to record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RootProposal {
    /// The thread dumps.
    pub dumps: u32,
    /// The stacks of threads that work, over all dumps.
    pub stacks: usize,
    /// The methods that most of these stacks are in, without the JDK; hottest first, five at most.
    pub hotspots: Vec<Hotspot>,
    /// Methods to record; best first, three at most.
    pub roots: Vec<ProposedRoot>,
}

/// A method that stacks are in: no frame further in is the program's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hotspot {
    /// `com.acme.Codec::encode`.
    pub method: String,
    /// The stacks.
    pub stacks: usize,
}

/// A method that is worth recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedRoot {
    /// `com.acme.Shop::handle`, all methods of that name.
    pub selector: Selector,
    /// The stacks that it is on.
    pub stacks: usize,
    /// Why it is proposed.
    pub kind: RootKind,
    /// Whether it may run all the time, and so never be called again: it is what a thread runs, and
    /// no call of it began while stacks were sampled.
    pub may_run_on: bool,
}

/// Why a root is proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootKind {
    /// Requests enter the program there: `servlet`.
    Request(&'static str),
    /// The lowest method that hot stacks have in common.
    LowestCommon,
    /// Hot by itself.
    Hot,
}

/// A method by class and name.
type Method<'a> = (&'a str, &'a str);

/// What is known about a method of the stacks.
#[derive(Debug, Default)]
struct Usage {
    /// Indexes of the paths that it is on.
    paths: BTreeSet<usize>,
    /// Sum of its depths on them, to find the lowest.
    depths: usize,
    /// Paths that end in it.
    ends: usize,
    is_program: bool,
    begins: bool,
    /// On no path a frame other than of threads and generated classes is further out.
    is_thread_body: bool,
}

impl Usage {
    fn has_callee(&self) -> bool {
        self.ends < self.paths.len()
    }

    fn may_run_on(&self) -> bool {
        self.is_thread_body && !self.begins
    }
}

pub(super) fn propose(stacks: &SampledStacks) -> RootProposal {
    let mut methods: HashMap<Method<'_>, Usage> = HashMap::new();
    let mut entries: BTreeMap<Method<'_>, (BTreeSet<usize>, &'static str)> = BTreeMap::new();
    let mut paths = 0;
    for samples in stacks.threads() {
        let mut before: Option<&Sample> = None;
        for (sample, is_idle) in samples {
            let earlier = before.replace(sample);
            if is_idle {
                continue;
            }
            let frames: Vec<_> = sample.frames.iter().filter_map(|id| stacks.frame(*id)).collect();
            let first_new =
                earlier.map_or(usize::MAX, |earlier| first_new_call(stacks, earlier, sample));
            if !add_path(&mut methods, paths, &frames, first_new) {
                continue;
            }
            if let Some((at, kind)) = request_entry(&frames)
                && let Some(frame) = frames.get(at)
            {
                let entry = entries.entry((frame.class, frame.method)).or_default();
                entry.0.insert(paths);
                entry.1 = kind;
            }
            paths += 1;
        }
    }
    let mut chosen = Chosen { methods: &methods, paths, roots: Vec::new(), taken: BTreeSet::new() };
    chosen.take_entries(&entries);
    chosen.take_lowest_common();
    chosen.take_hot();
    RootProposal {
        dumps: stacks.dumps(),
        stacks: paths,
        hotspots: hotspots(&methods),
        roots: chosen.roots,
    }
}

/// Adds a stack, outermost frame first; false if it has no frame of program or framework. Calls
/// from index `first_new` on have begun since the sample before.
fn add_path<'a>(
    methods: &mut HashMap<Method<'a>, Usage>,
    path: usize,
    frames: &[Frame<'a>],
    first_new: usize,
) -> bool {
    let mut is_outermost = true;
    let mut innermost = None;
    for (depth, frame) in frames.iter().enumerate() {
        let origin = frame.origin();
        if matches!(origin, Origin::Jdk | Origin::Generated) {
            is_outermost &= origin == Origin::Generated || frame.class == "java.lang.Thread";
            continue;
        }
        let usage = methods
            .entry((frame.class, frame.method))
            .or_insert_with(|| Usage { is_thread_body: true, ..Usage::default() });
        // Of a recursion only the outermost call is a root's.
        if usage.paths.insert(path) {
            usage.depths += depth;
            usage.begins |= depth >= first_new;
            usage.is_thread_body &= is_outermost;
        }
        usage.is_program = origin == Origin::Program;
        is_outermost = false;
        innermost = Some((frame.class, frame.method));
    }
    if let Some(usage) = innermost.and_then(|method| methods.get_mut(&method)) {
        usage.ends += 1;
    }
    innermost.is_some()
}

/// The index of the outermost frame of `now` whose call has begun since `before`. A frame that went
/// on to another line is the same call as far as one can tell; its callees are new.
fn first_new_call(stacks: &SampledStacks, before: &Sample, now: &Sample) -> usize {
    let same = before.frames.iter().zip(&now.frames).take_while(|(a, b)| a == b).count();
    let method = |sample: &Sample| {
        let frame = stacks.frame(*sample.frames.get(same)?)?;
        Some((frame.class, frame.method))
    };
    match (method(before), method(now)) {
        (Some(before), Some(now)) if before == now => same + 1,
        _ => same,
    }
}

fn hotspots(methods: &HashMap<Method<'_>, Usage>) -> Vec<Hotspot> {
    let hot = methods.iter().filter(|(_, usage)| usage.ends > 0);
    let mut hot: Vec<_> = hot.map(|(method, usage)| (usage.ends, *method)).collect();
    hot.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let shown = hot.into_iter().take(HOTSPOTS);
    shown.map(|(stacks, (class, method))| Hotspot { method: text(class, method), stacks }).collect()
}

/// Roots chosen so far.
struct Chosen<'a> {
    methods: &'a HashMap<Method<'a>, Usage>,
    /// The number of all paths.
    paths: usize,
    roots: Vec<ProposedRoot>,
    taken: BTreeSet<Method<'a>>,
}

impl<'a> Chosen<'a> {
    fn take_entries(&mut self, entries: &BTreeMap<Method<'a>, (BTreeSet<usize>, &'static str)>) {
        let mut ranked: Vec<_> = entries.iter().collect();
        ranked.sort_by_key(|(_, (paths, _))| std::cmp::Reverse(paths.len()));
        for (method, (_, kind)) in ranked.into_iter().take(ENTRIES) {
            self.take(*method, RootKind::Request(kind));
        }
    }

    /// Takes the lowest common method, then that of the paths without it, and so on.
    fn take_lowest_common(&mut self) {
        let mut left: BTreeSet<usize> = (0..self.paths).collect();
        while self.roots.len() < ROOTS && self.is_common(left.len()) {
            let Some(method) = self.lowest_common(&left) else { return };
            let Some(usage) = self.methods.get(&method) else { return };
            left.retain(|path| !usage.paths.contains(path));
            self.take(method, RootKind::LowestCommon);
        }
    }

    /// The lowest method that at least half of these paths share.
    fn lowest_common(&self, left: &BTreeSet<usize>) -> Option<Method<'a>> {
        let shared = |usage: &Usage| usage.paths.intersection(left).count();
        let most = self.methods.values().map(&shared).max().filter(|most| *most > 0)?;
        // Threads that have nothing in common: those that share most.
        let enough = most.min(left.len().div_ceil(2));
        self.methods
            .iter()
            .filter(|(_, usage)| shared(usage) >= enough)
            .max_by_key(|(method, usage)| {
                let depth = usage.depths.saturating_mul(1000) / usage.paths.len().max(1);
                let rank = (
                    !usage.may_run_on(),
                    usage.is_program,
                    usage.has_callee(),
                    depth,
                    shared(usage),
                );
                (rank, std::cmp::Reverse(**method))
            })
            .map(|(method, _)| *method)
    }

    fn take_hot(&mut self) {
        let mut ranked: Vec<_> = self
            .methods
            .iter()
            .map(|(method, usage)| {
                ((!usage.may_run_on(), usage.is_program, usage.ends, usage.paths.len()), *method)
            })
            .collect();
        ranked.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        for (_, method) in ranked {
            self.take(method, RootKind::Hot);
        }
    }

    fn is_common(&self, paths: usize) -> bool {
        paths > 0 && paths.saturating_mul(RAREST) >= self.paths
    }

    /// Takes a method unless it is rare, or no selector can name it.
    fn take(&mut self, method: Method<'a>, kind: RootKind) {
        let Some(usage) = self.methods.get(&method) else { return };
        let (class, name) = method;
        let is_wanted = self.roots.len() < ROOTS && self.is_common(usage.paths.len());
        if !is_wanted || name == "<clinit>" || self.taken.contains(&method) {
            return;
        }
        let Ok(selector) = text(class, name).parse() else { return };
        self.taken.insert(method);
        let (stacks, may_run_on) = (usage.paths.len(), usage.may_run_on());
        self.roots.push(ProposedRoot { selector, stacks, kind, may_run_on });
    }
}

/// A method as a selector.
fn text(class: &str, name: &str) -> String {
    format!("{}::{}", quoted_class(class), quoted_name(name))
}
