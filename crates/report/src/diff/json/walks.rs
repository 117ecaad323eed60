//! Who calls the methods whose stacks were walked on both sides.

use crate::diff::names::Names;
use jfathom_compare::{Caller, CallerDiff, Diff, WalkedSide, WalksDiff};
use jfathom_views::sampled_name;

/// None unless stacks of some method were walked on both sides.
pub(super) fn walked_methods(diff: &Diff, names: &Names) -> Option<Vec<WalkedMethods>> {
    let methods = diff.walks.iter().map(|of| WalkedMethods::of(of, names));
    (!diff.walks.is_empty()).then(|| methods.collect())
}

object! {
    WalkedMethods(of: &WalksDiff, names: &Names) {
        base: WalksOfSide = WalksOfSide::of(of.sides[0]),
        /// preorder, outward
        callers: Vec<ComparedCaller> =
            of.callers.iter().map(|row| ComparedCaller::of(of, row, names)).collect(),
        new: WalksOfSide = WalksOfSide::of(of.sides[1]),
        /// place in `methods`
        of: usize = of.method,
    }
}

object! {
    WalksOfSide(of: WalkedSide) {
        /// N of `stack/N`; 0 if runs differ
        interval: u32 = of.interval,
        /// with some caller unknown
        lost: u64 = of.lost,
        /// with known callers, over all runs
        walks: u64 = of.walks,
    }
}

object! {
    ComparedCaller(of: &WalksDiff, row: &CallerDiff, names: &Names) {
        /// estimated calls per run; null if intervals differ, or runs lack walks
        base_calls: Option<f64> = of.calls(row).map(|calls| calls[0]),
        /// this way, over all runs
        base_walks: u64 = row.walks[0],
        /// calls known to differ
        changed: bool = of.is_changed(row),
        /// calls to the method, from 1
        depth: u32 = row.depth,
        /// every call walked, in equal numbers in a side's runs
        exact: bool = row.is_exact,
        /// class and name
        name: String = match &row.caller {
            Caller::Method(place) => names.on(1, *place).to_owned(),
            Caller::Named(name) => sampled_name(name),
        },
        new_calls: Option<f64> = of.calls(row).map(|calls| calls[1]),
        new_walks: u64 = row.walks[1],
        /// place in `methods`, of the first indistinct overload; null if in neither table
        of: Option<usize> = match row.caller {
            Caller::Method(place) => Some(place),
            Caller::Named(_) => None,
        },
        /// adjusted for all callers; lost walks count against it. Null if every call was walked,
        /// calls are unknown, or the method's calls vary
        p_value: Option<f64> = row.p_value,
    }
}
