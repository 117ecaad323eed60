//! One walk over the tree.

use jfathom_profile::{Frame, NodeIx, Profile, Thread};
use jfathom_statistics::student_95;

use crate::waits::{self, WaitShare};
use crate::{Costs, Estimator, Residual, Times};

/// Causes of errors that are common to all calls.
#[derive(Clone, Copy, Debug, Default)]
struct ErrorTerms {
    inner: f64,
    outer: f64,
    throw: f64,
    count: f64,
    residual: f64,
    counted_residual: f64,
    /// Other threads' probes, for which the thread waited.
    waits: f64,
    /// Compilation that comes late.
    late: f64,
    pace: f64,
    /// Variance of what is independent from call to call.
    random: f64,
}

impl ErrorTerms {
    fn add(&mut self, other: &Self) {
        self.inner += other.inner;
        self.outer += other.outer;
        self.throw += other.throw;
        self.count += other.count;
        self.residual += other.residual;
        self.counted_residual += other.counted_residual;
        self.waits += other.waits;
        self.late += other.late;
        self.pace += other.pace;
        self.random += other.random;
    }

    /// The half width of all of them, and of work moved across the node's edge with variance
    /// `moved`.
    fn bar(&self, anchor: Option<&Anchoring>, moved: f64) -> f64 {
        let left = match anchor {
            Some(anchor) => anchor.left_of(self),
            None => self.common(),
        };
        let squares: f64 = left.iter().map(|cause| cause * cause).sum();
        (squares + self.random + moved).sqrt()
    }

    /// Those that are common to all calls.
    fn common(&self) -> [f64; 10] {
        let Self {
            inner, outer, throw, count, residual, counted_residual, waits, late, pace, ..
        } = *self;
        [inner, outer, throw, count, counted_residual, pace, late, residual, waits, 0.0]
    }

    /// What is only assumed: the anchor's correction is shared out in proportion to it.
    fn assumed(&self) -> f64 {
        self.residual + self.waits
    }
}

/// What an anchor does to doubts: it fixes the sum, whatever was wrong with it, by a correction
/// that is shared out as what is assumed is in doubt, and leaves open whether that is where the
/// errors were. All of it on the threads of the roots: an anchor knows nothing of others.
#[derive(Clone, Copy, Debug, Default)]
struct Anchoring {
    /// The causes of all calls together.
    whole: ErrorTerms,
    /// The doubt that the anchor leaves of the sum.
    left: f64,
}

impl Anchoring {
    /// What is left of common causes.
    fn left_of(&self, causes: &ErrorTerms) -> [f64; 10] {
        let assumed = self.whole.assumed();
        let part = if assumed > 0.0 { (causes.assumed() / assumed).min(1.0) } else { 0.0 };
        let mut left = [0.0; 10];
        for ((left, own), whole) in left.iter_mut().zip(causes.common()).zip(self.whole.common()) {
            *left = own - part * whole;
        }
        // How the correction itself is shared out is only assumed.
        left[7] = causes.residual * (1.0 - part);
        left[8] = causes.waits * (1.0 - part);
        left[9] = part * self.left;
        left
    }
}

/// What is assumed of a method.
#[derive(Clone, Copy, Debug, Default)]
struct Assumed {
    residual: f64,
    bar: f64,
    moved: f64,
    /// Time of the caller that is the method's: work which the end of its entry probe hides.
    from_caller: f64,
    /// What an anchor adds to the residual.
    correction: f64,
}

/// A node whose subtree is being walked over.
struct Open {
    node: usize,
    own: f64,
    below: f64,
    own_causes: ErrorTerms,
    below_causes: ErrorTerms,
    /// Variance of work moved across the edges of its calls, and of those that it makes.
    edge: f64,
    edges_below: f64,
    /// Its calls that ended by an exception, and those of its children.
    throws: u64,
    throws_below: u64,
}

impl Open {
    /// Takes out what exceptions cost that came from the node's children: as many as there can be
    /// went on to its caller, the others were caught in the node or in counted calls that it
    /// made.
    fn pass_exceptions(&mut self, residual: &Residual) {
        let passed = self.throws.min(self.throws_below) as f64;
        let caught = self.throws_below as f64 - passed;
        self.own -= passed * residual.thrown + caught * residual.caught;
        self.own_causes.throw += passed * residual.thrown_bar + caught * residual.caught_bar;
    }
}

/// With fewer calls on a thread probes make little code that would be compiled late.
const MANY_CALLS: f64 = 100_000.0;
/// Times are multiples of this part of a nanosecond: sums of up to a day are exact in 53 bits.
const GRAINS: f64 = 64.0;

/// Half width of an anchor that one run alone has given, as a part of its time: what runs differ by
/// is not known then. Cold runs of a second scatter by 4 to 7 %, shorter ones by more.
const LONE_RUN: f64 = 0.2;

/// The corrected times of all nodes.
pub(super) fn nodes(
    profile: &Profile,
    costs: &[Costs],
    estimator: Estimator,
    residual: &Residual,
) -> CorrectionSums {
    let counted: u64 = profile.methods.iter().map(|method| method.counted).sum();
    let demoted = profile.methods.iter().filter(|method| method.demotion.is_some());
    let demoted = demoted.map(|method| {
        // As many ended by an exception as before.
        let thrown = method.throws as f64 / method.entries.max(1) as f64;
        (method.counted as f64, method.counted as f64 * thrown)
    });
    let counted = residual.counted(counted as f64, demoted, reads_tsc(profile));
    let tick = 1e9 / profile.rate.hz() as f64;
    let waits = vec![WaitShare::default(); profile.threads.len()];
    let late = Vec::new();
    let mut walk = Walk {
        profile,
        costs,
        tick,
        residual,
        counted,
        late,
        waits,
        anchored: Vec::new(),
        wait_correction: 0.0,
    };
    walk.late = walk.late_parts();
    let mut assumed = walk.assumed(estimator);
    let before = walk.whole_tree(&assumed, None);
    walk.waits = waits::parts(profile, &before.times, tick);
    let waits = walk.waits.iter().any(|part| part.bar > 0.0);
    let Some(anchor) = profile.anchor else {
        return if waits { walk.whole_tree(&assumed, None) } else { before };
    };
    walk.anchored = walk.threads_of_roots();
    let whole = walk.whole_tree(&assumed, None).anchored;
    walk.share_out(&mut assumed, anchor.residual_nanos, whole.assumed());
    let left = match anchor.roots_only_runs {
        0 | 1 => LONE_RUN * anchor.roots_only_nanos.abs(),
        runs => student_95(runs - 1) * anchor.roots_only_deviation / f64::from(runs).sqrt(),
    };
    walk.whole_tree(&assumed, Some(&Anchoring { whole, left }))
}

/// What one walk over the tree gives.
pub(super) struct CorrectionSums {
    /// By node.
    pub times: Vec<Times>,
    /// What was taken out as residual.
    pub residual_nanos: f64,
    /// What was taken out of waits.
    pub waits_nanos: f64,
    /// Of all nodes on the threads of the roots together.
    anchored: ErrorTerms,
}

impl Walk<'_> {
    fn whole_tree(&self, assumed: &[Assumed], anchoring: Option<&Anchoring>) -> CorrectionSums {
        let tree = &self.profile.tree;
        let mut times = vec![Times::default(); tree.len()];
        let (mut taken, mut taken_of_waits) = (0.0, 0.0);
        let mut causes = ErrorTerms::default();
        let mut path: Vec<Open> = Vec::new();
        for node in tree.nodes() {
            causes.add(&self.close(&mut path, tree.depth(node) as usize, anchoring, &mut times));
            let thread = self.thread_of(node, path.first().map(|open| NodeIx(open.node as u32)));
            let Some((thread, cost)) =
                thread.and_then(|thread| Some((thread, self.costs.get(thread)?)))
            else {
                continue;
            };
            let mut assumed = match tree.frame(node) {
                Frame::Method(method) => assumed[method.0 as usize],
                Frame::Thread(_) | Frame::Task(_) => Assumed::default(),
            };
            let is_anchored = self.is_anchored(thread);
            assumed.residual += if is_anchored { assumed.correction } else { 0.0 };
            let (mut open, for_caller) = self.open(node, cost, &assumed);
            let wait = waits::wait(self.profile, node, self.tick);
            let part = self.waits.get(thread).copied().unwrap_or_default();
            let out_of_wait = wait * part.probes
                + wait * part.bar * if is_anchored { self.wait_correction } else { 0.0 };
            open.own -= out_of_wait;
            taken_of_waits += out_of_wait;
            open.own_causes.waits = wait * part.bar;
            let late = self.late.get(thread).copied().unwrap_or(0.0);
            open.own_causes.late = tree.self_time(node).0 as f64 * self.tick * late;
            taken += assumed.residual * tree.calls(node) as f64;
            // What the outermost calls cost outside is time of no node.
            if let (Some(caller), Some(for_caller)) =
                (path.last_mut().filter(|_| tree.depth(node) > 1), for_caller)
            {
                caller.own -= for_caller.time;
                caller.own_causes.add(&for_caller.causes);
                caller.edges_below += for_caller.edge;
                caller.throws_below += tree.throws(node);
            }
            path.push(open);
        }
        causes.add(&self.close(&mut path, 0, anchoring, &mut times));
        CorrectionSums {
            times,
            residual_nanos: taken,
            waits_nanos: taken_of_waits,
            anchored: causes,
        }
    }

    /// Ends the nodes of the path beyond `depth`; gives the causes of trees that end, where an
    /// anchor holds for them.
    fn close(
        &self,
        path: &mut Vec<Open>,
        depth: usize,
        anchoring: Option<&Anchoring>,
        times: &mut [Times],
    ) -> ErrorTerms {
        let mut ended = ErrorTerms::default();
        let first = path.first().map(|open| NodeIx(open.node as u32));
        let is_anchored = first
            .and_then(|node| self.thread_of(node, None))
            .is_some_and(|it| self.is_anchored(it));
        let anchoring = anchoring.filter(|_| is_anchored);
        while path.len() > depth {
            let Some(mut open) = path.pop() else { break };
            open.pass_exceptions(self.residual);
            open.own_causes.pace = open.own.abs() * self.residual.pace;
            let own = (open.own * GRAINS).round() / GRAINS;
            let total = own + open.below;
            open.below_causes.add(&open.own_causes);
            times[open.node] = Times {
                self_nanos: own,
                total_nanos: total,
                self_bar: open.own_causes.bar(anchoring, open.edge + open.edges_below),
                total_bar: open.below_causes.bar(anchoring, open.edge),
            };
            if let Some(parent) = path.last_mut() {
                parent.below += total;
                parent.below_causes.add(&open.below_causes);
            } else if is_anchored {
                ended.add(&open.below_causes);
            }
        }
        ended
    }
}

/// What a node's calls take from their caller's time.
struct ForCaller {
    time: f64,
    causes: ErrorTerms,
    edge: f64,
}

struct Walk<'a> {
    profile: &'a Profile,
    /// By thread.
    costs: &'a [Costs],
    /// Nanoseconds of a tick.
    tick: f64,
    residual: &'a Residual,
    /// The residual of a counted call, and its half width.
    counted: [f64; 2],
    /// By thread: the part of its time that late compilation may have taken.
    late: Vec<f64>,
    /// By thread: the part of its waits that went into other threads' probes.
    waits: Vec<WaitShare>,
    /// By thread: whether an anchor holds for it.
    anchored: Vec<bool>,
    /// By how much an anchor corrects what is taken out of waits, as a part of its half width.
    wait_correction: f64,
}

impl Walk<'_> {
    /// The thread in whose tree a node is; `root` is the tree's first node, where it is not that
    /// one.
    fn thread_of(&self, node: NodeIx, root: Option<NodeIx>) -> Option<usize> {
        match self.profile.tree.frame(root.unwrap_or(node)) {
            Frame::Thread(thread) => Some(thread.0 as usize),
            Frame::Method(_) | Frame::Task(_) => None,
        }
    }

    fn is_anchored(&self, thread: usize) -> bool {
        self.anchored.get(thread) == Some(&true)
    }

    /// By thread: whether a root was called on it.
    fn threads_of_roots(&self) -> Vec<bool> {
        let tree = &self.profile.tree;
        let mut found = vec![false; self.profile.threads.len()];
        let mut thread = None;
        for node in tree.nodes() {
            match tree.frame(node) {
                Frame::Thread(it) => thread = found.get_mut(it.0 as usize),
                Frame::Method(method) if self.profile.method(method).info.root => {
                    thread.iter_mut().for_each(|found| **found = true);
                }
                Frame::Method(_) | Frame::Task(_) => {}
            }
        }
        found
    }

    /// The node's own part of its correction, and what its calls take from its caller.
    fn open(&self, node: NodeIx, cost: &Costs, assumed: &Assumed) -> (Open, Option<ForCaller>) {
        let tree = &self.profile.tree;
        let (counted, notes) = (tree.counted(node) as f64, tree.notes(node) as f64);
        let mut open = Open {
            node: node.0 as usize,
            own: tree.self_time(node).0 as f64 * self.tick,
            below: 0.0,
            own_causes: ErrorTerms::default(),
            below_causes: ErrorTerms::default(),
            edge: 0.0,
            edges_below: 0.0,
            throws: tree.throws(node),
            throws_below: 0,
        };
        if matches!(tree.frame(node), Frame::Thread(_)) {
            // What a thread does outside of all methods is in no node.
            return (open, None);
        }
        open.own -=
            counted * (cost.count.nanos + self.counted[0]) + notes * cost.count_record.nanos;
        open.own_causes = ErrorTerms {
            count: counted * cost.count.bar + notes * cost.count_record.bar,
            counted_residual: counted * self.counted[1],
            ..ErrorTerms::default()
        };
        if !matches!(tree.frame(node), Frame::Method(_)) {
            return (open, None);
        }
        let (calls, throws) = (tree.calls(node) as f64, tree.throws(node) as f64);
        let returns = calls - throws;
        open.own -= returns * cost.inner.nanos + throws * cost.inner_throw.nanos;
        open.own -= calls * (assumed.residual / 2.0 - assumed.from_caller);
        open.edge = (calls * assumed.moved).powi(2);
        // A clock's grain is off by up to half a tick on either side of each interval.
        let grain = calls * self.tick * self.tick / 6.0;
        open.own_causes.add(&ErrorTerms {
            inner: returns * cost.inner.bar + throws * cost.inner_throw.bar,
            residual: calls * assumed.bar / 2.0,
            random: grain,
            ..ErrorTerms::default()
        });
        let for_caller = ForCaller {
            time: returns * cost.outer.nanos
                + throws * cost.outer_throw.nanos
                + calls * (assumed.residual / 2.0 + assumed.from_caller),
            causes: ErrorTerms {
                outer: returns * cost.outer.bar,
                throw: throws * cost.outer_throw.bar,
                residual: calls * assumed.bar / 2.0,
                random: grain,
                ..ErrorTerms::default()
            },
            edge: open.edge,
        };
        (open, Some(for_caller))
    }

    /// What is assumed of each method, from its self time a call before any residual.
    fn assumed(&self, estimator: Estimator) -> Vec<Assumed> {
        let own = self.self_times();
        let surplus = self.surplus(estimator);
        let timed = if reads_tsc(self.profile) {
            &self.residual.unordered_clock
        } else {
            &self.residual.ordered_clock
        };
        let jvms = self.profile.meta.jvms.len() as f64;
        let many = self.residual.warming.calls * jvms;
        let often =
            self.profile.methods.iter().filter(|method| method.calls() as f64 >= many).count();
        own.iter()
            .zip(&self.profile.methods)
            .map(|((nanos, calls), method)| {
                let each = nanos / calls.max(1.0);
                let it = timed.of(each, method.info.pinned && !reads_tsc(self.profile));
                // What sequences show beyond the loops is optimisation lost.
                let lost = (it.lost - surplus.max(0.0)).max(0.0);
                let [early, early_bar] = self.residual.early(*calls, jvms, often);
                let residual = lost + early - it.hidden;
                let bar = it.bar.hypot(surplus / 2.0).hypot(early_bar);
                let moved = self.residual.moved / (1.0 + each.max(0.0) / 100.0);
                Assumed {
                    residual,
                    bar,
                    moved,
                    from_caller: it.hidden / 2.0 + it.shifted,
                    correction: 0.0,
                }
            })
            .collect()
    }

    /// Shares out what an anchor says of the residual beyond what is assumed, on the threads that
    /// it holds for: where most is open, the assumption is most wrong. `open` is how much is in
    /// doubt there in all.
    fn share_out(&mut self, assumed: &mut [Assumed], residual_nanos: f64, open: f64) {
        let (mut calls, mut residuals) = (0.0, 0.0);
        let tree = &self.profile.tree;
        let mut thread = None;
        for node in tree.nodes() {
            match tree.frame(node) {
                Frame::Thread(it) => thread = Some(it.0 as usize),
                Frame::Method(method) if thread.is_some_and(|thread| self.is_anchored(thread)) => {
                    calls += tree.calls(node) as f64;
                    residuals += tree.calls(node) as f64 * assumed[method.0 as usize].residual;
                }
                Frame::Method(_) | Frame::Task(_) => {}
            }
        }
        let rest = residual_nanos * calls - residuals;
        for it in assumed {
            it.correction = if open > 0.0 { rest * it.bar / open } else { rest / calls.max(1.0) };
        }
        self.wait_correction = if open > 0.0 { rest / open } else { 0.0 };
    }

    /// By thread: what late compilation may take, as a part of the thread's measured time.
    fn late_parts(&self) -> Vec<f64> {
        let tree = &self.profile.tree;
        let late = if reads_tsc(self.profile) {
            self.residual.late_free
        } else {
            self.residual.late_fenced
        };
        let mut parts = vec![0.0; self.profile.threads.len()];
        for root in tree.roots() {
            let Some(part) = self.thread_of(root, None).and_then(|thread| parts.get_mut(thread))
            else {
                continue;
            };
            let calls = tree
                .subtree(root)
                .map(|node| tree.calls(NodeIx(node)) as f64 + tree.counted(NodeIx(node)) as f64);
            let nanos = late * (calls.sum::<f64>() / MANY_CALLS).min(1.0);
            *part = (nanos / (tree.total_time(root).0 as f64 * self.tick).max(1.0)).min(1.0);
        }
        parts
    }

    /// How much more than the loops a call costs by the costs that are used, on average over the
    /// threads.
    fn surplus(&self, estimator: Estimator) -> f64 {
        if estimator == Estimator::Loops {
            return 0.0;
        }
        let jvms = &self.profile.meta.jvms;
        let threads = self.profile.threads.iter().zip(self.costs);
        let of = |(thread, costs): (&Thread, &Costs)| {
            let loops = Costs::from_jvm(jvms.get(thread.jvm as usize)?, Estimator::Loops)?;
            Some(costs.pair() - loops.pair())
        };
        let all: Vec<f64> = threads.filter_map(of).collect();
        all.iter().sum::<f64>() / (all.len() as f64).max(1.0)
    }

    /// By method: its own time without the probes' cost, in nanoseconds, and its timed calls.
    fn self_times(&self) -> Vec<(f64, f64)> {
        let tree = &self.profile.tree;
        let mut sums = vec![(0.0, 0.0); self.profile.methods.len()];
        let mut path: Vec<NodeIx> = Vec::new();
        for node in tree.nodes() {
            path.truncate(tree.depth(node) as usize);
            let cost = self
                .thread_of(node, path.first().copied())
                .and_then(|thread| self.costs.get(thread));
            if let (Some(cost), Frame::Method(method)) = (cost, tree.frame(node)) {
                let (open, for_caller) = self.open(node, cost, &Assumed::default());
                let (own, calls) = &mut sums[method.0 as usize];
                *own += open.own;
                *calls += tree.calls(node) as f64;
                if let (Some(caller), Some(for_caller)) = (path.last(), for_caller)
                    && let Frame::Method(caller) = tree.frame(*caller)
                {
                    sums[caller.0 as usize].0 -= for_caller.time;
                }
            }
            path.push(node);
        }
        sums
    }
}

/// Whether calls are timed by a clock that does not wait for what came before it.
fn reads_tsc(profile: &Profile) -> bool {
    let jvm = profile.threads.first().and_then(|thread| profile.meta.jvms.get(thread.jvm as usize));
    jvm.is_some_and(|jvm| jvm.clock.name == "tsc")
}
