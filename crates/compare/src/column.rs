//! The columns that a profile may have beside calls and times: what outputs and comparisons go
//! over.
//!
//! A column is one row of [`COLUMNS`]. All that shows, writes, compares or limits it does so
//! without knowing what it is.

mod value;

use jfathom_profile::{
    AllocationSource, Cpu, CpuSource, Metric, Mounts, NodeIx, NodeNumbers, Profile, Run, Runs, Unit,
};

use crate::HotMethod;
pub use value::{Certainty, Value};

/// What a column's values are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnUnit {
    /// Nanoseconds.
    Nanos,
    /// Bytes.
    Bytes,
    /// How often.
    Count,
}

impl ColumnUnit {
    /// How names of columns end.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Nanos => "_ns",
            Self::Bytes => "_bytes",
            Self::Count => "",
        }
    }

    const fn of(metric: Metric) -> Self {
        match metric.info().unit {
            Unit::Ticks => Self::Nanos,
            Unit::Bytes => Self::Bytes,
            Unit::Count => Self::Count,
        }
    }
}

/// Where people see a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Prominence {
    /// Only in files.
    Data,
    /// Where a method is looked at alone, and where two profiles are compared.
    Detail,
    /// In tables of methods and call paths.
    Listed,
}

/// What of a profile has a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// Nothing: nobody asked for it.
    Nothing,
    /// Not all recordings that were added up, or not all of its runs in the same way.
    Part,
    /// All of it. Values that were told in different ways, named here, do not compare.
    Whole(&'static str),
}

/// A column. All values are of a node, or of a method's nodes: its own, and with all callees.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name in files and options.
    pub key: &'static str,
    /// What it is called in sentences.
    pub name: &'static str,
    /// Which of `record --metrics` gives it.
    pub option: &'static str,
    /// Its titles in tables: of a method's own values, and with all callees.
    pub titles: [&'static str; 2],
    /// What it says, in a sentence without a point at its end.
    pub about: &'static str,
    /// The unit of its values.
    pub unit: ColumnUnit,
    /// Whether values have an error bar.
    pub has_bar: bool,
    /// Where people see it.
    pub prominence: Prominence,
    /// The key of a column beside which this one says nothing more.
    pub beside: Option<&'static str>,
    /// The metric whose numbers these are. None if they are made of several.
    metric: Option<Metric>,
    coverage: fn(Sources) -> Coverage,
    value: fn(&Cell) -> Value,
}

/// Who told the numbers of a profile or of one of its runs.
#[derive(Clone, Copy)]
struct Sources {
    mounts: Mounts,
    allocation: AllocationSource,
    cpu: Cpu,
}

impl Sources {
    fn of(profile: &Profile) -> Self {
        let Profile { mounts, allocation, cpu, .. } = profile;
        Self { mounts: *mounts, allocation: allocation.source, cpu: *cpu }
    }
}

/// A column of a metric's own numbers.
macro_rules! of_metric {
    ($metric:expr, $key:literal, $titles:expr, $coverage:expr) => {
        Column {
            metric: Some($metric),
            ..column($key, $titles, ColumnUnit::of($metric), $coverage, |cell| {
                Value::exact(cell.number($metric))
            })
        }
    };
}

/// All columns, in the order of outputs.
pub static COLUMNS: [Column; 8] = [
    Column {
        name: "parked time",
        about: "the part of a time in which virtual threads had no carrier: they waited",
        prominence: Prominence::Listed,
        ..of_metric!(Metric::Parked, "parked", ["parked self", "parked"], |told| {
            match told.mounts {
                Mounts::Unasked => Coverage::Nothing,
                Mounts::Partly => Coverage::Part,
                Mounts::Seen => Coverage::Whole(""),
            }
        })
    },
    Column {
        name: "allocated bytes",
        about: "bytes allocated on the Java heap in the method itself and in what it calls \
                without a record, exact by call; –: the method has not read them, and they are \
                its callers'",
        prominence: Prominence::Listed,
        value: |cell| match cell.has_read {
            true => Value::exact(cell.number(Metric::Allocated)),
            false => Value::NOT_READ,
        },
        ..of_metric!(Metric::Allocated, "alloc", ["alloc self", "alloc"], |told| {
            match told.allocation {
                AllocationSource::Unasked => Coverage::Nothing,
                AllocationSource::Partly => Coverage::Part,
                AllocationSource::Fields | AllocationSource::Bean | AllocationSource::Either => {
                    Coverage::Whole("")
                }
            }
        })
    },
    Column {
        name: "running time",
        option: "cpu",
        about: "the part of a time in which threads ran",
        prominence: Prominence::Listed,
        has_bar: true,
        ..column("cpu", ["cpu self", "cpu"], ColumnUnit::Nanos, known_running, running)
    },
    Column {
        name: "preempted time",
        option: "cpu",
        about: "the part of a time in which threads would have gone on, and waited for a \
                processor, by the kernel's context switches",
        ..of_metric!(
            Metric::Preempted,
            "preempted",
            ["preempted self", "preempted"],
            known_switches
        )
    },
    Column {
        name: "blocked time",
        option: "cpu",
        about: "the part of a time in which threads waited for something else than a processor",
        ..of_metric!(Metric::Blocked, "blocked", ["blocked self", "blocked"], known_switches)
    },
    Column {
        name: "time not running",
        option: "cpu",
        about: "preempted or blocked: by the threads' own clocks, which do not tell which",
        beside: Some("preempted"),
        ..column(
            "not_running",
            ["not running self", "not running"],
            ColumnUnit::Nanos,
            known_running,
            |cell| Value::exact(cell.number(Metric::Preempted) + cell.number(Metric::Blocked)),
        )
    },
    Column {
        name: "unknown time",
        option: "cpu",
        about: "the part of a time of which it is not known whether threads ran",
        prominence: Prominence::Data,
        ..of_metric!(Metric::Unknown, "unknown", ["unknown self", "unknown"], known_running)
    },
    Column {
        name: "switches",
        option: "cpu",
        about: "how often threads left their processors",
        prominence: Prominence::Data,
        ..of_metric!(Metric::Switches, "switches", ["switches self", "switches"], known_switches)
    },
];

const fn column(
    key: &'static str,
    titles: [&'static str; 2],
    unit: ColumnUnit,
    coverage: fn(Sources) -> Coverage,
    value: fn(&Cell) -> Value,
) -> Column {
    Column {
        key,
        name: key,
        option: key,
        titles,
        about: "",
        unit,
        has_bar: false,
        prominence: Prominence::Detail,
        beside: None,
        metric: None,
        coverage,
        value,
    }
}

fn known_running(told: Sources) -> Coverage {
    match told.cpu.source {
        CpuSource::ThreadClock => Coverage::Whole("by the threads' clocks"),
        CpuSource::Some => Coverage::Whole("by the kernel, of some JVMs"),
        CpuSource::Perf => Coverage::Whole("by the kernel"),
        CpuSource::Unasked => Coverage::Nothing,
        CpuSource::Refused | CpuSource::Partly | CpuSource::Mixed => Coverage::Part,
    }
}

/// The same of what threads' own clocks do not tell.
fn known_switches(told: Sources) -> Coverage {
    match told.cpu.tells_preempted() {
        true => known_running(told),
        false => Coverage::Nothing,
    }
}

/// With a larger part of unknown time a running time is but a lower bound.
const UNKNOWN_SHARE: f64 = 0.01;

/// For how long threads ran. The cost of probes is taken out of running time alone: a thread that
/// waits runs no probe. So what a correction has taken is missing in the running part, and it may
/// take more than threads ran.
fn running(cell: &Cell) -> Value {
    let parts = [Metric::Parked, Metric::Preempted, Metric::Blocked, Metric::Unknown];
    let [parked, preempted, blocked, unknown] = parts.map(|metric| cell.number(metric));
    let running = (cell.nanos - parked - preempted - blocked - unknown).max(0.0);
    let error = cell.number(Metric::Switches) * cell.profile.cpu.switch_error_nanos as f64;
    let all = running + preempted + blocked + unknown;
    let certainty = match unknown > all * UNKNOWN_SHARE {
        true => Certainty::AtLeast(error),
        false => Certainty::Within(error),
    };
    Value { number: running, certainty }
}

/// What a value is made of.
#[derive(Clone, Copy)]
struct Cell<'a> {
    profile: &'a Profile,
    numbers: NodeNumbers,
    /// The self time or the total time, as it is shown.
    nanos: f64,
    has_read: bool,
}

impl Cell<'_> {
    /// A metric's number, in the unit of columns.
    fn number(&self, metric: Metric) -> f64 {
        let number = self.numbers[metric] as f64;
        match metric.info().unit {
            Unit::Ticks => number * 1e9 / self.profile.rate.hz() as f64,
            Unit::Bytes | Unit::Count => number,
        }
    }
}

/// What the values of a node or a method are made of: its own, and with all callees.
pub struct Cells<'a>([Cell<'a>; 2]);

impl PartialEq for Column {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for Column {}

impl Column {
    /// The columns that a profile has.
    pub fn of(profile: &Profile) -> impl Iterator<Item = &'static Self> {
        COLUMNS.iter().filter(|column| column.is_recorded(profile))
    }

    /// Those of them that people see at a place, or more often, if they are not zero everywhere.
    pub fn seen(profile: &Profile, at: Prominence) -> impl Iterator<Item = &'static Self> {
        Self::of(profile).filter(move |column| {
            let is_zero = column.metric.is_some_and(|metric| !profile.tree.has(metric));
            let is_told = || column.is_told_by(|of| of.is_recorded(profile));
            column.prominence >= at && !is_zero && !is_told()
        })
    }

    /// The column of a name in files and options.
    pub fn of_key(key: &str) -> Option<&'static Self> {
        COLUMNS.iter().find(|column| column.key == key)
    }

    /// Whether another column that there is says all that this one says.
    pub fn is_told_by(&self, has: impl Fn(&Self) -> bool) -> bool {
        self.beside.and_then(Self::of_key).is_some_and(has)
    }

    /// Whether each run of a series has its own values. A sum alone has no spread.
    pub fn keeps_runs(&self) -> bool {
        self.metric.is_none_or(|metric| metric.info().runs == Runs::Own)
    }

    /// What of a profile has it.
    pub fn coverage(&self, profile: &Profile) -> Coverage {
        (self.coverage)(Sources::of(profile))
    }

    /// What of a profile has it, run by run: part of it unless that is the same of all runs.
    pub fn coverage_of_runs(&self, profile: &Profile) -> Coverage {
        let sum = self.coverage(profile);
        let of = |run: &Run| (self.coverage)(Sources { cpu: run.cpu, ..Sources::of(profile) });
        match (self.keeps_runs(), profile.runs.split_first()) {
            (true, Some((first, more))) => {
                let first = of(first);
                let is_same = more.iter().all(|run| of(run) == first);
                if is_same { first } else { Coverage::Part }
            }
            _ => sum,
        }
    }

    /// Whether any recording has it.
    pub fn is_recorded(&self, profile: &Profile) -> bool {
        self.coverage(profile) != Coverage::Nothing
    }

    /// Its values of a node or a method: the own one, and that with all callees.
    pub fn values(&self, of: &Cells<'_>) -> [Value; 2] {
        of.0.each_ref().map(|cell| match self.coverage(cell.profile) {
            Coverage::Nothing => Value::NOT_READ,
            Coverage::Part => (self.value)(cell).of_a_part(),
            Coverage::Whole(_) => (self.value)(cell),
        })
    }
}

impl<'a> Cells<'a> {
    /// From the numbers and the time of a node or a method: its own, and with all callees.
    /// `has_read` says whether its calls have read what only calls read.
    pub fn new(profile: &'a Profile, of: [(NodeNumbers, f64); 2], has_read: bool) -> Self {
        Self(of.map(|(numbers, nanos)| Cell { profile, numbers, nanos, has_read }))
    }

    /// Of a method's calls.
    pub fn of_method(
        profile: &'a Profile,
        of: &HotMethod,
        is_corrected: bool,
        has_read: bool,
    ) -> Self {
        let tick = 1e9 / profile.rate.hz() as f64;
        let nanos = match is_corrected {
            true => [of.times.self_nanos, of.times.total_nanos],
            false => [&of.own, &of.total].map(|of| of[Metric::SelfTime] as f64 * tick),
        };
        Self::new(profile, [(of.own, nanos[0]), (of.total, nanos[1])], has_read)
    }

    /// Of a node of the profile's own tree, with measured times.
    pub fn measured(profile: &'a Profile, node: NodeIx) -> Self {
        let tick = 1e9 / profile.rate.hz() as f64;
        let with_time = |numbers: NodeNumbers| (numbers, numbers[Metric::SelfTime] as f64 * tick);
        let of = [profile.tree.numbers(node), profile.tree.totals(node)].map(with_time);
        Self::new(profile, of, profile.knows_bytes_at(node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_profile::TickRate;

    fn profile(source: CpuSource) -> Profile {
        let rate = TickRate::new(500_000_000).unwrap();
        let mut profile = Profile::without_records(rate, &Default::default());
        (profile.cpu.source, profile.cpu.switch_error_nanos) = (source, 7);
        profile
    }

    fn own(profile: &Profile, key: &str, nanos: f64, numbers: NodeNumbers) -> Value {
        let cells = Cells::new(profile, [(numbers, nanos); 2], true);
        Column::of_key(key).unwrap().values(&cells)[0]
    }

    fn off_cpu(preempted: u64, blocked: u64, unknown: u64) -> NodeNumbers {
        NodeNumbers::of(&[
            (Metric::Preempted, preempted),
            (Metric::Blocked, blocked),
            (Metric::Unknown, unknown),
            (Metric::Switches, 3),
        ])
    }

    #[test]
    fn each_column_has_a_key_of_its_own_and_says_what_it_is() {
        for (at, column) in COLUMNS.iter().enumerate() {
            assert_eq!(COLUMNS.iter().position(|of| of.key == column.key), Some(at));
            assert!(!column.about.is_empty(), "{}", column.key);
            assert!(column.beside.is_none_or(|key| Column::of_key(key).is_some()));
        }
    }

    #[test]
    fn what_is_left_ran() {
        let profile = profile(CpuSource::Perf);
        let of = |key, nanos, parked, off_cpu: NodeNumbers| {
            own(&profile, key, nanos, off_cpu.with(Metric::Parked, parked))
        };
        let ran = |nanos, parked, off_cpu| of("cpu", nanos, parked, off_cpu);
        let expected = Value { number: 478.0, certainty: Certainty::Within(21.0) };
        assert_eq!(ran(1_000.0, 50, off_cpu(10, 200, 1)), expected);
        assert_eq!(of("blocked", 1_000.0, 50, off_cpu(10, 200, 1)), Value::exact(400.0));
        assert!(ran(1_000.0, 0, off_cpu(0, 0, 11)).is_least());
        // A correction may take more than the thread ran.
        assert_eq!(ran(390.0, 0, off_cpu(0, 200, 0)).number, 0.0);
    }

    #[test]
    fn what_nobody_told_apart_is_one_part() {
        for source in [CpuSource::ThreadClock, CpuSource::Mixed] {
            let profile = profile(source);
            let of = |key| own(&profile, key, 1_000.0, off_cpu(10, 200, 0));
            assert_eq!((of("cpu").number, of("not_running").number), (580.0, 420.0));
            for key in ["preempted", "blocked", "switches"] {
                assert_eq!(of(key), Value::NOT_READ);
            }
        }
    }

    #[test]
    fn runs_that_were_told_in_different_ways_are_a_part() {
        let cpu = Column::of_key("cpu").unwrap();
        for (source, coverage) in [
            (CpuSource::Unasked, Coverage::Nothing),
            (CpuSource::Perf, Coverage::Whole("by the kernel")),
            (CpuSource::Mixed, Coverage::Part),
        ] {
            assert_eq!(cpu.coverage_of_runs(&profile(source)), coverage);
        }
        let run = |source| {
            let cpu = Cpu { source, ..Cpu::default() };
            Run { cpu, ..Run::default() }
        };
        let mut series = profile(CpuSource::Some);
        series.runs = vec![run(CpuSource::Perf), run(CpuSource::Refused)];
        assert_eq!(cpu.coverage_of_runs(&series), Coverage::Part);
    }
}
