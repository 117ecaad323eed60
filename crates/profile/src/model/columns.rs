//! The columns of a tree.

use jfathom_plan::Problem;
use std::ops::Range;

use crate::model::metric::PerMetric;
use crate::model::node_events::NodeEvents;
use crate::model::packed_numbers::PackedNumbers;
use crate::{Metric, NodeNumbers};

/// The columns of a tree, a row for each node in preorder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Columns {
    pub frames: Vec<u32>,
    pub depths: Vec<u32>,
    /// As long as the others, or empty for all zero. While nodes are added, a column may stay
    /// shorter if zeros follow ([`Columns::complete`]).
    pub numbers: PerMetric<PackedNumbers>,
    pub events: NodeEvents,
}

impl Columns {
    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// The number of a node.
    #[inline]
    pub fn number(&self, metric: Metric, node: usize) -> u64 {
        self.numbers[metric].get(node).unwrap_or(0)
    }

    /// Adds some nodes of another tree at the end. `depth` turns their depths into those here.
    pub fn copy_rows(&mut self, other: &Self, rows: Range<usize>, depth: impl Fn(u32) -> u32) {
        let len = self.len();
        for (metric, column) in self.numbers.iter_mut() {
            let from = &other.numbers[metric];
            if !from.is_empty() {
                column.extend_to(len);
                column.copy_rows(from, rows.clone());
            }
        }
        self.events.copy(&other.events, rows.start as u32..rows.end as u32, len as u32);
        self.frames.extend_from_slice(&other.frames[rows.clone()]);
        self.depths.extend(other.depths[rows].iter().map(|of| depth(*of)));
    }

    /// Adds a node at the end.
    pub fn push(&mut self, frame: u32, depth: u32, numbers: &NodeNumbers) {
        let rows = self.len();
        self.frames.push(frame);
        self.depths.push(depth);
        for (metric, column) in self.numbers.iter_mut() {
            let number = numbers[metric];
            if number != 0 {
                column.extend_to(rows);
                column.push(number);
            }
        }
    }

    /// Makes all columns equally long, or empty if all is zero.
    pub fn complete(&mut self) {
        let rows = self.len();
        for (_, column) in self.numbers.iter_mut() {
            if column.is_zero() {
                *column = PackedNumbers::default();
            } else {
                column.extend_to(rows);
            }
        }
    }

    /// What contradicts itself.
    pub fn check(&self) -> Result<(), Problem> {
        let len = self.len();
        if u32::try_from(len).is_err() || self.depths.len() != len {
            return Err(
                format!("tree columns of unequal length: {len}, {}", self.depths.len()).into()
            );
        }
        for (metric, column) in self.numbers.iter() {
            self.check_column(metric, column)?;
        }
        if let Some(frame) = self.frames.iter().find(|of| crate::Frame::unpack(**of).is_none()) {
            return Err(format!("frame {frame:#x}").into());
        }
        let mut path_length = 0;
        for (node, depth) in self.depths.iter().enumerate() {
            if *depth > path_length {
                return Err(format!(
                    "node {node} of depth {depth} below one of depth {path_length}"
                )
                .into());
            }
            path_length = *depth + 1;
        }
        Ok(())
    }

    /// What of a metric's numbers contradicts the others.
    pub fn check_column(&self, metric: Metric, column: &PackedNumbers) -> Result<(), Problem> {
        let (len, info) = (self.len(), metric.info());
        if !column.is_empty() && column.len() != len {
            return Err(format!("column {} of {} rows, {len} nodes", info.key, column.len()).into());
        }
        let Some(most) = info.within else { return Ok(()) };
        let wrong = column.iter().enumerate().find(|(at, of)| *of > self.number(most, *at));
        match wrong {
            Some((node, number)) => {
                let (key, most) = (info.key, most.info().key);
                Err(format!("node {node} has {number} of {key}, more than of {most}").into())
            }
            None => Ok(()),
        }
    }
}
