//! What of a comparison is shown.

use jfathom_views::Sort;

/// What part of a difference is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct DiffView {
    /// Whether methods are shown.
    pub methods: bool,
    /// Whether the tree of differences is shown.
    pub tree: bool,
    /// Methods in the list, and lines of the tree.
    pub limit: usize,
    /// By what methods and contexts are sorted: the largest change first, whichever its direction.
    pub sort: Sort,
    /// Changes of time below this percentage of the base's whole time are left out.
    pub threshold: f64,
    /// Columns of the terminal; names are not shortened where none is given.
    pub width: Option<usize>,
}

impl Default for DiffView {
    fn default() -> Self {
        Self {
            methods: true,
            tree: true,
            limit: 40,
            sort: Sort::SelfTime,
            threshold: 1.0,
            width: None,
        }
    }
}
