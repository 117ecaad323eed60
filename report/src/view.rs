//! What part of a profile is shown, and how wide.

use crate::number::share;
use jfathom_profile::{Frame, Nanos, NodeIx, Profile, ThreadIx, TickRate, Tree};
use std::borrow::Cow;

/// What part of a profile is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Levels of the tree below the threads; all where none is given.
    pub depth: Option<u32>,
    /// Nodes and methods with less than this percentage of the whole time are left out.
    pub threshold: f64,
    /// Only threads with this name or, with a leading `#`, this number; where no name is equal, those that contain it.
    pub thread: Option<String>,
    /// Whether the trees of all threads are added up to one.
    pub merge_threads: bool,
    /// Methods or threads in a list.
    pub limit: usize,
    /// By what hot methods are sorted.
    pub sort: Sort,
    /// Columns of the terminal; names are not shortened where none is given.
    pub width: Option<usize>,
}

impl Default for View {
    fn default() -> Self {
        Self {
            depth: None,
            threshold: 1.0,
            thread: None,
            merge_threads: false,
            limit: 20,
            sort: Sort::SelfTime,
            width: None,
        }
    }
}

/// What hot methods are sorted by, the largest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// Time in the method itself.
    #[default]
    SelfTime,
    /// Time in the method and all that it calls.
    TotalTime,
    /// Calls.
    Calls,
}

impl View {
    /// The threads that are shown; none where no name fits.
    pub fn threads(&self, profile: &Profile) -> Vec<ThreadIx> {
        let all = || (0..).map(ThreadIx).zip(&profile.threads);
        let Some(wanted) = &self.thread else { return all().map(|(ix, _)| ix).collect() };
        if let Some(number) = wanted.strip_prefix('#').and_then(|number| number.parse::<u64>().ok()) {
            return all().filter(|(_, thread)| thread.sequence == number).map(|(ix, _)| ix).collect();
        }
        let named: Vec<ThreadIx> = all().filter(|(_, thread)| thread.name == *wanted).map(|(ix, _)| ix).collect();
        if !named.is_empty() {
            return named;
        }
        all().filter(|(_, thread)| thread.name.contains(&**wanted)).map(|(ix, _)| ix).collect()
    }

    /// The part of a profile that is shown.
    pub(crate) fn of<'a>(&'a self, profile: &'a Profile) -> Shown<'a> {
        let threads = self.thread.as_ref().map(|_| self.threads(profile));
        let selected = |thread: ThreadIx| threads.as_ref().is_none_or(|threads| threads.contains(&thread));
        let tree = match self.merge_threads {
            true => Cow::Owned(jfathom_profile::merge_threads(profile, selected)),
            false => Cow::Borrowed(&profile.tree),
        };
        let is_shown = |root: &NodeIx| !matches!(tree.frame(*root), Frame::Thread(thread) if !selected(thread));
        let roots: Vec<NodeIx> = tree.roots().filter(is_shown).collect();
        let whole = profile.rate.nanos(roots.iter().map(|root| tree.total_time(*root)).sum());
        Shown { view: self, rate: profile.rate, tree, roots, whole }
    }
}

/// The tree of a profile, or that of some of its threads, with its times in nanoseconds.
pub(crate) struct Shown<'a> {
    view: &'a View,
    rate: TickRate,
    pub tree: Cow<'a, Tree>,
    /// The roots that are shown.
    pub roots: Vec<NodeIx>,
    /// The time of all roots that are shown.
    pub whole: Nanos,
}

impl Shown<'_> {
    /// Time in a node itself.
    pub(crate) fn own(&self, node: NodeIx) -> Nanos {
        self.rate.nanos(self.tree.self_time(node))
    }

    /// Time in a node and all below it.
    pub(crate) fn total(&self, node: NodeIx) -> Nanos {
        self.rate.nanos(self.tree.total_time(node))
    }

    /// Whether a node of a shown parent is shown. Threads are, so that no time is left out.
    pub(crate) fn shows(&self, node: NodeIx) -> bool {
        let is_thread = matches!(self.tree.frame(node), Frame::Thread(_));
        let level = self.tree.depth(node);
        is_thread || !self.is_small(node) && self.view.depth.is_none_or(|depth| level <= depth)
    }

    /// Whether a node is below the threshold.
    pub(crate) fn is_small(&self, node: NodeIx) -> bool {
        share(self.total(node).0, self.whole.0) < self.view.threshold
    }

    /// The nodes that are shown, in preorder.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = NodeIx> {
        self.roots.iter().flat_map(move |root| {
            let std::ops::Range { start: mut next, end } = self.tree.subtree(*root);
            std::iter::from_fn(move || {
                while next < end {
                    let node = NodeIx(next);
                    if self.shows(node) {
                        next += 1;
                        return Some(node);
                    }
                    next = self.tree.subtree(node).end;
                }
                None
            })
        })
    }
}
