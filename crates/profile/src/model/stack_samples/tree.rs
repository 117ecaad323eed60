//! Sampled frames below recorded ones: columns in preorder.

use jfathom_plan::Problem;
use std::iter::Sum;
use std::ops::{AddAssign, Range};

use serde::{Deserialize, Serialize};

use crate::Frame;

/// Numbers of samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SampleCounts {
    /// Of threads that ran Java code.
    pub running: u64,
    /// Of threads in a native method, perhaps to wait there.
    pub native: u64,
    /// Of threads in a probe.
    pub probes: u64,
}

/// What a node of the tree stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SampleFrame {
    /// A frame of the profile's own tree.
    Recorded(Frame),
    /// A frame without a probe, by its place among [`super::StackSamples::names`].
    Sampled(u32),
}

/// Index of a node in a [`SampleTree`], in preorder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SampleIx(pub u32);

/// A node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampleNode {
    /// What it stands for.
    pub frame: SampleFrame,
    /// Nodes above it.
    pub depth: u32,
    /// Samples whose innermost frame it is.
    pub own: SampleCounts,
}

/// Sampled stacks as a tree. Nodes are in preorder, siblings with the most samples first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<SampleNode>", into = "Vec<SampleNode>")]
pub struct SampleTree {
    nodes: Vec<SampleNode>,
    /// One past the last descendant.
    ends: Vec<u32>,
    totals: Vec<SampleCounts>,
}

impl SampleCounts {
    /// Samples of all kinds.
    pub fn all(self) -> u64 {
        self.of_program().saturating_add(self.probes)
    }

    /// Samples of the program's own work.
    pub fn of_program(self) -> u64 {
        self.running.saturating_add(self.native)
    }

    /// Whether there is none.
    pub fn is_zero(self) -> bool {
        self == Self::default()
    }
}

impl AddAssign for SampleCounts {
    fn add_assign(&mut self, other: Self) {
        self.running = self.running.saturating_add(other.running);
        self.native = self.native.saturating_add(other.native);
        self.probes = self.probes.saturating_add(other.probes);
    }
}

impl Sum for SampleCounts {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), |mut sum, of| {
            sum += of;
            sum
        })
    }
}

impl From<SampleTree> for Vec<SampleNode> {
    fn from(tree: SampleTree) -> Self {
        tree.nodes
    }
}

impl TryFrom<Vec<SampleNode>> for SampleTree {
    type Error = Problem;

    /// The tree of nodes in preorder. An error names a contradiction.
    fn try_from(nodes: Vec<SampleNode>) -> Result<Self, Problem> {
        let mut path_length = 0;
        for (at, node) in nodes.iter().enumerate() {
            if node.depth > path_length {
                return Err(format!("sampled frame {at} of depth {}", node.depth).into());
            }
            path_length = node.depth + 1;
        }
        match u32::try_from(nodes.len()) {
            Ok(_) => Ok(Self::from_preorder(nodes)),
            Err(_) => Err(format!("{} sampled frames", nodes.len()).into()),
        }
    }
}

impl SampleTree {
    pub(super) fn from_preorder(nodes: Vec<SampleNode>) -> Self {
        let mut ends = vec![0; nodes.len()];
        let mut totals: Vec<SampleCounts> = nodes.iter().map(|node| node.own).collect();
        let mut path: Vec<usize> = Vec::new();
        let mut close = |path: &mut Vec<usize>, depth: usize, at: usize| {
            while path.len() > depth {
                let Some(node) = path.pop() else { break };
                ends[node] = at as u32;
                if let Some(parent) = path.last() {
                    let total = totals[node];
                    totals[*parent] += total;
                }
            }
        };
        for (at, node) in nodes.iter().enumerate() {
            close(&mut path, node.depth as usize, at);
            path.push(at);
        }
        close(&mut path, 0, nodes.len());
        Self { nodes, ends, totals }
    }

    /// Whether it has no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// All nodes.
    pub fn nodes(&self) -> impl Iterator<Item = SampleIx> + use<> {
        (0..self.nodes.len() as u32).map(SampleIx)
    }

    /// A node. Panics if the index is of another tree.
    pub fn node(&self, node: SampleIx) -> SampleNode {
        self.nodes[node.0 as usize]
    }

    /// Samples in a node and below it. Panics if the index is of another tree.
    pub fn total(&self, node: SampleIx) -> SampleCounts {
        self.totals[node.0 as usize]
    }

    /// The outermost nodes.
    pub fn roots(&self) -> impl Iterator<Item = SampleIx> {
        self.siblings(0..self.nodes.len() as u32)
    }

    /// The nodes directly below one. Panics if the index is of another tree.
    pub fn children(&self, node: SampleIx) -> impl Iterator<Item = SampleIx> {
        self.siblings(node.0 + 1..self.ends[node.0 as usize])
    }

    /// The child with this frame.
    pub fn child(&self, node: SampleIx, frame: SampleFrame) -> Option<SampleIx> {
        self.children(node).find(|child| self.node(*child).frame == frame)
    }

    /// The trees of the roots whose frame is wanted.
    #[must_use]
    pub fn retain_roots(&self, wants: impl Fn(SampleFrame) -> bool) -> Self {
        let roots = self.roots().filter(|root| wants(self.node(*root).frame));
        let kept = roots.flat_map(|root| &self.nodes[root.0 as usize..self.end(root)]);
        Self::from_preorder(kept.copied().collect())
    }

    fn end(&self, node: SampleIx) -> usize {
        self.ends[node.0 as usize] as usize
    }

    fn siblings(&self, within: Range<u32>) -> impl Iterator<Item = SampleIx> {
        let mut next = within.start;
        std::iter::from_fn(move || {
            let end = self.ends.get(next as usize).filter(|_| next < within.end)?;
            let node = SampleIx(next);
            next = *end;
            Some(node)
        })
    }
}
