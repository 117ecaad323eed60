//! One pass over the tree: every node's corrected times.

use jfathom_profile::{Frame, Metric, NodeIx};

use super::folded::FoldedShares;
use super::inputs::Inputs;
use super::node::{CallerShare, OpenNode};
use super::parallel::for_each;
use super::parts::{Chunk, Part, PartKind, SubtreeSums};
use crate::anchor::AppliedAnchor;
use crate::bars::{ErrorTerm, ErrorTerms};
use crate::residual::MethodResidual;
use crate::waits::WaitShare;
use crate::{Costs, Times};

/// Times are multiples of this part of a nanosecond: sums of up to a day are exact in 53 bits.
pub(super) const GRAINS_PER_NANO: f64 = 64.0;

/// Rounded down to what adds up exactly.
pub(super) fn grains(nanos: f64) -> f64 {
    (nanos * GRAINS_PER_NANO).floor() / GRAINS_PER_NANO
}

/// A pass with what earlier passes found.
#[derive(Clone, Copy)]
pub(super) struct TreePass<'a> {
    pub inputs: &'a Inputs<'a>,
    /// By method.
    pub residuals: &'a [MethodResidual],
    /// By thread: the share of its time that late compilation may have taken.
    pub late: &'a [f64],
    /// By thread: the share of its waits that went into other threads' probes. Empty before the
    /// waits are known.
    pub waits: &'a [WaitShare],
    pub anchor: Option<&'a AppliedAnchor>,
    /// Made anew by [`TreePass::run`].
    pub folded: &'a FoldedShares,
}

/// The sums of a pass.
pub(super) struct CorrectionSums {
    /// What was subtracted from waits.
    pub waits_nanos: f64,
    /// The error terms of each thread's tree, by place of the thread.
    pub threads: Vec<(usize, ErrorTerms)>,
}

/// What all nodes of a thread have in common.
struct OfThread<'a> {
    index: usize,
    cost: &'a Costs,
    late: f64,
    /// Its run-queue delay, which no error term can exceed.
    queued_nanos: f64,
    waits: WaitShare,
    anchor: Option<&'a AppliedAnchor>,
}

/// A node whose subtree is behind the pass.
struct Closed {
    times: Times,
    total_nanos: f64,
    /// The error terms of the total time.
    terms: ErrorTerms,
}

/// The innermost open node that has time of its own: counted calls below it leave theirs to it.
fn caller_of(path: &mut [OpenNode]) -> Option<&mut OpenNode> {
    path.iter_mut().rev().find(|open| !open.has_callers_time)
}

impl TreePass<'_> {
    /// Corrects the parts that `is_due`, and the nodes above them: sets their times, in the order
    /// of the tree. The parts and `times` keep what an earlier pass found of the others.
    pub(super) fn run(
        &self,
        chunks: &mut [Chunk],
        times: &mut [Times],
        is_due: impl Fn(&Part) -> bool + Sync,
    ) -> CorrectionSums {
        let folded = self.folded_shares();
        let pass = TreePass { folded: &folded, ..*self };
        pass.run_parts(chunks, times, is_due)
    }

    fn run_parts(
        &self,
        chunks: &mut [Chunk],
        times: &mut [Times],
        is_due: impl Fn(&Part) -> bool + Sync,
    ) -> CorrectionSums {
        let mut rest = &mut *times;
        let mut jobs = Vec::with_capacity(chunks.len());
        for chunk in chunks.iter_mut() {
            let (of_chunk, behind) = std::mem::take(&mut rest).split_at_mut(chunk.rows.len());
            jobs.push((chunk, of_chunk));
            rest = behind;
        }
        let work = |(chunk, times): (&mut Chunk, &mut [Times])| {
            let first = chunk.rows.start;
            for part in &mut chunk.parts {
                if matches!(part.kind, PartKind::Subtree(_)) && is_due(part) {
                    let sums = self.subtree(part, |node, of| {
                        times[(node.0 - first) as usize] = of;
                    });
                    part.kind = PartKind::Subtree(sums.map(Box::new));
                }
            }
        };
        for_each(jobs, work);
        let mut sums = CorrectionSums { waits_nanos: 0.0, threads: Vec::new() };
        self.join(chunks, times, &mut sums);
        sums
    }

    fn of_thread(&self, thread: usize) -> Option<OfThread<'_>> {
        Some(OfThread {
            index: thread,
            cost: self.inputs.costs.get(thread)?,
            late: self.late.get(thread).copied().unwrap_or(0.0),
            queued_nanos: self.inputs.queued_nanos_of(thread),
            waits: self.waits.get(thread).copied().unwrap_or_default(),
            anchor: self.anchor.filter(|anchor| anchor.holds_for(thread)),
        })
    }

    /// Corrects a subtree; `set` gets the times of each of its nodes.
    fn subtree(&self, part: &Part, mut set: impl FnMut(NodeIx, Times)) -> Option<SubtreeSums> {
        let of = self.of_thread(part.thread)?;
        let tree = &self.inputs.profile.tree;
        let depth = tree.depth(part.node);
        let mut sums = SubtreeSums {
            for_caller: None,
            total_nanos: 0.0,
            terms: ErrorTerms::default(),
            has_waits: false,
            waits_nanos: Vec::new(),
        };
        let mut path: Vec<OpenNode> = Vec::new();
        let mut close_to = |path: &mut Vec<OpenNode>, depth: usize| {
            while path.len() > depth
                && let Some((open, above)) = path.split_last_mut()
            {
                let closed = self.close(open, &of);
                set(open.node, closed.times);
                match above.last_mut() {
                    Some(parent) => parent.add_child(closed.total_nanos, &closed.terms),
                    None => return Some((closed.total_nanos, closed.terms)),
                }
                path.pop();
            }
            None
        };
        for node in tree.subtree(part.node).map(NodeIx) {
            close_to(&mut path, (tree.depth(node) - depth) as usize);
            let (open, for_caller, wait) = self.open(&of, node);
            sums.has_waits |= wait.is_some();
            sums.waits_nanos.extend(wait.filter(|nanos| *nanos != 0.0));
            let throws = tree.number(Metric::Throws, node);
            match (caller_of(&mut path), for_caller) {
                (None, Some(share)) => {
                    let (before, thrown) = sums.for_caller.unwrap_or_default();
                    let share = [before, share].into_iter().sum();
                    sums.for_caller = Some((share, thrown.saturating_add(throws)));
                }
                (Some(caller), Some(share)) => self.add_callee(caller, node, &share, throws),
                (_, None) => {}
            }
            path.push(open);
        }
        (sums.total_nanos, sums.terms) = close_to(&mut path, 0)?;
        Some(sums)
    }

    /// Corrects the nodes above the subtrees, and adds the subtrees' sums to them in the order of
    /// the tree: sums of floating-point numbers depend on it.
    fn join(&self, chunks: &[Chunk], times: &mut [Times], sums: &mut CorrectionSums) {
        let tree = &self.inputs.profile.tree;
        let mut path: Vec<OpenNode> = Vec::new();
        let mut of_thread: Option<OfThread> = None;
        for part in chunks.iter().flat_map(|chunk| &chunk.parts) {
            let depth = tree.depth(part.node) as usize;
            self.close_above(&mut path, depth, of_thread.as_ref(), times, sums);
            if of_thread.as_ref().is_none_or(|of| of.index != part.thread) {
                of_thread = self.of_thread(part.thread);
            }
            let Some(of) = &of_thread else { continue };
            match &part.kind {
                PartKind::Node => {
                    let (open, for_caller, wait) = self.open(of, part.node);
                    sums.waits_nanos += wait.unwrap_or(0.0);
                    if let (Some(caller), Some(share)) = (caller_of(&mut path), for_caller) {
                        self.add_callee(
                            caller,
                            part.node,
                            &share,
                            tree.number(Metric::Throws, part.node),
                        );
                    }
                    path.push(open);
                }
                PartKind::Subtree(Some(subtree)) => {
                    subtree.waits_nanos.iter().for_each(|nanos| sums.waits_nanos += nanos);
                    if let (Some(caller), Some((share, throws))) =
                        (caller_of(&mut path), &subtree.for_caller)
                    {
                        self.add_callee(caller, part.node, share, *throws);
                    }
                    match path.last_mut() {
                        Some(parent) => parent.add_child(subtree.total_nanos, &subtree.terms),
                        None => sums.threads.push((of.index, subtree.terms)),
                    }
                }
                PartKind::Subtree(None) => {}
            }
        }
        self.close_above(&mut path, 0, of_thread.as_ref(), times, sums);
    }

    /// Ends the nodes of the path beyond `depth`, which are above subtrees.
    fn close_above(
        &self,
        path: &mut Vec<OpenNode>,
        depth: usize,
        of: Option<&OfThread>,
        times: &mut [Times],
        sums: &mut CorrectionSums,
    ) {
        let Some(of) = of else { return };
        while path.len() > depth
            && let Some((open, above)) = path.split_last_mut()
        {
            let closed = self.close(open, of);
            times[open.node.0 as usize] = closed.times;
            match above.last_mut() {
                Some(parent) => parent.add_child(closed.total_nanos, &closed.terms),
                None => sums.threads.push((of.index, closed.terms)),
            }
            path.pop();
        }
    }

    /// What calls take from callers that were folded.
    fn folded_shares(&self) -> FoldedShares {
        let tree = &self.inputs.profile.tree;
        if tree.summary_nodes().next().is_none() {
            return FoldedShares::default();
        }
        let mut threads: Vec<(NodeIx, Option<OfThread>)> = tree
            .roots()
            .map(|root| {
                let thread = self.inputs.thread_with_costs(root);
                (root, thread.and_then(|thread| self.of_thread(thread)))
            })
            .collect();
        threads.sort_by_key(|(root, _)| *root);
        FoldedShares::new(tree, 0..tree.len() as u32, |node| {
            let at = threads.partition_point(|(root, _)| *root <= node).checked_sub(1)?;
            let of = threads.get(at)?.1.as_ref()?;
            let residual = self.residual(of.anchor, node);
            OpenNode::new(self.inputs, node, of.cost, &residual).1
        })
    }

    /// A node with its own part of the correction, what its calls take from its caller, and, if it
    /// waits for other threads, what was subtracted from the wait, in nanoseconds.
    #[inline]
    fn open(&self, of: &OfThread, node: NodeIx) -> (OpenNode, Option<CallerShare>, Option<f64>) {
        let residual = self.residual(of.anchor, node);
        let (mut open, for_caller) = OpenNode::new(self.inputs, node, of.cost, &residual);
        let wait = self.inputs.waiting.nanos(&self.inputs.profile.tree, node);
        let nanos = (wait != 0.0).then(|| {
            let correction = of.anchor.map_or(0.0, AppliedAnchor::wait_share);
            let nanos = wait * of.waits.probes + wait * of.waits.error * correction;
            open.self_nanos -= nanos;
            open.self_terms[ErrorTerm::Waits] = wait * of.waits.error;
            open.alone_nanos = wait * (1.0 - of.waits.others);
            nanos
        });
        // A run without probes waits for a processor less, or not at all.
        let half_queued = self.inputs.queued_nanos(node, of.index) / 2.0;
        open.self_nanos -= half_queued;
        open.self_terms[ErrorTerm::RunQueue] = half_queued;
        open.self_terms[ErrorTerm::LateCompilation] =
            (self.inputs.measured_self_nanos(node) - wait.max(open.parked_nanos)) * of.late;
        let Some(share) = self.folded.of(node) else { return (open, for_caller, nanos) };
        if self.inputs.profile.tree.number(Metric::Folded, node) != 0 {
            return (open, Some(*share), nanos);
        }
        open.add_callee(share, 0);
        (open, None, nanos)
    }

    /// The residual of a node's method; zero for threads and tasks.
    #[inline]
    fn residual(&self, anchor: Option<&AppliedAnchor>, node: NodeIx) -> MethodResidual {
        let Frame::Method(method) = self.inputs.profile.tree.frame(node) else {
            return MethodResidual::default();
        };
        let mut residual = self.residuals[method.0 as usize];
        residual.nanos += anchor.map_or(0.0, |anchor| anchor.residual_nanos(method.0 as usize));
        residual
    }

    /// Subtracts a callee's share from its caller. What the outermost calls cost outside is time of
    /// no node.
    fn add_callee(&self, caller: &mut OpenNode, callee: NodeIx, share: &CallerShare, throws: u64) {
        if self.inputs.profile.tree.depth(callee) > 1 {
            caller.add_callee(share, throws);
        }
    }

    /// Ends a node whose children are closed.
    #[inline]
    fn close(&self, open: &mut OpenNode, of: &OfThread) -> Closed {
        let anchor = of.anchor;
        // What an anchor leaves of the terms.
        let left = |terms: &ErrorTerms| anchor.map_or(*terms, |anchor| anchor.remaining(terms));
        open.subtract_exceptions(self.inputs.residual);
        let inlining = self.inputs.residual.inlining.lost(open.self_nanos, open.calls_made);
        if anchor.is_none() {
            // An anchor has measured what is lost.
            open.self_nanos -= inlining.nanos;
        }
        open.self_terms[ErrorTerm::Inlining] = inlining.error_nanos;
        let self_abs = open.self_nanos.abs();
        let run_abs = (open.self_nanos - open.parked_nanos).abs();
        open.self_terms[ErrorTerm::Pace] = run_abs * self.inputs.residual.pace_share;
        open.self_terms[ErrorTerm::BetweenRuns] =
            (self_abs - open.alone_nanos).max(0.0) * self.inputs.residual.between_runs_share;
        let self_nanos = (open.self_nanos * GRAINS_PER_NANO).round() / GRAINS_PER_NANO;
        let total_nanos = self_nanos + open.children_nanos;
        let self_moved = open.moved_variance + open.callees_moved_variance;
        let mut total_terms = open.children_terms;
        total_terms.add(&open.self_terms);
        let queued = &mut total_terms[ErrorTerm::RunQueue];
        *queued = queued.min(of.queued_nanos / 2.0);
        let (of_self, of_total) = (left(&open.self_terms), left(&total_terms));
        let times = Times {
            self_nanos,
            total_nanos,
            self_error_nanos: of_self.bar(self_moved),
            total_error_nanos: of_total.bar(open.moved_variance),
            self_between_runs_nanos: of_self[ErrorTerm::BetweenRuns].abs(),
            total_between_runs_nanos: of_total[ErrorTerm::BetweenRuns].abs(),
            total_queue_nanos: of_total[ErrorTerm::RunQueue].abs(),
        };
        Closed { times, total_nanos, terms: total_terms }
    }

    /// What the pass subtracts as residual overhead of timed calls, in the order of the tree.
    pub(super) fn residual_nanos(&self) -> f64 {
        let tree = &self.inputs.profile.tree;
        let mut sum = 0.0;
        for root in tree.roots() {
            let Some(thread) = self.inputs.thread_with_costs(root) else { continue };
            let anchor = self.anchor.filter(|anchor| anchor.holds_for(thread));
            for node in tree.subtree(root).map(NodeIx) {
                sum += self.residual(anchor, node).nanos * tree.timed(node) as f64;
            }
        }
        sum
    }
}
