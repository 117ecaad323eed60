//! What of a comparison is shown.

/// What part of a difference is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct DiffView {
    /// Whether methods are shown.
    pub methods: bool,
    /// Whether the tree of differences is shown.
    pub tree: bool,
    /// Methods in the list, and lines of the tree.
    pub limit: usize,
    /// By what methods and contexts are sorted.
    pub sort: DiffSort,
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
            sort: DiffSort::SelfTime,
            threshold: 1.0,
            width: None,
        }
    }
}

/// By what changes are sorted, the largest first, whichever its direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DiffSort {
    /// Change of the time in the method itself.
    #[default]
    SelfTime,
    /// Change of the time in the method and all that it calls.
    TotalTime,
    /// Change of the calls.
    Calls,
    /// Change of the bytes that the method itself allocates.
    Allocated,
    /// Change of the running time in the method itself.
    Running,
}
