//! One walk over the tree.

use crate::{Costs, Estimator, Frame, NodeIx, Profile, Residual, Tree, compensate::Times, significance::student_95};

/// Causes of errors that are common to all calls.
#[derive(Clone, Copy, Debug, Default)]
struct Causes {
    inner: f64,
    outer: f64,
    throw: f64,
    count: f64,
    residual: f64,
    counted_residual: f64,
    pace: f64,
    /// Variance of what is independent from call to call.
    random: f64,
}

impl Causes {
    fn add(&mut self, other: &Self) {
        self.inner += other.inner;
        self.outer += other.outer;
        self.throw += other.throw;
        self.count += other.count;
        self.residual += other.residual;
        self.counted_residual += other.counted_residual;
        self.pace += other.pace;
        self.random += other.random;
    }

    /// The half width of all of them, and of work moved across the node's edge with variance `moved`.
    fn bar(&self, anchor: &Anchoring, moved: f64) -> f64 {
        let squares: f64 = anchor.left_of(self).iter().map(|cause| cause * cause).sum();
        (squares + self.random + moved).sqrt()
    }

    /// Those that are common to all calls.
    fn common(&self) -> [f64; 7] {
        [self.inner, self.outer, self.throw, self.count, self.counted_residual, self.residual, self.pace]
    }
}

/// What an anchor does to doubts: it fixes the sum, whatever was wrong with it, by a correction that is shared out as the
/// residual is, and leaves open whether that is where the errors were.
#[derive(Clone, Copy, Debug, Default)]
struct Anchoring {
    /// The causes of all calls together; none without an anchor.
    whole: Option<Causes>,
    /// The doubt that the anchor leaves of the sum.
    left: f64,
}

impl Anchoring {
    /// What is left of common causes.
    fn left_of(&self, causes: &Causes) -> [f64; 8] {
        let [inner, outer, throw, count, counted_residual, residual, pace] = causes.common();
        let Some(whole) = &self.whole else {
            return [inner, outer, throw, count, counted_residual, residual, pace, 0.0];
        };
        let part = if whole.residual > 0.0 { (residual / whole.residual).min(1.0) } else { 0.0 };
        let mut left = [0.0; 8];
        for ((left, own), whole) in left.iter_mut().zip(causes.common()).zip(whole.common()) {
            *left = own - part * whole;
        }
        // How the residual itself is shared out is only assumed.
        left[5] = residual * (1.0 - part);
        left[7] = part * self.left;
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
}

/// A node whose subtree is being walked over.
struct Open {
    node: usize,
    own: f64,
    below: f64,
    own_causes: Causes,
    below_causes: Causes,
    /// Variance of work moved across the edges of its calls, and of those that it makes.
    edge: f64,
    edges_below: f64,
    /// Its calls that ended by an exception, and those of its children.
    throws: u64,
    throws_below: u64,
}

impl Open {
    /// Takes out what exceptions cost that came from the node's children: as many as there can be went on to its caller, the
    /// others were caught in the node or in counted calls that it made.
    fn pass_exceptions(&mut self, residual: &Residual) {
        let passed = self.throws.min(self.throws_below) as f64;
        let caught = self.throws_below as f64 - passed;
        self.own -= passed * residual.thrown + caught * residual.caught;
        self.own_causes.throw += passed * residual.thrown_bar + caught * residual.caught_bar;
    }
}

/// Times are multiples of this part of a nanosecond: sums of up to a day are exact in 53 bits.
const GRAINS: f64 = 64.0;

/// The corrected times of all nodes, and what was taken out as residual.
pub(super) fn nodes(
    profile: &Profile,
    costs: &[Costs],
    estimator: Estimator,
    residual: &Residual,
) -> (Vec<Times>, f64) {
    let counted: u64 = profile.methods.iter().map(|method| method.counted).sum();
    let demoted = profile.methods.iter().filter(|method| method.demotion.is_some());
    let demoted = demoted.map(|method| {
        // As many ended by an exception as before.
        let thrown = method.throws as f64 / method.entries.max(1) as f64;
        (method.counted as f64, method.counted as f64 * thrown)
    });
    let counted = residual.counted(counted as f64, demoted);
    let walk = Walk { profile, costs, tick: 1e9 / profile.rate.hz() as f64, residual, counted };
    let (assumed, mut anchoring) = walk.assumed(estimator);
    let whole = walk.whole_tree(&assumed, &anchoring);
    if profile.anchor.is_none() {
        return (whole.times, whole.residual_nanos);
    }
    anchoring.whole = Some(whole.causes);
    let anchored = walk.whole_tree(&assumed, &anchoring);
    (anchored.times, anchored.residual_nanos)
}

/// What one walk over the tree gives.
struct Walked {
    /// By node.
    times: Vec<Times>,
    /// What was taken out as residual.
    residual_nanos: f64,
    /// Of all nodes together.
    causes: Causes,
}

impl Walk<'_> {
    fn whole_tree(&self, assumed: &[Assumed], anchoring: &Anchoring) -> Walked {
        let (tree, residual) = (&self.profile.tree, self.residual);
        let mut times = vec![Times::default(); tree.len()];
        let mut taken = 0.0;
        let mut causes = Causes::default();
        let mut path: Vec<Open> = Vec::new();
        for node in tree.nodes() {
            causes.add(&close(&mut path, tree.depth(node) as usize, (anchoring, residual), &mut times));
            let Some(cost) = self.costs_of(tree, node, path.first().map(|open| NodeIx(open.node as u32))) else {
                continue;
            };
            let assumed = match tree.frame(node) {
                Frame::Method(method) => assumed[method.0 as usize],
                Frame::Thread(_) | Frame::Task(_) => Assumed::default(),
            };
            let (open, for_caller) = self.open(node, cost, &assumed);
            taken += assumed.residual * tree.calls(node) as f64;
            // What the outermost calls cost outside is time of no node.
            if let (Some(caller), Some(for_caller)) = (path.last_mut().filter(|_| tree.depth(node) > 1), for_caller) {
                caller.own -= for_caller.time;
                caller.own_causes.add(&for_caller.causes);
                caller.edges_below += for_caller.edge;
                caller.throws_below += tree.throws(node);
            }
            path.push(open);
        }
        causes.add(&close(&mut path, 0, (anchoring, residual), &mut times));
        Walked { times, residual_nanos: taken, causes }
    }
}

/// Ends the nodes of the path beyond `depth`; gives the causes of trees that end.
fn close(
    path: &mut Vec<Open>,
    depth: usize,
    (anchoring, residual): (&Anchoring, &Residual),
    times: &mut [Times],
) -> Causes {
    let mut ended = Causes::default();
    while path.len() > depth {
        let Some(mut open) = path.pop() else { break };
        open.pass_exceptions(residual);
        open.own_causes.pace = open.own.abs() * residual.pace;
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
        } else {
            ended.add(&open.below_causes);
        }
    }
    ended
}

/// What a node's calls take from their caller's time.
struct ForCaller {
    time: f64,
    causes: Causes,
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
}

impl Walk<'_> {
    /// The costs on the thread whose tree a node is in.
    fn costs_of(&self, tree: &Tree, node: NodeIx, root: Option<NodeIx>) -> Option<&Costs> {
        match tree.frame(root.unwrap_or(node)) {
            Frame::Thread(thread) => self.costs.get(thread.0 as usize),
            Frame::Method(_) | Frame::Task(_) => None,
        }
    }

    /// The node's own part of its correction, and what its calls take from its caller.
    fn open(&self, node: NodeIx, cost: &Costs, assumed: &Assumed) -> (Open, Option<ForCaller>) {
        let tree = &self.profile.tree;
        let (counted, notes) = (tree.counted(node) as f64, tree.notes(node) as f64);
        let mut open = Open {
            node: node.0 as usize,
            own: tree.self_time(node).0 as f64 * self.tick,
            below: 0.0,
            own_causes: Causes::default(),
            below_causes: Causes::default(),
            edge: 0.0,
            edges_below: 0.0,
            throws: tree.throws(node),
            throws_below: 0,
        };
        if matches!(tree.frame(node), Frame::Thread(_)) {
            // What a thread does outside of all methods is in no node.
            return (open, None);
        }
        open.own -= counted * (cost.count.nanos + self.counted[0]) + notes * cost.note.nanos;
        open.own_causes = Causes {
            count: counted * cost.count.bar + notes * cost.note.bar,
            counted_residual: counted * self.counted[1],
            ..Causes::default()
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
        open.own_causes.add(&Causes {
            inner: returns * cost.inner.bar + throws * cost.inner_throw.bar,
            residual: calls * assumed.bar / 2.0,
            random: grain,
            ..Causes::default()
        });
        let for_caller = ForCaller {
            time: returns * cost.outer.nanos
                + throws * cost.outer_throw.nanos
                + calls * (assumed.residual / 2.0 + assumed.from_caller),
            causes: Causes {
                outer: returns * cost.outer.bar,
                throw: throws * cost.outer_throw.bar,
                residual: calls * assumed.bar / 2.0,
                random: grain,
                ..Causes::default()
            },
            edge: open.edge,
        };
        (open, Some(for_caller))
    }

    /// What is assumed of each method, from its self time a call before any residual.
    fn assumed(&self, estimator: Estimator) -> (Vec<Assumed>, Anchoring) {
        let own = self.self_times();
        let surplus = self.surplus(estimator);
        let timed = if self.reads_tsc() { &self.residual.free } else { &self.residual.fenced };
        let jvms = self.profile.meta.jvms.len() as f64;
        let crowded = self.is_crowded();
        let mut assumed: Vec<Assumed> = own
            .iter()
            .map(|(nanos, calls)| {
                let each = nanos / calls.max(1.0);
                let it = timed.of(each);
                // What sequences show beyond the loops is optimisation lost.
                let lost = (it.lost - surplus.max(0.0)).max(0.0);
                let [early, early_bar] = self.residual.early(*calls, jvms, crowded);
                let residual = lost + early - it.hidden;
                let bar = it.bar.hypot(surplus / 2.0).hypot(early_bar);
                let moved = self.residual.moved / (1.0 + each.max(0.0) / 100.0);
                Assumed { residual, bar, moved, from_caller: it.hidden / 2.0 + it.shifted }
            })
            .collect();
        let mut anchoring = Anchoring::default();
        if let Some(anchor) = self.profile.anchor {
            let sum = |of: fn(&Assumed) -> f64| -> f64 {
                own.iter().zip(&assumed).map(|((_, calls), it)| calls * of(it)).sum()
            };
            let calls: f64 = own.iter().map(|(_, calls)| calls).sum();
            let (bars, rest) = (sum(|it| it.bar), anchor.residual_nanos * calls - sum(|it| it.residual));
            for it in &mut assumed {
                // Where most is open, the assumption is most wrong.
                it.residual += if bars > 0.0 { rest * it.bar / bars } else { rest / calls.max(1.0) };
            }
            let runs = f64::from(anchor.plain_runs.max(1));
            anchoring.left = student_95(anchor.plain_runs.saturating_sub(1)) * anchor.plain_deviation / runs.sqrt();
        }
        (assumed, anchoring)
    }

    /// Whether calls are timed by a clock that does not wait for what came before it.
    fn reads_tsc(&self) -> bool {
        let jvm = self.profile.threads.first().and_then(|thread| self.profile.meta.jvms.get(thread.jvm as usize));
        jvm.is_some_and(|jvm| jvm.clock.name == "tsc")
    }

    /// Whether the threads that record and a compiler have fewer processors than they are; not where those are not known.
    fn is_crowded(&self) -> bool {
        let (jvms, cpus) = (self.profile.meta.jvms.len().max(1), self.profile.meta.machine.cpus as usize);
        cpus > 0 && self.profile.threads.len().div_ceil(jvms) + 1 > cpus
    }

    /// How much more than the loops a call costs by the costs that are used, on average over the threads.
    fn surplus(&self, estimator: Estimator) -> f64 {
        if estimator == Estimator::Loops {
            return 0.0;
        }
        let jvms = &self.profile.meta.jvms;
        let threads = self.profile.threads.iter().zip(self.costs);
        let of = |(thread, costs): (&crate::Thread, &Costs)| {
            let loops = Costs::of(jvms.get(thread.jvm as usize)?, Estimator::Loops)?;
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
            if let (Some(cost), Frame::Method(method)) =
                (self.costs_of(tree, node, path.first().copied()), tree.frame(node))
            {
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
