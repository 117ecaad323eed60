//! The columns of a tree that the profile file has.

use serde::Serialize;

use crate::body::Body;
use crate::column::Column;
use crate::node_events::NodeEvents;
use crate::{FileError, NodeNumbers};

/// The columns of a tree, a row for each node in preorder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Columns {
    pub frames: Vec<u32>,
    pub depths: Vec<u32>,
    pub timed: Column,
    pub self_ticks: Column,
    /// As long as the others, or empty for all zero.
    pub counted: Column,
    /// As long as the others, or empty for all zero.
    pub count_records: Column,
    /// As long as the others, or empty for all zero.
    pub unflushed: Column,
    /// As long as the others, or empty for all zero.
    pub throws: Column,
    /// As long as the others, or empty for all zero. Files have it in a place of its own.
    #[serde(skip)]
    pub longest: Column,
    /// As long as the others, or empty for all zero. Files have it in a place of its own.
    #[serde(skip)]
    pub folded: Column,
    /// As long as the others, or empty for all zero. Files have it in a place of its own.
    #[serde(skip)]
    pub calls_beside: Column,
    /// As long as the others, or empty for all zero. Files have it in a place of its own.
    #[serde(skip)]
    pub parked: Column,
    /// As long as the others, or empty for all zero. Files have it in a place of its own.
    #[serde(skip)]
    pub allocated: Column,
    /// The parts of [`NodeNumbers::off_cpu`], each as long as the others, or empty for all zero.
    /// Files have them in a place of their own.
    #[serde(skip)]
    pub off_cpu: [Column; 4],
    /// Files have them in a place of their own.
    #[serde(skip)]
    pub events: NodeEvents,
}

impl Columns {
    pub fn with_capacity(nodes: usize) -> Self {
        Self {
            frames: Vec::with_capacity(nodes),
            depths: Vec::with_capacity(nodes),
            timed: Column::with_capacity(nodes),
            self_ticks: Column::with_capacity(nodes),
            ..Self::default()
        }
    }

    /// Reads columns as serde would.
    pub fn read(body: &mut Body) -> Result<Self, FileError> {
        let mut columns = Self::default();
        for column in [&mut columns.frames, &mut columns.depths] {
            body.numbers(|number| u32::try_from(number).map(|number| column.push(number)).is_ok())?;
        }
        for column in [
            &mut columns.timed,
            &mut columns.self_ticks,
            &mut columns.counted,
            &mut columns.count_records,
            &mut columns.unflushed,
            &mut columns.throws,
        ] {
            body.numbers(|number| {
                let has_row = u32::try_from(column.len()).is_ok();
                if has_row {
                    column.push(number);
                }
                has_row
            })?;
        }
        Ok(columns)
    }

    /// Adds the nodes of another tree at the end.
    pub fn append(&mut self, other: &Self) {
        let (len, more) = (self.frames.len(), other.frames.len());
        let [preempted, blocked, unknown, switches] = &mut self.off_cpu;
        for (column, other) in [
            (&mut self.counted, &other.counted),
            (&mut self.count_records, &other.count_records),
            (&mut self.unflushed, &other.unflushed),
            (&mut self.throws, &other.throws),
            (&mut self.longest, &other.longest),
            (&mut self.folded, &other.folded),
            (&mut self.calls_beside, &other.calls_beside),
            (&mut self.parked, &other.parked),
            (&mut self.allocated, &other.allocated),
            (preempted, &other.off_cpu[0]),
            (blocked, &other.off_cpu[1]),
            (unknown, &other.off_cpu[2]),
            (switches, &other.off_cpu[3]),
        ] {
            if !(column.is_empty() && other.is_empty()) {
                column.extend_to(len);
                column.append(other);
                column.extend_to(len + more);
            }
        }
        self.events.copy(&other.events, 0..more as u32, len as u32);
        self.frames.extend(&other.frames);
        self.depths.extend(&other.depths);
        self.timed.append(&other.timed);
        self.self_ticks.append(&other.self_ticks);
    }

    /// Adds a node at the end. Columns of numbers that are mostly zero may stay shorter than the
    /// others ([`Columns::complete`]).
    pub fn push(&mut self, frame: u32, depth: u32, numbers: &NodeNumbers) {
        let rows = self.frames.len();
        self.frames.push(frame);
        self.depths.push(depth);
        self.timed.push(numbers.timed);
        self.self_ticks.push(numbers.self_time.0);
        let [preempted, blocked, unknown, switches] = &mut self.off_cpu;
        let of_off_cpu = numbers.off_cpu.parts();
        for (column, number) in [
            (&mut self.counted, numbers.counted),
            (&mut self.count_records, numbers.count_records),
            (&mut self.unflushed, numbers.unflushed),
            (&mut self.throws, numbers.throws),
            (&mut self.longest, numbers.longest.0),
            (&mut self.folded, numbers.folded),
            (&mut self.calls_beside, numbers.calls_beside),
            (&mut self.parked, numbers.parked.0),
            (&mut self.allocated, numbers.allocated.0),
            (preempted, of_off_cpu[0]),
            (blocked, of_off_cpu[1]),
            (unknown, of_off_cpu[2]),
            (switches, of_off_cpu[3]),
        ] {
            if number != 0 {
                column.extend_to(rows);
                column.push(number);
            }
        }
    }

    /// Makes all columns equally long, or empty if all is zero.
    pub fn complete(&mut self) {
        let [preempted, blocked, unknown, switches] = &mut self.off_cpu;
        for column in [
            &mut self.counted,
            &mut self.count_records,
            &mut self.unflushed,
            &mut self.throws,
            &mut self.longest,
            &mut self.folded,
            &mut self.calls_beside,
            &mut self.parked,
            &mut self.allocated,
            preempted,
            blocked,
            unknown,
            switches,
        ] {
            if column.is_zero() {
                *column = Column::default();
            } else {
                column.extend_to(self.frames.len());
            }
        }
    }
}
