//! Several trees made one.

use std::collections::HashMap;

use jfathom_plan::{Digest, MethodKey};

use crate::tree_builder::{self, NONE, TreeBuilder};
use crate::{
    Frame, Method, MethodIx, NodeIx, Profile, Quality, ThreadCount, ThreadIx, TickRate, Ticks,
    Times, Tree, frame,
};

/// One profile of several, of different JVMs. Methods are the same if key and digest are; threads
/// stay apart. Times become nanoseconds unless all clocks have one rate. Runs are added up. `None`
/// if there is no profile.
pub fn merge(profiles: Vec<Profile>) -> Option<Profile> {
    let rate = common_rate(&profiles)?;
    let mut profiles = profiles.into_iter();
    let mut merged = Merged::new(rate, profiles.next()?);
    for profile in profiles {
        merged.add(profile);
    }
    Some(merged.finish())
}

pub(crate) fn common_rate(profiles: &[Profile]) -> Option<TickRate> {
    let rate = profiles.first()?.rate;
    Some(if profiles.iter().all(|profile| profile.rate == rate) { rate } else { TickRate::NANOS })
}

struct Merged {
    profile: Profile,
    methods: HashMap<(MethodKey, Digest), u32>,
    tree: TreeBuilder,
}

impl Merged {
    fn new(rate: TickRate, first: Profile) -> Self {
        let empty = Profile::before_sums(rate, &first.meta);
        let mut it = Self { profile: empty, methods: HashMap::new(), tree: TreeBuilder::default() };
        it.add(first);
        it
    }

    fn add(&mut self, other: Profile) {
        let to = &mut self.profile;
        let (from_rate, to_rate) = (other.rate, to.rate);
        let convert = |ticks| from_rate.convert(ticks, to_rate);
        let (jvms, threads) = (to.meta.jvms.len() as u32, to.threads.len() as u32);
        to.meta.take_in(other.meta);
        to.quality.add(&Quality {
            gap_ticks: convert(other.quality.gap_ticks),
            adjusted: convert(other.quality.adjusted),
            ..other.quality
        });
        to.threads.extend(other.threads.into_iter().map(|thread| crate::Thread {
            jvm: thread.jvm.saturating_add(jvms),
            outside: convert(thread.outside),
            adjusted: convert(thread.adjusted),
            ..thread
        }));
        let places: Vec<u32> = other
            .methods
            .into_iter()
            .map(|method| merge_method(to, &mut self.methods, method))
            .collect();
        to.counts.extend(other.counts.into_iter().map(|count| ThreadCount {
            thread: ThreadIx(count.thread.0 + threads),
            method: MethodIx(places[count.method.0 as usize]),
            calls: count.calls,
        }));
        graft(
            &mut self.tree,
            &other.tree,
            |_| true,
            convert,
            |frame| match frame {
                Frame::Thread(thread) => frame::pack(frame::THREAD, thread.0 + threads),
                Frame::Method(method) => frame::pack(frame::METHOD, places[method.0 as usize]),
                Frame::Task(method) => frame::pack(frame::TASK, places[method.0 as usize]),
            },
            |_, _| {},
        );
    }

    fn finish(mut self) -> Profile {
        self.profile.tree = Tree::new(tree_builder::columns(&self.tree, |frame| frame))
            .expect("columns written in preorder");
        self.profile
    }
}

pub(crate) fn merge_method(
    profile: &mut Profile,
    places: &mut HashMap<(MethodKey, Digest), u32>,
    method: Method,
) -> u32 {
    let next = profile.methods.len() as u32;
    let place = *places.entry((method.info.key.clone(), method.info.digest)).or_insert(next);
    match profile.methods.get_mut(place as usize) {
        Some(known) => known.add(&method),
        None => profile.methods.push(method),
    }
    place
}

/// The selected threads of a profile as one tree, whose roots are what stood at the bottom of their
/// stacks.
pub fn merge_threads(profile: &Profile, select: impl Fn(ThreadIx) -> bool) -> Tree {
    merge_threads_with(profile, select, &[]).0
}

/// [`merge_threads`] with corrected times, those of nodes that come together added up. `times` are
/// the nodes' of the profile ([`crate::Corrected::nodes`]), the others those of the tree; none in,
/// none out.
pub fn merge_threads_with(
    profile: &Profile,
    select: impl Fn(ThreadIx) -> bool,
    times: &[Times],
) -> (Tree, Vec<Times>) {
    let mut merged = TreeBuilder::default();
    let skip_threads = |frame| match frame {
        Frame::Thread(_) => SKIP,
        Frame::Method(method) => frame::pack(frame::METHOD, method.0),
        Frame::Task(method) => frame::pack(frame::TASK, method.0),
    };
    let mut sums: Vec<Times> = Vec::new();
    graft(
        &mut merged,
        &profile.tree,
        select,
        |ticks| ticks,
        skip_threads,
        |node, at| {
            let Some(found) = times.get(node.0 as usize) else { return };
            if sums.len() <= at as usize {
                sums.resize(at as usize + 1, Times::default());
            }
            let sum = &mut sums[at as usize];
            *sum = sum.plus(*found);
        },
    );
    let tree = Tree::new(tree_builder::columns(&merged, |frame| frame))
        .expect("columns written in preorder");
    let in_order = tree_builder::preorder(&merged)
        .into_iter()
        .filter_map(|(at, _)| sums.get(at as usize).copied());
    let sums = in_order.collect();
    (tree, sums)
}

/// The frame of nodes that are left out; their children go to their parent.
const SKIP: u32 = u32::MAX;

/// Adds a tree to a growing one: what has the same frames comes together.
fn graft(
    grown: &mut TreeBuilder,
    tree: &Tree,
    select: impl Fn(ThreadIx) -> bool,
    convert: impl Fn(Ticks) -> Ticks,
    frame: impl Fn(Frame) -> u32,
    mut became: impl FnMut(NodeIx, u32),
) {
    let mut path: Vec<u32> = Vec::new();
    for root in tree.roots() {
        if matches!(tree.frame(root), Frame::Thread(thread) if !select(thread)) {
            continue;
        }
        for node in tree.subtree(root).map(crate::NodeIx) {
            path.truncate(tree.depth(node) as usize);
            let parent = path.last().copied().unwrap_or(NONE);
            let frame = frame(tree.frame(node));
            if frame == SKIP {
                path.push(parent);
                continue;
            }
            // Threads stay apart, so that they need not be looked for.
            let apart = parent == NONE && frame::kind(frame) == frame::THREAD;
            let at = if apart { grown.add(parent, frame) } else { grown.child(parent, frame) };
            let to = &mut grown.nodes[at as usize];
            to.calls = to.calls.saturating_add(tree.calls(node));
            to.self_ticks = to.self_ticks.saturating_add(convert(tree.self_time(node)).0);
            let (counted, notes, throws) =
                (tree.counted(node), tree.notes(node), tree.throws(node));
            if counted | notes | throws != 0 {
                let to = grown.extra_mut(at);
                to.counted = to.counted.saturating_add(counted);
                to.notes = to.notes.saturating_add(notes);
                to.throws = to.throws.saturating_add(throws);
            }
            became(node, at);
            path.push(at);
        }
    }
}
