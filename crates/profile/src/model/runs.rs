//! Run series: several runs of one program in one profile.
//!
//! Such a profile has one method table, one thread table and one tree for all runs. Their numbers
//! are sums over the runs. Each run also keeps its own measured numbers. [`Profile::run`] makes a
//! profile of one run, with the same tables. Means, variances and corrected times are computed from
//! these. A profile of one recording has no runs: it is its only run.

use jfathom_plan::Problem;
use serde::{Deserialize, Serialize};

use crate::model::columns::Columns;
use crate::model::metric::{Metric, PerMetric, Runs};
use crate::model::packed_numbers::PackedNumbers;
use crate::{
    Allocation, Cpu, Events, Latencies, Meta, Method, Mounts, NodeIx, Profile, Quality, Scheduling,
    StackSamples, StackWalks, Thread, Ticks, Tree,
};

/// The numbers of one run. Its columns are as long as the profile's tables, with zero for what the
/// run did not meet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// Time span, repairs and losses.
    pub info: RunInfo,
    /// Counts by method.
    pub methods: Vec<MethodCounts>,
    /// Times by thread.
    pub threads: Vec<ThreadTimes>,
    /// By metric whose numbers runs have: those of the nodes; empty if all zero.
    pub numbers: PerMetric<PackedNumbers>,
    /// Whether the run knows when its threads ran.
    pub cpu: Cpu,
}

impl Run {
    /// The number of a node.
    pub fn number(&self, metric: Metric, node: NodeIx) -> u64 {
        self.numbers[metric].get(node.0 as usize).unwrap_or(0)
    }
}

/// Time span and quality of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunInfo {
    /// Begin, in ms since the Unix epoch.
    pub started_millis: u64,
    /// Length in ms.
    pub duration_millis: u64,
    /// Number of its JVMs. [`Meta::jvms`] has the JVMs of all runs, in the order of the runs.
    pub jvms: u32,
    /// Repairs and losses of the run.
    pub quality: Quality,
}

/// The counts of a method in one run, as in [`Method`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "Method documents these fields")]
pub struct MethodCounts {
    pub entries: u64,
    pub returns: u64,
    pub throws: u64,
    pub inferred: u64,
    pub open: u64,
    pub unmatched_exits: u64,
    pub caught: u64,
    pub virtual_calls: u64,
    pub counted: u64,
}

/// The times of a thread in one run, as in [`Thread`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "Thread documents these fields")]
pub struct ThreadTimes {
    pub unattributed: Ticks,
    pub excluded: Ticks,
    pub scheduling: Option<Scheduling>,
}

impl Method {
    /// The counts of the method.
    pub fn counts(&self) -> MethodCounts {
        MethodCounts {
            entries: self.entries,
            returns: self.returns,
            throws: self.throws,
            inferred: self.inferred,
            open: self.open,
            unmatched_exits: self.unmatched_exits,
            caught: self.caught,
            virtual_calls: self.virtual_calls,
            counted: self.counted,
        }
    }

    /// The same method with other counts.
    pub fn with_counts(&self, counts: &MethodCounts) -> Self {
        Self {
            entries: counts.entries,
            returns: counts.returns,
            throws: counts.throws,
            inferred: counts.inferred,
            open: counts.open,
            unmatched_exits: counts.unmatched_exits,
            caught: counts.caught,
            virtual_calls: counts.virtual_calls,
            counted: counts.counted,
            ..self.clone()
        }
    }
}

/// Bound on the runs of a profile. `record` makes 1,000 at most, and `merge --as series` joins
/// several recordings.
const MAX_RUNS: usize = 10_000;

impl Profile {
    /// Number of runs, at least 1.
    pub fn run_count(&self) -> usize {
        self.runs.len().max(1)
    }

    /// One run as a profile, with the same methods, threads and nodes, and zero for what the run
    /// did not meet. None if there is no such run.
    pub fn run(&self, run: usize) -> Option<Self> {
        if self.runs.is_empty() {
            return (run == 0).then(|| self.clone());
        }
        self.run_with(run, Meta { jvms: Vec::new(), ..self.meta.clone() })
    }

    /// One run with the origin `meta`, except for the JVMs and the time span.
    fn run_with(&self, run: usize, meta: Meta) -> Option<Self> {
        let before: usize = self.runs.get(..run)?.iter().map(|run| run.info.jvms as usize).sum();
        let run = self.runs.get(run)?;
        let jvms = self.meta.jvms.get(before..before + run.info.jvms as usize)?.to_vec();
        let RunInfo { started_millis, duration_millis, .. } = run.info;
        // A thread of another run may be of a JVM that this run does not have.
        let last = (jvms.len() as u32).saturating_sub(1);
        let thread = |(thread, times): (&Thread, &ThreadTimes)| Thread {
            jvm: thread.jvm.min(last),
            unattributed: times.unattributed,
            excluded: times.excluded,
            scheduling: times.scheduling,
            ..thread.clone()
        };
        let all = self.tree.columns();
        let numbers = PerMetric::new(|metric| match metric.info().runs {
            Runs::Own => run.numbers[metric].clone(),
            Runs::Sum => PackedNumbers::default(),
            Runs::Shared => all.numbers[metric].clone(),
        });
        let (frames, depths) = (all.frames.clone(), all.depths.clone());
        let tree = Tree::new(Columns { frames, depths, numbers, events: Default::default() });
        let tree = tree.ok()?;
        Some(Self {
            meta: Meta { jvms, started_millis, duration_millis, ..meta },
            rate: self.rate,
            methods: self
                .methods
                .iter()
                .zip(&run.methods)
                .map(|(method, counts)| method.with_counts(counts))
                .collect(),
            threads: self.threads.iter().zip(&run.threads).map(thread).collect(),
            tree,
            quality: run.info.quality.clone(),
            anchor: self.anchor,
            runs: Vec::new(),
            latencies: Latencies::default(),
            slice: None,
            mounts: Mounts::default(),
            trust: None,
            allocation: Allocation::default(),
            cpu: run.cpu,
            stack_samples: StackSamples::default(),
            stack_walks: StackWalks::default(),
            events: Events::default(),
        })
    }

    /// Checks that the runs fit the tables and add up to them. An error names a contradiction.
    pub(crate) fn check_runs(&self) -> Result<(), Problem> {
        if self.runs.is_empty() {
            return Ok(());
        }
        if self.runs.len() > MAX_RUNS {
            return Err(format!("{} runs; {MAX_RUNS} are the most", self.runs.len()).into());
        }
        for (number, run) in self.runs.iter().enumerate() {
            let nodes = run.numbers.iter().map(|(_, column)| column.len()).max().unwrap_or(0);
            if [run.methods.len(), run.threads.len()] != [self.methods.len(), self.threads.len()]
                || nodes > self.tree.len()
            {
                return Err(
                    format!("run {number} has columns of other lengths than the tables").into()
                );
            }
        }
        let jvms = self.runs.iter().map(|run| u64::from(run.info.jvms)).sum::<u64>();
        if jvms != self.meta.jvms.len() as u64 {
            return Err(
                format!("{jvms} JVMs of runs, {} in the table", self.meta.jvms.len()).into()
            );
        }
        for metric in [Metric::Timed, Metric::Counted, Metric::SelfTime] {
            let sum = |node| {
                let of_runs = self.runs.iter().map(|run| run.number(metric, node));
                of_runs.fold(0, u64::saturating_add)
            };
            let mut nodes = self.tree.nodes();
            if let Some(node) = nodes.find(|node| sum(*node) != self.tree.number(metric, *node)) {
                return Err(format!("node {} is not the sum of its runs", node.0).into());
            }
        }
        for number in 0..self.runs.len() {
            // The origin is irrelevant here, and copying it per run would be slow.
            let run = self
                .run_with(number, Meta::default())
                .ok_or_else(|| format!("run {number} cannot be taken out"))?;
            run.check().map_err(|what| format!("run {number}: {what}"))?;
        }
        Ok(())
    }
}
