//! Numbers that few nodes have, and that no ordinary call needs.

use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

use crate::model::node_numbers::merged;
use crate::{Metric, NodeNumbers, OffCpu};

/// Metrics that a node has in any case: their numbers are in [`super::Node`].
const USUAL: usize = Metric::Longest as usize + 1;

/// The rare numbers of a node: those of all metrics behind the usual ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NodeExtra([u64; Metric::COUNT - USUAL]);

impl NodeExtra {
    /// Those among some numbers.
    pub fn of(numbers: &NodeNumbers) -> Self {
        let mut extra = Self::default();
        for (metric, number) in numbers.iter().skip(USUAL) {
            extra[metric] = *number;
        }
        extra
    }

    /// As numbers of a node, the usual ones zero.
    pub fn numbers(&self) -> NodeNumbers {
        NodeNumbers::new(|metric| match metric as usize {
            0..USUAL => 0,
            _ => self[metric],
        })
    }

    /// Adds those of another node.
    pub fn add(&mut self, other: &Self) {
        for metric in Metric::all().skip(USUAL) {
            self[metric] = merged(metric, self[metric], other[metric]);
        }
    }

    /// Adds to one number, which saturates.
    #[inline]
    pub fn add_to(&mut self, metric: Metric, number: u64) {
        self[metric] = self[metric].saturating_add(number);
    }

    /// [`NodeNumbers::off_cpu`].
    pub fn off_cpu(&self) -> OffCpu {
        self.numbers().off_cpu()
    }

    /// Adds times without a processor.
    pub fn add_off_cpu(&mut self, off_cpu: OffCpu) {
        let parts = off_cpu.parts();
        OffCpu::METRICS.into_iter().zip(parts).for_each(|(metric, part)| self.add_to(metric, part));
    }
}

impl Index<Metric> for NodeExtra {
    type Output = u64;

    #[inline]
    fn index(&self, metric: Metric) -> &u64 {
        &self.0[metric as usize - USUAL]
    }
}

impl IndexMut<Metric> for NodeExtra {
    #[inline]
    fn index_mut(&mut self, metric: Metric) -> &mut u64 {
        &mut self.0[metric as usize - USUAL]
    }
}

/// The rare numbers of the nodes that have any.
#[derive(Clone, Debug, Default)]
pub(super) struct Extras {
    /// By node: one plus its row, or zero. Shorter than the nodes if later ones have none.
    row_numbers: Vec<u32>,
    rows: Vec<NodeExtra>,
}

impl Extras {
    /// Bytes that they take.
    pub fn bytes(&self) -> usize {
        self.row_numbers.capacity() * size_of::<u32>()
            + self.rows.capacity() * size_of::<NodeExtra>()
    }

    /// Bytes that they take at most once there are so many nodes and so many more rows.
    pub fn bytes_after(&self, nodes: usize, rows: usize) -> usize {
        let of = |len: usize, capacity: usize, bytes: usize| match len > capacity {
            true => len.max(2 * capacity) * bytes,
            false => capacity * bytes,
        };
        of(nodes, self.row_numbers.capacity(), size_of::<u32>())
            + of(self.rows.len() + rows, self.rows.capacity(), size_of::<NodeExtra>())
    }

    #[inline]
    pub fn get(&self, node: u32) -> NodeExtra {
        let number = self.row_numbers.get(node as usize).copied().unwrap_or(0);
        (number as usize)
            .checked_sub(1)
            .and_then(|at| self.rows.get(at))
            .copied()
            .unwrap_or_default()
    }

    /// The numbers of a node, of so many nodes, for changing them.
    #[inline]
    pub fn get_mut(&mut self, node: u32, nodes: usize) -> &mut NodeExtra {
        let number = self.row_numbers.get(node as usize).copied().unwrap_or(0);
        let row = match number {
            0 => self.add(node, nodes),
            number => number as usize - 1,
        };
        &mut self.rows[row]
    }

    #[cold]
    fn add(&mut self, node: u32, nodes: usize) -> usize {
        if self.row_numbers.len() <= node as usize {
            self.row_numbers.resize(nodes, 0);
        }
        self.rows.push(NodeExtra::default());
        self.row_numbers[node as usize] = self.rows.len() as u32;
        self.rows.len() - 1
    }

    /// The nodes that have any, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (u32, NodeExtra)> {
        let nodes = (0..).zip(&self.row_numbers).filter(|(_, number)| **number != 0);
        nodes.map(|(node, _)| (node, self.get(node)))
    }
}
