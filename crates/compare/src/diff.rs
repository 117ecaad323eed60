//! The difference of two profiles of one program: per method, per root, and per context.
//!
//! Methods are matched across builds ([`match_methods`]). Contexts are call paths of matched
//! methods over all threads. Calls that are equal in all runs of a side are compared exactly. Calls
//! that vary between runs are marked, and their difference shows nothing. Times are means over the
//! runs of a side. Their differences have an interval and a p-value if both sides have two runs or
//! more.

mod aligned;
mod column_diff;
mod delay;
mod differences;
mod event_contexts;
mod events;
mod merged_callers;
mod merged_contexts;
mod number;
mod side;
mod side_columns;
mod significance;
mod walks;

use jfathom_profile::{Method, MethodIx, Mode, Profile};
use jfathom_statistics::{Moments, min_p_value, rank_test};

use crate::{Matching, MethodMatch, match_methods};

pub use column_diff::{ColumnDiff, ColumnRuns, DiffColumn};
pub(crate) use differences::growth;
pub use differences::{ContextDiff, ContextFrame, Diff, MethodDiff, RootDiff, RootKind};
pub use events::{EventDiff, EventsDiff, MeanEvents, by_kind as events_by_kind};
use merged_contexts::MergedContexts;
pub use number::{Calls, CallsChange, TimeDiff};
use side::SideRuns;
pub use side::TimeKind;
use side_columns::MethodColumn;
pub use significance::FALSE_DISCOVERY_RATE;
use significance::adjust_all;
pub use walks::{Caller, CallerDiff, WalkedSide, WalksDiff};

/// Compares two profiles.
pub fn diff(base: &Profile, new: &Profile) -> Diff {
    let matching = match_methods(&base.methods, &new.methods);
    let mut methods = table(base, new, &matching);
    let union = MergedContexts::new([base, new], &methods);
    let times = TimeKind::of_both(base, new);
    let without_delay = [base, new].into_iter().all(delay::is_observed);
    let places: Vec<_> = methods.iter().map(|method| [method.base, method.new]).collect();
    let aligned = aligned::aligned([base, new], &places);
    let columns = DiffColumn::all([base, new]);
    let sides = [base, new];
    let sides = [0, 1].map(|side: usize| {
        let of_columns = (&columns[..], &*aligned[side]);
        SideRuns::new(sides[side], &union, side, times, without_delay, of_columns)
    });
    let roots = roots(&sides, &methods, [base, new]);
    let tests = methods.iter().filter(|method| method.pair.is_some()).count();
    for method in &mut methods {
        if method.is_sign {
            method.columns = vec![Default::default(); columns.len()];
            continue;
        }
        let of =
            |side: usize, at: Option<MethodIx>| at.map(|at| &sides[side].methods[at.0 as usize]);
        let (one, other) = (of(0, method.base), of(1, method.new));
        method.calls = CallsChange::of(
            one.map(|runs| Calls::of(&runs.calls)),
            other.map(|runs| Calls::of(&runs.calls)),
        );
        method.timed = [one, other].map(|runs| runs.map(|runs| Calls::of(&runs.timed).mean));
        method.self_time =
            series(one.map(|runs| &*runs.self_nanos), other.map(|runs| &*runs.self_nanos), tests);
        method.total_time =
            series(one.map(|runs| &*runs.total_nanos), other.map(|runs| &*runs.total_nanos), tests);
        let column = |at: usize| {
            let of = |side: usize, method: Option<MethodIx>| {
                sides[side].columns.0[at].as_ref()?.methods.get(method?.0 as usize)
            };
            let of = [of(0, method.base), of(1, method.new)];
            let difference = |which: fn(&MethodColumn) -> &ColumnRuns| {
                let runs = of.map(|of| of.map(which));
                let [base, new] = runs.map(|of| of.map(|of| &of.numbers[..]));
                ColumnDiff::of(runs.map(|of| of?.mean()), series(base, new, tests))
            };
            [difference(|of| &of.own), difference(|of| &of.total)]
        };
        method.columns = (0..columns.len()).map(column).collect();
        let sides = [one, other];
        method.self_nanos = sides.map(|runs| runs.map_or(Vec::new(), |of| of.self_nanos.clone()));
        method.total_nanos = sides.map(|runs| runs.map_or(Vec::new(), |of| of.total_nanos.clone()));
    }
    adjust_all(&mut methods, |method| {
        let times = [&mut method.self_time.p_value, &mut method.total_time.p_value];
        let columns = method.columns.iter_mut().flatten().map(|of| &mut of.p_value);
        times.into_iter().chain(columns).collect()
    });
    let changed_nanos = [0, 1].map(|side: usize| {
        let changed = methods.iter().filter(|method| method.is_changed());
        let of_side = changed.filter_map(|method| [method.base, method.new][side]);
        sides[side].self_nanos_of(of_side)
    });
    let mut contexts = union.contexts(&sides);
    let events = event_contexts::add_events([base, new], &union, &mut contexts);
    for (place, of_method) in event_contexts::by_method(&contexts) {
        methods[place].events = of_method;
    }
    let walks = merged_callers::walks([base, new], &methods);
    let total_nanos = [0, 1].map(|side| sides[side].total.mean());
    Diff {
        runs: [base.run_count(), new.run_count()],
        total_nanos,
        times,
        without_delay,
        changed_nanos,
        columns,
        matching,
        methods,
        roots,
        contexts,
        events,
        walks,
    }
}

/// The methods of both sides without their numbers.
fn table(base: &Profile, new: &Profile, matching: &Matching) -> Vec<MethodDiff> {
    let entry =
        |base: Option<MethodIx>, new: Option<MethodIx>, pair: Option<MethodMatch>| MethodDiff {
            base,
            new,
            pair,
            is_sign: false,
            calls: CallsChange::default(),
            timed: [None; 2],
            modes_differ: false,
            self_time: TimeDiff::default(),
            total_time: TimeDiff::default(),
            self_nanos: Default::default(),
            total_nanos: Default::default(),
            columns: Vec::new(),
            events: Vec::new(),
        };
    let counted = |method: &Method| method.mode != Mode::Time || method.counted > 0;
    let mut methods = Vec::with_capacity(
        matching.pairs.len() + matching.only_base.len() + matching.only_new.len(),
    );
    for pair in &matching.pairs {
        let modes_differ = counted(base.method(pair.base)) != counted(new.method(pair.new));
        let entry = entry(Some(pair.base), Some(pair.new), Some(*pair));
        methods.push(MethodDiff { modes_differ, ..entry });
    }
    methods.extend(matching.only_base.iter().map(|at| entry(Some(*at), None, None)));
    methods.extend(matching.only_new.iter().map(|at| entry(None, Some(*at), None)));
    methods.extend(
        matching
            .signs
            .iter()
            .map(|[base, new]| MethodDiff { is_sign: true, ..entry(*base, *new, None) }),
    );
    methods
}

/// The roots of both sides, the largest first.
fn roots(sides: &[SideRuns; 2], methods: &[MethodDiff], profiles: [&Profile; 2]) -> Vec<RootDiff> {
    let is_root = |method: &MethodDiff| {
        let flag = |profile: &Profile, at: Option<MethodIx>| {
            at.is_some_and(|at| profile.method(at).info.root)
        };
        flag(profiles[0], method.base) || flag(profiles[1], method.new)
    };
    let chosen = methods.iter().any(is_root);
    let mut roots = Vec::new();
    for (place, method) in methods.iter().enumerate() {
        for kind in [RootKind::Method, RootKind::Task] {
            let nanos = [method.base, method.new];
            let nanos = [0, 1].map(|side: usize| {
                let Some(at) = nanos[side] else { return Vec::new() };
                let of = &sides[side].methods[at.0 as usize];
                match kind {
                    RootKind::Task => of.task_nanos.clone(),
                    RootKind::Method if chosen && is_root(method) => of.total_nanos.clone(),
                    RootKind::Method if !chosen => of.bottom_nanos.clone(),
                    RootKind::Method => Vec::new(),
                }
            });
            if nanos.iter().flatten().any(|nanos| *nanos != 0.0) {
                let which: fn(&MethodColumn) -> &ColumnRuns = match kind {
                    RootKind::Task => |of| &of.task,
                    RootKind::Method if chosen => |of| &of.total,
                    RootKind::Method => |of| &of.bottom,
                };
                let columns = columns_of(sides, [method.base, method.new], which);
                roots.push(RootDiff { kind, method: place, nanos, share: 0.0, columns });
            }
        }
    }
    let mean = |root: &RootDiff, side: usize| Moments::from_values(&root.nanos[side]).mean();
    let all = [0, 1].map(|side| roots.iter().map(|root| mean(root, side).max(0.0)).sum::<f64>());
    for root in &mut roots {
        let share =
            |side: usize| if all[side] > 0.0 { mean(root, side).max(0.0) / all[side] } else { 0.0 };
        root.share = share(0).max(share(1));
    }
    roots.sort_by(|a, b| b.share.total_cmp(&a.share));
    roots
}

/// The columns of a method on both sides.
fn columns_of(
    sides: &[SideRuns; 2],
    method: [Option<MethodIx>; 2],
    which: impl Fn(&MethodColumn) -> &ColumnRuns,
) -> Vec<[ColumnRuns; 2]> {
    let of = |side: usize, at: usize| {
        let column = sides[side].columns.0[at].as_ref()?;
        column.methods.get(method[side]?.0 as usize).map(&which).cloned()
    };
    let both = |at: usize| [0, 1].map(|side: usize| of(side, at).unwrap_or_default());
    (0..sides[0].columns.0.len()).map(both).collect()
}

/// The difference of two run series. The rank test is used only if its smallest p-value can be
/// significant among so many tests.
fn series(base: Option<&[f64]>, new: Option<&[f64]>, tests: usize) -> TimeDiff {
    let moments = |series: Option<&[f64]>| series.map(Moments::from_values);
    let mut found = TimeDiff::of(moments(base), moments(new));
    let (Some(base), Some(new)) = (base, new) else { return found };
    if base.len() > 1 && new.len() > 1 {
        let exact = 2.0 * min_p_value(base.len(), new.len()) * tests as f64 <= FALSE_DISCOVERY_RATE;
        if exact && let (Some(more), Some(less)) = (rank_test(base, new), rank_test(new, base)) {
            found.p_value = Some((2.0 * more.min(less)).min(1.0));
        }
    }
    found
}
