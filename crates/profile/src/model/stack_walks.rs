//! Stacks that the JVM has walked at each of so many calls of chosen methods: who calls them,
//! through methods with probes and without.

use jfathom_plan::Problem;
use serde::{Deserialize, Serialize};

use crate::{
    Frame, MethodIx, SampleCounts, SampleFrame, SampleIx, SampleTree, SampleTreeBuilder,
    SampledName,
};

/// The callers of methods, by walked stacks. Default: no rule has stacks walked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StackWalks {
    /// The methods whose stacks are walked, ascending, each once.
    pub methods: Vec<WalkedMethod>,
    /// The names of frames without recorded calls.
    pub names: Vec<SampledName>,
    /// Its roots are methods of the list above; below a frame stand its callers, outward. A walk
    /// counts as [`SampleCounts::running`] in its outermost frame.
    pub tree: SampleTree,
    /// Walks without their outermost frames in the tree, which was full.
    pub cut: u64,
}

/// A method whose stacks are walked. Always `due ≥ walks + unknown`, with the walks in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WalkedMethod {
    /// The method.
    pub method: MethodIx,
    /// The stack is walked at each call of so many; zero if recordings that were added up differ.
    pub interval: u32,
    /// The walks that its calls were due. Those that are neither in the tree nor unknown were not
    /// made, or not kept by the JVM.
    pub due: u64,
    /// Of the walks in the tree: those of stacks whose outermost frames are missing, as the JVM
    /// records no deeper ones.
    pub truncated: u64,
    /// Walks without a stack, or of a stack that the method is not in.
    pub unknown: u64,
}

impl WalkedMethod {
    /// Together with the same method of another recording.
    fn plus(self, other: Self) -> Self {
        Self {
            method: self.method,
            interval: if self.interval == other.interval { self.interval } else { 0 },
            due: self.due.saturating_add(other.due),
            truncated: self.truncated.saturating_add(other.truncated),
            unknown: self.unknown.saturating_add(other.unknown),
        }
    }
}

impl StackWalks {
    /// Of walks that are in a builder, each from its method outward. Methods may be there twice.
    pub fn new(methods: Vec<WalkedMethod>, builder: SampleTreeBuilder, cut: u64) -> Self {
        let (names, tree) = builder.finish();
        Self { methods: each_once(methods), names, tree, cut }
    }

    /// Whether any recording was to walk stacks.
    pub fn is_recorded(&self) -> bool {
        !self.methods.is_empty()
    }

    /// The place of a method in the tree; none without a walk.
    pub fn root(&self, method: MethodIx) -> Option<SampleIx> {
        let frame = SampleFrame::Recorded(Frame::Method(method));
        self.tree.roots().find(|root| self.tree.node(*root).frame == frame)
    }

    /// The walks of a method that are in the tree.
    pub fn walks(&self, method: MethodIx) -> u64 {
        self.root(method).map_or(0, |root| self.tree.total(root).all())
    }

    /// Adds those of another profile, whose frames `frame` turns into this one's.
    pub fn add(&mut self, other: &Self, frame: impl Fn(Frame) -> Frame) {
        let added = other.methods.iter().map(|of| match frame(Frame::Method(of.method)) {
            Frame::Method(method) => WalkedMethod { method, ..*of },
            Frame::Thread(_) | Frame::Task(_) => *of,
        });
        let mut methods = std::mem::take(&mut self.methods);
        methods.extend(added);
        let mut builder = SampleTreeBuilder::from_parts(
            std::mem::take(&mut self.names),
            &std::mem::take(&mut self.tree),
        );
        let cut = self.cut.saturating_add(other.cut);
        let more = builder.add_tree(&other.names, &other.tree, frame);
        *self = Self::new(methods, builder, cut.saturating_add(more));
    }

    /// Checks it against a profile with so many methods. An error names a contradiction.
    pub(crate) fn check(&self, methods: usize) -> Result<(), Problem> {
        let ascends = self.methods.windows(2).all(|pair| pair[0].method < pair[1].method);
        let exists = |method: MethodIx| (method.0 as usize) < methods;
        if !ascends || !self.methods.iter().all(|of| exists(of.method)) {
            return Err("methods whose stacks are walked are not there, or there twice".into());
        }
        for node in self.tree.nodes() {
            let is_known = match self.tree.node(node).frame {
                SampleFrame::Recorded(Frame::Method(method)) => exists(method),
                SampleFrame::Recorded(Frame::Thread(_) | Frame::Task(_)) => false,
                SampleFrame::Sampled(name) => (name as usize) < self.names.len(),
            };
            if !is_known {
                return Err(format!("walked frame {} is of nothing that is there", node.0).into());
            }
        }
        let mut roots: Vec<(MethodIx, SampleCounts)> = Vec::new();
        for root in self.tree.roots() {
            match self.tree.node(root).frame {
                SampleFrame::Recorded(Frame::Method(method)) => {
                    roots.push((method, self.tree.total(root)));
                }
                _ => return Err(format!("walked frame {} is of no method", root.0).into()),
            }
        }
        roots.sort_unstable();
        if roots.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err("the walks of a method are there twice".into());
        }
        for (method, walks) in roots {
            let Ok(at) = self.methods.binary_search_by_key(&method, |of| of.method) else {
                return Err(format!("method {} has walks and no interval", method.0).into());
            };
            let WalkedMethod { due, unknown, truncated, .. } = self.methods[at];
            if walks.all().saturating_add(unknown) > due || truncated > walks.all() {
                return Err(format!("method {} has more walks than it was due", method.0).into());
            }
        }
        Ok(())
    }
}

/// The methods in their order, those that are there twice as one.
fn each_once(mut methods: Vec<WalkedMethod>) -> Vec<WalkedMethod> {
    methods.sort_by_key(|of| of.method);
    let mut once: Vec<WalkedMethod> = Vec::new();
    for of in methods {
        match once.last_mut() {
            Some(last) if last.method == of.method => *last = last.plus(of),
            _ => once.push(of),
        }
    }
    once
}

#[cfg(test)]
mod tests;
