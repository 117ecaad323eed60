//! Call paths: the trees of all threads as one, with running times.

use crate::waits::Waits;
use jfathom_calibration::CorrectedTimes;
use jfathom_profile::{Frame, MethodIx, NodeIx, Profile};
use std::collections::HashMap;

/// A place in [`Contexts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ContextIx(pub u32);

/// All call paths of a profile, each once, callers before callees.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contexts {
    all: Vec<Context>,
    /// The place of a method below a caller; without a caller, of one at the top.
    callees: HashMap<(Option<ContextIx>, MethodIx), ContextIx>,
    /// By method: whether it was counted, so that its time is its callers'.
    is_counted: Vec<bool>,
}

/// One call path, by its innermost method.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    pub method: MethodIx,
    pub caller: Option<ContextIx>,
    /// The tree's nodes that have this path.
    pub nodes: Vec<u32>,
    /// Corrected self time without waits, in ns.
    pub self_nanos: f64,
    /// Its 95 % error.
    pub self_error: f64,
    /// The same with all callees.
    pub total_nanos: f64,
    /// Its 95 % error.
    pub total_error: f64,
}

/// Where a node's callees hang.
#[derive(Clone, Copy)]
enum Parent {
    /// A thread or a task: a call below it begins a path.
    Top,
    Below(ContextIx),
}

/// The error of a share. What runs differ by is only assumed for a single run, mostly as one factor
/// of all times, which no share has. The samples show what shares differ by, and it is added there.
fn of_share(error: f64, between_runs: f64, has_runs: bool) -> f64 {
    if has_runs { error.hypot(between_runs) } else { error }
}

impl Contexts {
    /// A method that was counted, for however short a time, has no paths of its own: which of its
    /// time is its callers' depends on when it was counted. Its time is theirs, and its callees
    /// hang below them. That is so on both sides, so like is compared with like.
    pub fn of(profile: &Profile, corrected: &CorrectedTimes, waits: &Waits) -> Self {
        let is_counted = profile.methods.iter().map(|method| method.counted > 0).collect();
        let mut contexts = Self { is_counted, ..Self::default() };
        // By depth: where callees hang.
        let mut path: Vec<Parent> = Vec::new();
        let tree = &profile.tree;
        let has_runs = profile.runs.len() > 1;
        for node in tree.nodes() {
            path.truncate(tree.depth(node) as usize);
            let parent = path.last().copied().unwrap_or(Parent::Top);
            let own = match tree.frame(node) {
                Frame::Thread(_) | Frame::Task(_) => Parent::Top,
                Frame::Method(method) => contexts.parent(profile, node, method, parent),
            };
            if let Parent::Below(context) = own {
                let times = corrected.node(node);
                let (waited, error) = waits.node(node);
                let [between, total_between] =
                    [times.self_between_runs_nanos, times.total_between_runs_nanos];
                let context = &mut contexts.all[context.0 as usize];
                context.self_nanos += times.self_nanos - waited;
                context.self_error +=
                    of_share(times.self_error_nanos, between, has_runs).hypot(error);
                if context.nodes.last() == Some(&node.0) {
                    context.total_error +=
                        of_share(times.total_error_nanos, total_between, has_runs).hypot(error);
                }
            }
            path.push(own);
        }
        contexts.add_totals();
        contexts
    }

    /// Where the time and the callees of a node hang.
    fn parent(
        &mut self,
        profile: &Profile,
        node: NodeIx,
        method: MethodIx,
        parent: Parent,
    ) -> Parent {
        let tree = &profile.tree;
        let is_sign = profile.method(method).info.is_sign();
        let caller = match parent {
            Parent::Top if is_sign || tree.timed(node) == 0 => return Parent::Top,
            Parent::Top => None,
            Parent::Below(_) if is_sign || self.is_counted(method) => return parent,
            Parent::Below(caller) => Some(caller),
        };
        let next = ContextIx(self.all.len() as u32);
        let context = *self.callees.entry((caller, method)).or_insert(next);
        if context == next {
            self.all.push(Context {
                method,
                caller,
                nodes: Vec::new(),
                self_nanos: 0.0,
                self_error: 0.0,
                total_nanos: 0.0,
                total_error: 0.0,
            });
        }
        self.all[context.0 as usize].nodes.push(node.0);
        Parent::Below(context)
    }

    fn add_totals(&mut self) {
        for at in (0..self.all.len()).rev() {
            self.all[at].total_nanos += self.all[at].self_nanos;
            if let Some(caller) = self.all[at].caller {
                self.all[caller.0 as usize].total_nanos += self.all[at].total_nanos;
            }
        }
    }

    /// All paths, each caller followed by its callees in their order.
    pub fn preorder(&self) -> Vec<ContextIx> {
        let mut callees: Vec<Vec<u32>> = vec![Vec::new(); self.all.len()];
        let mut open = Vec::new();
        for (context, at) in self.all.iter().zip(0_u32..).collect::<Vec<_>>().into_iter().rev() {
            match context.caller {
                // In reverse, as the last one that is opened is the first one that is visited.
                Some(caller) => callees[caller.0 as usize].push(at),
                None => open.push(at),
            }
        }
        let mut order = Vec::with_capacity(self.all.len());
        while let Some(at) = open.pop() {
            order.push(ContextIx(at));
            open.append(&mut callees[at as usize]);
        }
        order
    }

    pub fn all(&self) -> &[Context] {
        &self.all
    }

    /// Whether the method's time is its callers'.
    pub fn is_counted(&self, method: MethodIx) -> bool {
        self.is_counted.get(method.0 as usize) == Some(&true)
    }

    /// The path of a method below a caller, or at the top.
    pub fn callee(&self, caller: Option<ContextIx>, method: MethodIx) -> Option<ContextIx> {
        self.callees.get(&(caller, method)).copied()
    }
}
