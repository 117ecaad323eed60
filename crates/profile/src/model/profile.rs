//! Finished profiles.

use jfathom_plan::Problem;
use serde::{Deserialize, Serialize};

use crate::{
    Allocation, Anchor, Cpu, Events, Frame, Latencies, Meta, Method, MethodIx, Mounts, NodeIx,
    Quality, Run, Scheduling, Slice, StackSamples, StackWalks, ThreadIx, TickRate, Ticks, Tree,
    Trust,
};

/// The result of one recording, or of several that were merged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// Its origin.
    pub meta: Meta,
    /// Ticks per second, for all its times.
    pub rate: TickRate,
    /// Methods that were called, indexed by [`MethodIx`].
    pub methods: Vec<Method>,
    /// Threads, indexed by [`ThreadIx`].
    pub threads: Vec<Thread>,
    /// The calling context tree. Its roots are the threads, in their order.
    pub tree: Tree,
    /// Repairs and losses.
    pub quality: Quality,
    /// The anchor, if roots-only runs were recorded.
    pub anchor: Option<Anchor>,
    /// The runs of a run series; all numbers above are their sums. Empty for a single run.
    pub runs: Vec<Run>,
    /// How long calls took, by call path.
    pub latencies: Latencies,
    /// None if it is no slice of a recording.
    pub slice: Option<Slice>,
    /// Whether it was seen when virtual threads were parked.
    pub mounts: Mounts,
    /// What samples of uninstrumented runs said, if they were compared.
    pub trust: Option<Trust>,
    /// Whether allocated bytes were recorded, and how.
    pub allocation: Allocation,
    /// Whether context switches were recorded.
    pub cpu: Cpu,
    /// Stacks that were sampled in the recorded run.
    pub stack_samples: StackSamples,
    /// What the JVM told of threads beside their calls, if it was asked.
    pub events: Events,
    /// Stacks that were walked at calls of chosen methods.
    pub stack_walks: StackWalks,
}

/// A thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thread {
    /// Index of its JVM in [`Meta::jvms`].
    pub jvm: u32,
    /// Thread number in the JVM, from 1, in the order in which threads began to record. Zero for
    /// the one that stands for all virtual threads.
    pub sequence: u64,
    /// Java's thread id.
    pub thread_id: u64,
    /// Thread name when it began to record.
    pub name: String,
    /// Whether its records have its end.
    pub ended: bool,
    /// Time between its records that is in no recorded method.
    pub unattributed: Ticks,
    /// Excluded time: its waits for the tool.
    pub excluded: Ticks,
    /// What the scheduler did with it; none if that was not observed.
    pub scheduling: Option<Scheduling>,
}

impl Thread {
    /// Whether it stands for all virtual threads of its JVM.
    pub fn is_virtual(&self) -> bool {
        self.sequence == 0
    }
}

impl Profile {
    /// A profile without records and JVMs, with the origin `first`: the start of a sum.
    pub fn without_records(rate: TickRate, first: &Meta) -> Self {
        let meta = Meta { jvms: Vec::new(), notices: Vec::new(), ..first.clone() };
        Self { meta, rate, ..Self::default() }
    }

    /// Methods, without what only stands for something in the tree.
    pub fn method_count(&self) -> usize {
        self.methods.iter().filter(|method| !method.info.is_sign()).count()
    }

    /// Whether a node of the tree stands between a method and what was called below it.
    pub fn has_between(&self) -> bool {
        self.methods.iter().any(|method| method.info.is_between())
    }

    /// The method at an index. Panics if the index is of another profile.
    pub fn method(&self, method: MethodIx) -> &Method {
        &self.methods[method.0 as usize]
    }

    /// The thread at an index. Panics if the index is of another profile.
    pub fn thread(&self, thread: ThreadIx) -> &Thread {
        &self.threads[thread.0 as usize]
    }

    /// The outermost nodes of root methods. Tasks that a root handed off are not below them.
    pub fn outermost_roots(&self) -> impl Iterator<Item = NodeIx> {
        let tree = &self.tree;
        let is_root =
            |frame| matches!(frame, Frame::Method(method) if self.method(method).info.root);
        let mut until = 0;
        tree.nodes().filter(move |node| {
            let root = node.0 >= until && is_root(tree.frame(*node));
            if root {
                until = tree.subtree(*node).end;
            }
            root
        })
    }

    /// Time in all recorded methods and tasks, summed over all threads.
    pub fn total_time(&self) -> Ticks {
        self.tree.roots().map(|root| self.tree.total_time(root)).sum()
    }

    /// Checks the invariants of `docs/profile-format.md`. An error names a contradiction.
    pub fn check(&self) -> Result<(), Problem> {
        self.check_roots()?;
        let mut sums = vec![(0_u64, 0_u64); self.methods.len()];
        for node in self.tree.nodes() {
            match self.tree.frame(node) {
                Frame::Thread(_) if self.tree.depth(node) != 0 => {
                    return Err(format!("node {} is a thread below another node", node.0).into());
                }
                Frame::Method(method) | Frame::Task(method)
                    if method.0 as usize >= self.methods.len() =>
                {
                    return Err(format!(
                        "node {} is of method {}, which is not there",
                        node.0, method.0
                    )
                    .into());
                }
                Frame::Method(method) => {
                    let (entries, counted) = &mut sums[method.0 as usize];
                    *entries = entries.saturating_add(self.tree.timed(node));
                    *counted = counted.saturating_add(self.tree.counted(node));
                }
                Frame::Thread(_) | Frame::Task(_) => {}
            }
        }
        for (method, (entries, counted)) in self.methods.iter().zip(sums) {
            let exits = [method.returns, method.throws, method.inferred, method.open];
            let exits = exits.into_iter().fold(0, u64::saturating_add);
            if method.entries != entries || entries != exits {
                return Err(format!(
                    "{}: {} entries, {entries} in the tree, {exits} exits",
                    method.info.key, method.entries
                )
                .into());
            }
            if method.counted != counted {
                return Err(format!(
                    "{}: {} counted calls, {counted} in the tree",
                    method.info.key, method.counted
                )
                .into());
            }
        }
        self.check_numbers()?;
        self.check_folded()?;
        self.latencies.check(self.methods.len(), self.threads.len())?;
        self.stack_samples.check(self.methods.len(), self.threads.len())?;
        self.stack_walks.check(self.methods.len())?;
        self.slice.as_ref().map_or(Ok(()), |slice| slice.check(&self.tree))?;
        let counts = (self.methods.len(), self.tree.len());
        self.trust.as_ref().map_or(Ok(()), |trust| trust.check(counts.0, counts.1))?;
        match self.threads.iter().find(|thread| thread.jvm as usize >= self.meta.jvms.len()) {
            Some(thread) => Err(format!(
                "thread {} is of JVM {}, which is not there",
                thread.sequence, thread.jvm
            )
            .into()),
            None => self.check_runs(),
        }
    }
}

impl Profile {
    /// Measured numbers must be finite.
    fn check_numbers(&self) -> Result<(), Problem> {
        let jvms = &self.meta.jvms;
        let mut known = jvms.iter().filter_map(|jvm| jvm.known_calibration.as_ref());
        let is_valid = known.all(crate::KnownCalibration::is_valid)
            && self.anchor.is_none_or(|anchor| anchor.is_valid())
            && jvms.iter().all(|jvm| jvm.calibrations.iter().all(crate::Calibration::is_valid))
            && jvms.iter().filter_map(|jvm| jvm.budget).all(|budget| budget.is_finite())
            && self
                .methods
                .iter()
                .filter_map(|method| method.demotion)
                .all(|demotion| demotion.is_finite());
        if is_valid { Ok(()) } else { Err("a measured number that is none".into()) }
    }

    /// Only what stands for folded nodes has their number.
    fn check_folded(&self) -> Result<(), Problem> {
        let is_folded = |node: &NodeIx| match self.tree.frame(*node) {
            Frame::Method(method) => self.method(method).info.is_folded(),
            Frame::Thread(_) | Frame::Task(_) => false,
        };
        match self.tree.summary_nodes().find(|node| !is_folded(node)) {
            Some(node) => Err(format!("nodes are folded in node {}", node.0).into()),
            None => Ok(()),
        }
    }

    fn check_roots(&self) -> Result<(), Problem> {
        let mut threads = (0..self.threads.len() as u32).map(ThreadIx);
        for root in self.tree.roots() {
            let thread = threads.next();
            if !matches!(self.tree.frame(root), Frame::Thread(at) if Some(at) == thread) {
                return Err(format!("root {} is not the next thread", root.0).into());
            }
            if self.tree.self_time(root) != Ticks(0) {
                return Err(format!("thread {} has time of its own", root.0).into());
            }
        }
        threads
            .next()
            .map_or(Ok(()), |thread| Err(format!("thread {} has no tree", thread.0).into()))
    }
}
