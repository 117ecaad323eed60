//! Sampled frames below the nodes of the tree that is shown.

use crate::{Shown, pools::Pools};
use jfathom_plan::{quoted_class, quoted_name};
use jfathom_profile::{
    Frame, NodeIx, Profile, SampleCounts, SampleFrame, SampleIx, SampledName, StackSamples,
    ThreadIx,
};
use std::collections::HashMap;

/// The samples of the threads that are shown, with the frames of the tree that is shown.
#[derive(Debug)]
pub struct ShownSamples {
    samples: StackSamples,
    places: HashMap<NodeIx, SampleIx>,
    all: SampleCounts,
}

/// A share of samples with its error: half of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampledShare {
    /// From 0 to 1.
    pub share: f64,
    /// What so few samples leave open.
    pub error: f64,
}

/// Standard deviations of a 95 % interval.
const NORMAL_95: f64 = 1.96;

impl SampledShare {
    /// The share that so many samples are of all. The interval is that of Wilson, as wide as it is
    /// at its wider side: a share of nothing has an error, too.
    pub fn new(samples: u64, all: u64) -> Self {
        if all == 0 {
            return Self { share: 0.0, error: 1.0 };
        }
        let (count, z) = (all as f64, NORMAL_95);
        let share = samples as f64 / count;
        let spread = (share * (1.0 - share) / count + z * z / (4.0 * count * count)).sqrt();
        let scale = 1.0 + z * z / count;
        let middle = (share + z * z / (2.0 * count)) / scale;
        Self { share, error: z * spread / scale + (middle - share).abs() }
    }
}

impl ShownSamples {
    /// The samples of selected threads, each thread as the first one of its pool; `are_merged`:
    /// without threads at the top.
    pub(crate) fn new(
        profile: &Profile,
        pools: Option<&Pools>,
        is_selected: impl Fn(ThreadIx) -> bool,
        are_merged: bool,
    ) -> Self {
        let own = &profile.stack_samples;
        let mut samples = StackSamples { source: own.source, ..StackSamples::default() };
        let selected = StackSamples {
            tree: own.tree.retain_roots(|frame| match frame {
                SampleFrame::Recorded(Frame::Thread(thread)) => is_selected(thread),
                _ => true,
            }),
            ..own.clone()
        };
        samples.add(&selected, |frame| match frame {
            Frame::Thread(_) if are_merged => Frame::Thread(ThreadIx(0)),
            Frame::Thread(thread) => Frame::Thread(pools.map_or(thread, |of| of.first(thread))),
            frame => frame,
        });
        let all = samples.placed();
        Self { samples, places: HashMap::new(), all }
    }

    /// Finds the nodes of the tree that is shown.
    pub(crate) fn find_places(&mut self, shown: &Shown, are_merged: bool) {
        let tree = &self.samples.tree;
        let top = |frame: Frame| {
            let roots = tree.roots();
            match are_merged {
                true => {
                    let root = roots.into_iter().next()?;
                    tree.child(root, SampleFrame::Recorded(frame))
                }
                false => roots
                    .into_iter()
                    .find(|root| tree.node(*root).frame == SampleFrame::Recorded(frame)),
            }
        };
        let mut open: Vec<(NodeIx, SampleIx)> = shown
            .roots
            .iter()
            .filter_map(|root| Some((*root, top(shown.tree.frame(*root))?)))
            .collect();
        while let Some((node, sample)) = open.pop() {
            self.places.insert(node, sample);
            let children: HashMap<SampleFrame, SampleIx> =
                tree.children(sample).map(|child| (tree.node(child).frame, child)).collect();
            if children.is_empty() {
                continue;
            }
            let below = shown.tree.children(node).filter_map(|child| {
                let frame = SampleFrame::Recorded(shown.tree.frame(child));
                Some((child, *children.get(&frame)?))
            });
            open.extend(below);
        }
    }

    /// Samples of all threads that are shown.
    pub fn all(&self) -> SampleCounts {
        self.all
    }

    /// Samples in a node and below it.
    pub fn total(&self, node: NodeIx) -> SampleCounts {
        self.places.get(&node).map(|of| self.samples.tree.total(*of)).unwrap_or_default()
    }

    /// The sampled frames directly below a node, the one with the most samples first.
    pub fn below(&self, node: NodeIx) -> Vec<SampleIx> {
        self.places.get(&node).map(|of| self.callees(*of)).unwrap_or_default()
    }

    /// The sampled frames directly below another one, the one with the most samples first.
    pub fn callees(&self, of: SampleIx) -> Vec<SampleIx> {
        let tree = &self.samples.tree;
        let is_sampled =
            |child: &SampleIx| matches!(tree.node(*child).frame, SampleFrame::Sampled(_));
        tree.children(of).filter(is_sampled).collect()
    }

    /// Samples in a sampled frame and below it.
    pub fn sampled(&self, of: SampleIx) -> SampleCounts {
        self.samples.tree.total(of)
    }

    /// Samples whose innermost frame it is.
    pub fn own(&self, of: SampleIx) -> SampleCounts {
        self.samples.tree.node(of).own
    }

    /// The name of a sampled frame: `java.util.TimSort::sort`.
    pub fn name(&self, of: SampleIx) -> String {
        let SampleFrame::Sampled(name) = self.samples.tree.node(of).frame else {
            return String::new();
        };
        self.samples.name(name).map(sampled_name).unwrap_or_default()
    }
}

/// A frame's method as people write it.
pub fn sampled_name(name: &SampledName) -> String {
    match name.class.is_empty() {
        true => jfathom_plan::printable(&name.name).into_owned(),
        false => format!("{}::{}", quoted_class(&name.class), quoted_name(&name.name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_samples_leave_much_open() {
        let half = SampledShare::new(50, 100);
        assert!((half.share - 0.5).abs() < 1e-9 && (0.09..0.1).contains(&half.error), "{half:?}");
        let nothing = SampledShare::new(0, 10);
        assert!(nothing.share == 0.0 && (0.2..0.4).contains(&nothing.error), "{nothing:?}");
        assert_eq!(SampledShare::new(0, 0), SampledShare { share: 0.0, error: 1.0 });
        assert!(SampledShare::new(7, 7).error < 0.5);
    }
}
