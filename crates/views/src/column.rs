//! The columns that a profile may have beside calls and times: what outputs go over.
//!
//! A column is one row of [`COLUMNS`]. Text, terminal, JSON, CSV and Parquet name it and write its
//! values without knowing what it is.

use crate::{CpuTimes, Shown, number};
use jfathom_compare::HotMethod;
use jfathom_profile::{Metric, Mounts, NodeIx, NodeNumbers, Profile};

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
}

/// How certain a value is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Certainty {
    /// It is the number.
    Exact,
    /// It may be off by so much.
    Within(f64),
    /// It may be much more: of a large part nobody knows.
    AtLeast(f64),
}

/// A value of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// The number, in the column's unit.
    pub number: f64,
    /// How certain it is.
    pub certainty: Certainty,
}

impl Value {
    const fn exact(number: f64) -> Self {
        Self { number, certainty: Certainty::Exact }
    }

    /// By how much it may be off, as far as that is known.
    pub const fn bar(self) -> f64 {
        match self.certainty {
            Certainty::Exact => 0.0,
            Certainty::Within(bar) | Certainty::AtLeast(bar) => bar,
        }
    }
}

/// A column. All values are of a node, or of a method's nodes: its own, and with all callees.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name in files.
    pub key: &'static str,
    /// Its titles in tables of text, if it stands there: of a method's own, and with all callees.
    pub titles: Option<[&'static str; 2]>,
    /// The unit of its values.
    pub unit: ColumnUnit,
    /// Whether values have an error bar.
    pub has_bar: bool,
    is_recorded: fn(&Profile) -> bool,
    value: fn(&Cell) -> Option<Value>,
}

/// A column of what threads did in a time.
macro_rules! of_cpu {
    ($key:literal, $value:expr) => {
        Column {
            is_recorded: |profile| profile.cpu.is_recorded(),
            ..column($key, ColumnUnit::Nanos, |cell| {
                let value: fn(CpuTimes) -> Option<Value> = $value;
                value(CpuTimes::of(cell.profile, cell.nanos, &cell.numbers))
            })
        }
    };
}

/// All columns, in the order of outputs.
pub static COLUMNS: [Column; 8] = [
    Column {
        is_recorded: |profile| profile.mounts != Mounts::Unasked,
        ..column("parked", ColumnUnit::Nanos, |cell| {
            let tick = 1e9 / cell.profile.rate.hz() as f64;
            Some(Value::exact(cell.numbers[Metric::Parked] as f64 * tick))
        })
    },
    Column {
        titles: Some(["alloc self", "alloc"]),
        is_recorded: |profile| profile.allocation.is_recorded(),
        ..column("alloc", ColumnUnit::Bytes, |cell| {
            let bytes = cell.numbers[Metric::Allocated] as f64;
            cell.knows_bytes.then_some(Value::exact(bytes))
        })
    },
    Column {
        titles: Some(["cpu self", "cpu"]),
        has_bar: true,
        ..of_cpu!("cpu", |times| {
            let certainty = match times.is_partly_unknown() {
                true => Certainty::AtLeast(times.error),
                false => Certainty::Within(times.error),
            };
            Some(Value { number: times.running, certainty })
        })
    },
    of_cpu!("preempted", |times| times.preempted().map(Value::exact)),
    of_cpu!("blocked", |times| times.blocked().map(Value::exact)),
    of_cpu!("not_running", |times| Some(Value::exact(times.not_running()))),
    of_cpu!("unknown", |times| Some(Value::exact(times.unknown))),
    Column {
        unit: ColumnUnit::Count,
        ..of_cpu!("switches", |times| times.switches().map(|of| Value::exact(of as f64)))
    },
];

const fn column(key: &'static str, unit: ColumnUnit, value: fn(&Cell) -> Option<Value>) -> Column {
    Column { key, titles: None, unit, has_bar: false, is_recorded: |_| false, value }
}

/// What a value is made of.
struct Cell<'a> {
    profile: &'a Profile,
    numbers: NodeNumbers,
    /// The self time or the total time, as it is shown.
    nanos: f64,
    knows_bytes: bool,
}

/// What the values of a node or a method are made of: its own, and with all callees.
pub struct Cells<'a>([Cell<'a>; 2]);

impl Column {
    /// The columns that a profile has.
    pub fn of(profile: &Profile) -> impl Iterator<Item = &'static Self> {
        COLUMNS.iter().filter(|column| column.is_recorded(profile))
    }

    /// Those of them that tables of text have, with their titles.
    pub fn of_text(profile: &Profile) -> Vec<(&'static Self, [&'static str; 2])> {
        Self::of(profile).filter_map(|column| Some((column, column.titles?))).collect()
    }

    /// Whether a profile has it.
    pub fn is_recorded(&self, profile: &Profile) -> bool {
        (self.is_recorded)(profile)
    }

    /// Its values of a node or a method: the own one, and that with all callees. None where one is
    /// not recorded, or not known.
    pub fn values(&self, of: &Cells<'_>) -> [Option<Value>; 2] {
        of.0.each_ref().map(|cell| match self.is_recorded(cell.profile) {
            true => (self.value)(cell),
            false => None,
        })
    }

    /// A value as a cell of a table: `-` where it is not known, empty for none.
    pub fn text(&self, value: Option<Value>) -> String {
        let Some(Value { number: of, certainty }) = value else { return "-".to_owned() };
        let text = match self.unit {
            ColumnUnit::Nanos => number::signed(of),
            ColumnUnit::Bytes => number::size(of as u64),
            ColumnUnit::Count => number::grouped(of as u64),
        };
        match certainty {
            Certainty::AtLeast(_) => format!("≥ {}", text.trim()),
            _ if of < 1.0 => String::new(),
            _ => text,
        }
    }
}

impl Shown<'_> {
    /// What the values of a node are made of.
    pub fn cells(&self, node: NodeIx) -> Cells<'_> {
        let knows_bytes = self.bytes(node).is_some();
        let own = (self.tree.numbers(node), self.self_time(node));
        let total = (self.tree.totals(node), self.total(node));
        Cells([own, total].map(|(numbers, nanos)| Cell {
            profile: self.profile,
            numbers,
            nanos,
            knows_bytes,
        }))
    }

    /// The same of a method's calls that are shown.
    pub fn method_cells(&self, of: &HotMethod) -> Cells<'_> {
        let knows_bytes = self.method_bytes(of).is_some();
        Cells::of_method(self.profile, of, self.is_corrected(), knows_bytes)
    }
}

impl<'a> Cells<'a> {
    /// What the values of a method's calls are made of.
    pub fn of_method(
        profile: &'a Profile,
        of: &HotMethod,
        is_corrected: bool,
        knows_bytes: bool,
    ) -> Self {
        let tick = 1e9 / profile.rate.hz() as f64;
        let nanos = match is_corrected {
            true => [of.times.self_nanos, of.times.total_nanos],
            false => [&of.own, &of.total].map(|of| of[Metric::SelfTime] as f64 * tick),
        };
        Self([(of.own, nanos[0]), (of.total, nanos[1])].map(|(numbers, nanos)| Cell {
            profile,
            numbers,
            nanos,
            knows_bytes,
        }))
    }
}

/// A column's value of the measured total time of a node of a profile's own tree.
pub fn measured_value(profile: &Profile, column: &Column, node: NodeIx) -> Option<Value> {
    let numbers = profile.tree.totals(node);
    let nanos = numbers[Metric::SelfTime] as f64 * 1e9 / profile.rate.hz() as f64;
    (column.value)(&Cell { profile, numbers, nanos, knows_bytes: true })
}
