//! The call paths of a profile's threads, down which frames lead.

use super::unnamed::{FrameMethod, frame_methods};
use jfathom_jfr::{JfrThread, SampledMethod};
use jfathom_plan::MethodId;
use jfathom_profile::{Frame, MethodIx, NodeIx, Profile, ThreadIx};
use std::{cmp::Reverse, collections::HashMap};

/// Where a stack is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The innermost recorded call of the stack: several nodes if calls on the way there were timed
    /// first and counted later. The one with the most time first; never empty.
    pub nodes: Vec<NodeIx>,
    /// The first frame below it, counted from the outermost one.
    pub sampled_from: usize,
    /// Whether the tree has the whole path.
    pub is_recorded: bool,
}

/// A recorded call on a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub node: NodeIx,
    pub method: MethodIx,
    /// Whether it may be a call that was counted, and so has no records.
    pub may_be_counted: bool,
}

/// Nodes that a path may have led to.
const MOST_CANDIDATES: usize = 64;

/// The call paths of a profile.
pub(crate) struct CallPaths<'a> {
    profile: &'a Profile,
    /// By sampled method.
    methods: Vec<FrameMethod>,
    by_id: HashMap<MethodId, MethodIx>,
    /// By Java's id of the thread.
    roots: HashMap<u64, NodeIx>,
    /// That of the thread that stands for all virtual threads.
    virtual_root: Option<NodeIx>,
    /// Of the nodes that were asked for.
    callees: HashMap<NodeIx, Callees>,
    /// By node; a root has itself.
    callers: Vec<u32>,
}

/// What a node calls. Regions, tasks and `⋯` are no frames of a stack, and counted calls have no
/// records: what is in them counts as the node's own, beside them.
#[derive(Debug, Default)]
struct Callees {
    by_method: HashMap<MethodIx, Vec<NodeIx>>,
    folded: Option<NodeIx>,
}

/// Whether a method is a region of another one: no class file has such a name.
fn is_region(name: &str) -> bool {
    name.contains(':')
}

impl<'a> CallPaths<'a> {
    pub fn new(profile: &'a Profile, sampled: &[SampledMethod]) -> Self {
        let table = || (0..).map(MethodIx).zip(&profile.methods);
        let tree = &profile.tree;
        let mut callers: Vec<u32> = Vec::with_capacity(tree.len());
        let mut path: Vec<u32> = Vec::new();
        for node in tree.nodes() {
            path.truncate(tree.depth(node) as usize);
            callers.push(path.last().copied().unwrap_or(node.0));
            path.push(node.0);
        }
        let thread = |root: NodeIx| match tree.frame(root) {
            Frame::Thread(ThreadIx(at)) => profile.threads.get(at as usize),
            _ => None,
        };
        let threads = || tree.roots().filter_map(|root| Some((root, thread(root)?)));
        Self {
            profile,
            methods: frame_methods(profile, sampled),
            by_id: table().map(|(ix, method)| (method.id, ix)).collect(),
            roots: threads()
                .filter(|(_, thread)| !thread.is_virtual())
                .map(|(root, thread)| (thread.thread_id, root))
                .collect(),
            virtual_root: threads().find(|(_, of)| of.is_virtual()).map(|(root, _)| root),
            callees: HashMap::new(),
            callers,
        }
    }

    /// The profile.
    pub fn profile(&self) -> &Profile {
        self.profile
    }

    /// The root of a thread's tree; none if nothing of it was recorded.
    pub fn root(&self, thread: JfrThread) -> Option<NodeIx> {
        match thread.is_virtual {
            true => self.virtual_root,
            false => self.roots.get(&thread.java_id).copied(),
        }
    }

    /// The methods of frames, which are innermost first; outermost first.
    pub fn frame_methods(&self, frames: &[u32]) -> Vec<FrameMethod> {
        let of = |frame: &u32| self.methods.get(*frame as usize).copied();
        frames.iter().rev().map(|frame| of(frame).unwrap_or(FrameMethod::Other)).collect()
    }

    /// Follows frames, outermost first, down from a thread's root. None if no recorded path begins
    /// with any of them. Frames without a probe between recorded ones are passed over.
    pub fn place(&mut self, root: NodeIx, frames: &[FrameMethod]) -> Option<Place> {
        let mut at = vec![root];
        let (mut sampled_from, mut is_recorded) = (0, true);
        for (frame, depth) in frames.iter().zip(1_usize..) {
            let FrameMethod::Recorded(method) = *frame else { continue };
            let next = self.called(&at, method);
            if !next.is_empty() {
                (at, sampled_from) = (next, depth);
                continue;
            }
            if sampled_from == 0 {
                continue;
            }
            let folded = at.clone().into_iter().find_map(|node| self.callees(node).folded);
            if let Some(node) = folded {
                let sampled_from = frames.len();
                return Some(Place { nodes: vec![node], sampled_from, is_recorded: true });
            }
            is_recorded = false;
            break;
        }
        let tree = &self.profile.tree;
        at.sort_by_key(|node| Reverse((tree.self_time(*node), tree.calls(*node))));
        (sampled_from > 0).then_some(Place { nodes: at, sampled_from, is_recorded })
    }

    /// The nodes of a method that some nodes call. Counted calls have no records: what they call is
    /// their callers'.
    fn called(&mut self, at: &[NodeIx], method: MethodIx) -> Vec<NodeIx> {
        let mut next: Vec<NodeIx> = Vec::new();
        let mut outer = at.to_vec();
        while !outer.is_empty() && next.len() < MOST_CANDIDATES {
            let mut further = Vec::new();
            for node in outer {
                let found = self.callees(node).by_method.get(&method);
                next.extend(found.into_iter().flatten());
                if self.profile.tree.counted(node) > 0 {
                    further.push(self.caller(node));
                }
            }
            outer = further;
        }
        next.sort_unstable();
        next.dedup();
        next
    }

    fn callees(&mut self, node: NodeIx) -> &Callees {
        let profile = self.profile;
        self.callees.entry(node).or_insert_with(|| {
            let mut callees = Callees::default();
            let mut open = vec![node];
            while let Some(at) = open.pop() {
                for child in profile.tree.children(at) {
                    match profile.tree.frame(child) {
                        Frame::Task(_) => open.push(child),
                        Frame::Method(method) => {
                            let info = &profile.method(method).info;
                            if info.is_folded() {
                                callees.folded = Some(child);
                                continue;
                            }
                            if profile.tree.has_callers_time(child) {
                                open.push(child);
                            }
                            if info.is_between() {
                                continue;
                            }
                            callees.by_method.entry(method).or_default().push(child);
                            if is_region(&info.key.name) {
                                open.push(child);
                            }
                        }
                        Frame::Thread(_) => {}
                    }
                }
            }
            callees
        })
    }

    /// The node that calls another one, without regions and tasks.
    fn caller(&self, node: NodeIx) -> NodeIx {
        let mut at = node;
        loop {
            let caller = NodeIx(self.callers.get(at.0 as usize).copied().unwrap_or(at.0));
            if caller == at || !self.is_between(caller) {
                return caller;
            }
            at = caller;
        }
    }

    fn is_between(&self, node: NodeIx) -> bool {
        match self.profile.tree.frame(node) {
            Frame::Task(_) => true,
            Frame::Method(method) => {
                let info = &self.profile.method(method).info;
                is_region(&info.key.name) || info.is_between()
            }
            Frame::Thread(_) => false,
        }
    }

    /// The node of open calls, outermost first.
    pub fn node_of(&mut self, root: NodeIx, path: &[MethodId]) -> Option<NodeIx> {
        let mut at = root;
        for id in path {
            let method = *self.by_id.get(id)?;
            at = *self.callees(at).by_method.get(&method)?.first()?;
        }
        (at != root).then_some(at)
    }

    /// The innermost region that was open in a node, or the node.
    pub fn within_regions(&mut self, mut node: NodeIx, open: Option<&[MethodId]>) -> NodeIx {
        let ids = open.unwrap_or_default();
        let regions = ids.iter().rev().filter_map(|id| self.by_id.get(id).copied());
        let regions =
            regions.take_while(|method| is_region(&self.profile.method(*method).info.key.name));
        let regions: Vec<MethodIx> = regions.collect();
        for region in regions.into_iter().rev() {
            if let Some(regions) = self.callees(node).by_method.get(&region) {
                node = regions.first().copied().unwrap_or(node);
            }
        }
        node
    }

    /// The calls of a place that may have records, outermost first. Without regions.
    pub fn recorded_path(&self, node: NodeIx) -> Vec<Step> {
        let tree = &self.profile.tree;
        let frames = self.nodes_to(node).into_iter().filter_map(|node| match tree.frame(node) {
            Frame::Method(method) if tree.timed(node) > 0 && !self.is_between(node) => {
                Some(Step { node, method, may_be_counted: tree.counted(node) > 0 })
            }
            _ => None,
        });
        frames.collect()
    }

    /// The methods of open calls. Without regions.
    pub fn open_path(&self, path: &[MethodId]) -> Vec<Option<MethodIx>> {
        let methods = path.iter().map(|id| self.by_id.get(id).copied());
        methods.filter(|method| self.is_frame(*method)).collect()
    }

    /// Open calls without regions.
    pub fn frames_of(&self, path: &[MethodId]) -> Vec<MethodId> {
        let is_frame = |id: &&MethodId| self.is_frame(self.by_id.get(id).copied());
        path.iter().filter(is_frame).copied().collect()
    }

    /// The outermost open calls, up to so many that are no regions.
    pub fn first_calls<'i>(&self, path: &'i [MethodId], calls: usize) -> &'i [MethodId] {
        let frames = path.iter().enumerate();
        let frames = frames.filter(|(_, id)| self.is_frame(self.by_id.get(id).copied()));
        let last = frames.take(calls).last().map_or(0, |(at, _)| at + 1);
        path.get(..last).unwrap_or(path)
    }

    fn is_frame(&self, method: Option<MethodIx>) -> bool {
        method.is_none_or(|of| !is_region(&self.profile.method(of).info.key.name))
    }

    /// How long a timed call of a node takes on average, in ns.
    pub fn mean_nanos(&self, node: NodeIx) -> u64 {
        let tree = &self.profile.tree;
        self.profile.rate.nanos(tree.total_time(node)).0 / tree.timed(node).max(1)
    }

    /// The frames from a thread to a node.
    pub fn frames_to(&self, node: NodeIx) -> Vec<Frame> {
        self.nodes_to(node).into_iter().map(|node| self.profile.tree.frame(node)).collect()
    }

    fn nodes_to(&self, node: NodeIx) -> Vec<NodeIx> {
        let mut nodes = vec![node];
        let mut at = node.0;
        while let Some(caller) = self.callers.get(at as usize).filter(|caller| **caller != at) {
            nodes.push(NodeIx(*caller));
            at = *caller;
        }
        nodes.reverse();
        nodes
    }
}
