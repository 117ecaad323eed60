//! Numbers that few nodes have, and that no ordinary call needs.

use crate::OffCpu;

/// The rare numbers of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct NodeExtra {
    /// Counted calls of the node.
    pub counted: u64,
    /// COUNTED records of calls from the node.
    pub count_records: u64,
    /// See [`crate::NodeNumbers::unflushed`].
    pub unflushed: u64,
    /// Timed calls that ended by an exception.
    pub throws: u64,
    /// See [`crate::NodeNumbers::folded`].
    pub folded: u64,
    /// See [`crate::NodeNumbers::calls_beside`].
    pub calls_beside: u64,
    /// See [`crate::NodeNumbers::parked`].
    pub parked: u64,
    /// See [`crate::NodeNumbers::allocated`].
    pub allocated: u64,
    /// See [`crate::NodeNumbers::off_cpu`].
    pub off_cpu: OffCpu,
}

/// The rare numbers of the nodes that have any.
#[derive(Clone, Debug, Default)]
pub(super) struct Extras {
    /// By node: one plus its row, or zero. Shorter than the nodes if later ones have none.
    row_numbers: Vec<u32>,
    rows: Vec<NodeExtra>,
}

impl Extras {
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

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
