//! What part of a profile is shown, and how wide.

use jfathom_calibration::CorrectedTimes;
use jfathom_compare::MethodSet;
use jfathom_profile::{MethodIx, Profile};
use jfathom_views::{Limits, Pruned, Scope, Shown, Sort};

/// What part of a profile is shown.
#[derive(Clone, Debug)]
pub struct View {
    /// Which threads and call paths.
    pub scope: Scope,
    /// The methods whose callers and callees are shown; the hottest ones if none is given.
    pub of: Option<MethodSet>,
    /// Only latencies of call paths that begin with these methods; all where none is given.
    pub latency_of: Option<MethodSet>,
    /// Levels of the tree below the threads; all where none is given.
    pub depth: Option<u32>,
    /// Nodes with less than this percentage of the whole time are left
    /// out with all below them, unless one of those has more. For nodes whose calls were only
    /// counted it is the percentage of all calls.
    pub threshold: f64,
    /// Whether call paths without a fork are one line of a text tree.
    pub fold_chains: bool,
    /// Whether signs and columns are explained once, after all sections, and not below each table.
    pub has_legend_at_end: bool,
    /// Methods or threads in a list.
    pub limit: usize,
    /// By what hot methods are sorted.
    pub sort: Sort,
    /// Columns of the terminal; names are not shortened where none is given.
    pub width: Option<usize>,
}

impl Default for View {
    fn default() -> Self {
        Self {
            scope: Scope::default(),
            of: None,
            latency_of: None,
            depth: None,
            threshold: 1.0,
            fold_chains: false,
            has_legend_at_end: false,
            limit: 20,
            sort: Sort::SelfTime,
            width: None,
        }
    }
}

impl View {
    /// The methods whose callers and callees are shown, the hottest first.
    pub(crate) fn methods(&self, shown: &Pruned) -> Vec<MethodIx> {
        let mut methods: Vec<MethodIx> =
            shown.hot_methods(self.sort).into_iter().map(|hot| hot.method).collect();
        methods.retain(|method| self.of.as_ref().is_none_or(|of| of.contains(*method)));
        methods.truncate(self.limit);
        methods
    }

    /// The part of a profile that is shown.
    pub(crate) fn of<'a>(
        &self,
        profile: &'a Profile,
        corrected: Option<&'a CorrectedTimes>,
    ) -> Pruned<'a> {
        let limits = Limits { depth: self.depth, threshold: self.threshold };
        Pruned::new(Shown::new(profile, corrected, &self.scope), limits)
    }
}
