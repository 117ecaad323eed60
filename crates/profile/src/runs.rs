//! Several runs of one program in one profile.
//!
//! A profile of several runs has one method table, one thread table and one tree, which hold what
//! any run met; the numbers in them are the sums over all runs. Beside them each run keeps its own
//! numbers, raw: everything else (means, variances, times with the probes' cost taken out) is
//! computed from [`Profile::run`], which gives one run as a profile of its own over the same
//! places. A profile of one recording has no runs beside it: it is its own only run.

mod stored;

use serde::{Deserialize, Serialize};

pub(crate) use self::stored::{StoredRun, pack, unpack};
use crate::tree::Columns;
use crate::{Meta, Method, Profile, Quality, Thread, ThreadCount, Ticks, Tree};

/// What one of several runs gave. Its columns have a place for each method, thread and node of the
/// profile; what the run did not meet is zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// When, with which repairs and losses.
    pub facts: RunInfo,
    /// Counts by method.
    pub methods: Vec<MethodCounts>,
    /// Times by thread.
    pub threads: Vec<ThreadTimes>,
    /// Calls by node.
    pub calls: Vec<u64>,
    /// Time in itself by node, in ticks of the profile's rate.
    pub self_ticks: Vec<Ticks>,
    /// Counted calls made directly from each node.
    pub counted: Vec<u64>,
    /// How often that was told, by node.
    pub notes: Vec<u64>,
    /// Calls that ended by an exception, by node.
    pub throws: Vec<u64>,
    /// Counted calls by thread and method, those of none left out.
    pub counts: Vec<ThreadCount>,
}

/// A run as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunInfo {
    /// Beginning, milliseconds since the epoch.
    pub started_millis: u64,
    /// Length in milliseconds.
    pub duration_millis: u64,
    /// How many JVMs are its own: those of all runs stand in [`Meta::jvms`] in the order of the
    /// runs.
    pub jvms: u32,
    /// Its repairs and losses.
    pub quality: Quality,
}

/// The counts of a method in one run, as in [`Method`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields of Method, which says what they are")]
pub struct MethodCounts {
    pub entries: u64,
    pub returns: u64,
    pub throws: u64,
    pub inferred: u64,
    pub open: u64,
    pub unmatched_exits: u64,
    pub caught: u64,
    pub virtual_calls: u64,
    pub demoted: u64,
    pub counted: u64,
}

/// The times of a thread in one run, as in [`Thread`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields of Thread, which says what they are")]
pub struct ThreadTimes {
    pub outside: Ticks,
    pub adjusted: Ticks,
}

impl Method {
    /// Its counts alone.
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
            demoted: self.demoted,
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
            demoted: counts.demoted,
            counted: counts.counted,
            ..self.clone()
        }
    }
}

/// The most runs that a profile has: `record` makes 1,000 at most, and `mean` puts several
/// recordings together.
const RUNS: usize = 10_000;

impl Profile {
    /// How many runs of the program are in it.
    pub fn run_count(&self) -> usize {
        self.runs.len().max(1)
    }

    /// One run as a profile of its own, with the same methods, threads and nodes in the same
    /// places; what the run did not meet has zeros. `None` if there is no such run.
    pub fn run(&self, run: usize) -> Option<Self> {
        if self.runs.is_empty() {
            return (run == 0).then(|| self.clone());
        }
        self.run_with(run, Meta { jvms: Vec::new(), ..self.meta.clone() })
    }

    /// A run that says of itself what `meta` does, but for what belongs to the run.
    fn run_with(&self, run: usize, meta: Meta) -> Option<Self> {
        let before: usize = self.runs.get(..run)?.iter().map(|run| run.facts.jvms as usize).sum();
        let run = self.runs.get(run)?;
        let jvms = self.meta.jvms.get(before..before + run.facts.jvms as usize)?.to_vec();
        let RunInfo { started_millis, duration_millis, .. } = run.facts;
        // Threads of a run that began with fewer JVMs than another's are of the last that there is.
        let last = (jvms.len() as u32).saturating_sub(1);
        let thread = |(thread, times): (&Thread, &ThreadTimes)| Thread {
            jvm: thread.jvm.min(last),
            outside: times.outside,
            adjusted: times.adjusted,
            ..thread.clone()
        };
        let columns = Columns {
            calls: run.calls.clone(),
            self_ticks: run.self_ticks.clone(),
            counted: run.counted.clone(),
            notes: run.notes.clone(),
            throws: run.throws.clone(),
            ..self.tree.columns()
        };
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
            counts: run.counts.clone(),
            tree: Tree::new(columns).ok()?,
            quality: run.facts.quality.clone(),
            anchor: self.anchor,
            runs: Vec::new(),
        })
    }

    /// Says what in the runs contradicts the tables or one another, if anything.
    pub(crate) fn check_runs(&self) -> Result<(), String> {
        if self.runs.is_empty() {
            return Ok(());
        }
        if self.runs.len() > RUNS {
            return Err(format!("{} runs; {RUNS} are the most", self.runs.len()));
        }
        for (number, run) in self.runs.iter().enumerate() {
            let columns =
                [run.methods.len(), run.threads.len(), run.calls.len(), run.self_ticks.len()];
            if columns != [self.methods.len(), self.threads.len(), self.tree.len(), self.tree.len()]
            {
                return Err(format!("run {number} has columns of other lengths than the tables"));
            }
        }
        let jvms = self.runs.iter().map(|run| u64::from(run.facts.jvms)).sum::<u64>();
        if jvms != self.meta.jvms.len() as u64 {
            return Err(format!("{jvms} JVMs of runs, {} in the table", self.meta.jvms.len()));
        }
        for node in self.tree.nodes() {
            let sum = |column: &dyn Fn(&Run) -> u64| {
                self.runs.iter().map(column).fold(0, u64::saturating_add)
            };
            let calls = sum(&|run| run.calls[node.0 as usize]);
            let ticks = sum(&|run| run.self_ticks[node.0 as usize].0);
            if (calls, Ticks(ticks)) != (self.tree.calls(node), self.tree.self_time(node)) {
                return Err(format!("node {} is not the sum of its runs", node.0));
            }
        }
        for number in 0..self.runs.len() {
            // What is said of all runs is not copied for each of them.
            let run = self
                .run_with(number, Meta::default())
                .ok_or_else(|| format!("run {number} cannot be taken out"))?;
            run.check().map_err(|what| format!("run {number}: {what}"))?;
        }
        Ok(())
    }
}
