//! Callers by walked stacks.

use jfathom_profile::Profile;
use jfathom_views::{WalkedCallers, walked_callers};

object! {
    StackWalks(profile: &Profile) {
        /// without outermost frames, no room
        cut: u64 = profile.stack_walks.cut,
        /// most walks first
        methods: Vec<WalkedMethod> =
            walked_callers(profile).into_iter().map(WalkedMethod::of).collect(),
    }
}

object! {
    WalkedMethod(of: WalkedCallers) {
        /// one per N calls of a JVM
        due: u64 = of.method.due,
        /// N; 0: recordings differ
        interval: u32 = of.method.interval,
        /// place in `methods`
        method: u32 = of.method.method.0,
        /// due, not made or kept
        missing: u64 = of.missing(),
        /// of `walks`, without outermost frames
        truncated: u64 = of.method.truncated,
        /// no stack, or not with the method
        unknown: u64 = of.method.unknown,
        /// with known callers
        walks: u64 = of.walks,
        /// preorder, outward
        callers: Vec<WalkedCaller> = of.rows.into_iter().map(WalkedCaller::of).collect(),
    }
}

object! {
    WalkedCaller(row: jfathom_views::WalkedCaller) {
        /// from 1
        depth: u32 = row.depth,
        /// else without probes or outside roots
        recorded: bool = row.is_recorded(),
        /// class and name
        name: String = row.name,
        /// ending here
        outermost: u64 = row.outermost,
        /// this way
        walks: u64 = row.walks,
    }
}
