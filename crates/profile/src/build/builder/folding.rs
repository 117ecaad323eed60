//! What a builder knows of the bound on its tree's memory.

use serde::{Deserialize, Serialize};

use crate::{Metric, Tree};

/// What is known of the bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Folding {
    /// The bound in bytes; none for no bound.
    pub limit: Option<u64>,
    /// Bytes up to which nothing is folded, if more than the bound.
    pub raised: u64,
    /// Folds so far.
    pub folds: u64,
    /// The most bytes beyond the bound.
    pub most_beyond: u64,
}

impl Folding {
    /// What the next slice knows.
    pub fn emptied(self) -> Self {
        Self { limit: self.limit, ..Self::default() }
    }

    /// What a user must know of the bound; none if it never mattered.
    pub fn notice(self, tree: &Tree) -> Option<String> {
        let mebibytes = |bytes: u64| format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20));
        let limit = mebibytes(self.limit?);
        let summaries = tree.summary_nodes().count();
        let folded: u64 = tree.summary_nodes().map(|node| tree.number(Metric::Folded, node)).sum();
        if folded == 0 && self.most_beyond == 0 {
            return None;
        }
        let mut text = format!(
            "the tree was folded to stay within {limit} of memory: {folded} nodes with little time \
             are in {summaries} summary nodes, and calls and times by method are exact"
        );
        if self.most_beyond != 0 {
            let beyond = mebibytes(self.most_beyond);
            text += &format!("; open calls and latencies took up to {beyond} more");
        }
        Some(text)
    }

    /// Records that are consumed at once: what they can add is a small part of the bound.
    pub fn piece(self) -> usize {
        self.limit.map_or(usize::MAX, |limit| (limit / 2048).clamp(8, 4096) as usize)
    }
}
