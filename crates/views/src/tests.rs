//! Views of drawn trees, against sums that are computed from each call path alone.

use crate::{Edges, Filter, FilterKind, Scope, Shown, Sort, ThreadTrees, backtraces};
use jfathom_compare::Column;
use jfathom_compare::MethodSet;
use jfathom_plan::Selector;
use jfathom_profile::{AllocationSource, Bytes, Frame, MethodIx, NodeIx, Profile};
use jfathom_testkit::{between, profiles::one_thread, records::*, small_profile};

const RUN: MethodIx = MethodIx(0);
const DEEP: MethodIx = MethodIx(2);

fn filter(profile: &Profile, kind: FilterKind, selector: &str) -> Filter {
    let selector: Selector = selector.parse().unwrap();
    Filter { kind, methods: MethodSet::new(&profile.methods, &[selector]).unwrap() }
}

fn shown(profile: &Profile, filters: Vec<Filter>) -> Shown<'_> {
    Shown::new(profile, None, &Scope { filters, ..Scope::default() })
}

/// Time of all paths whose methods satisfy `keep`, from the self times alone.
fn self_of_paths(profile: &Profile, keep: impl Fn(&[Frame]) -> bool) -> f64 {
    let tree = &profile.tree;
    let mut path = Vec::new();
    let mut sum = 0.0;
    for node in tree.nodes() {
        path.truncate(tree.depth(node) as usize);
        path.push(tree.frame(node));
        if keep(&path) {
            sum += tree.self_time(node).0 as f64;
        }
    }
    sum
}

#[test]
fn focus_keeps_the_paths_through_a_method() {
    let profile = small_profile::profile();
    let focused = shown(&profile, vec![filter(&profile, FilterKind::Focus, "**::step(J)V")]);
    let expected = self_of_paths(&profile, |path| path.contains(&Frame::Method(DEEP)));
    assert!(expected > 0.0);
    assert_eq!(focused.whole, expected);
    let run = focused.all_nodes().find(|node| focused.tree.frame(*node) == Frame::Method(RUN));
    let run = run.unwrap();
    assert_eq!((focused.self_time(run), focused.tree.calls(run)), (0.0, 1));
}

#[test]
fn ignoring_and_focusing_are_complements() {
    let profile = small_profile::profile();
    let whole = shown(&profile, Vec::new()).whole;
    let with = |kind| shown(&profile, vec![filter(&profile, kind, "**::step(J)V")]).whole;
    assert_eq!(with(FilterKind::Focus) + with(FilterKind::Ignore), whole);
}

#[test]
fn folding_keeps_the_time_and_hides_the_callees() {
    let profile = small_profile::profile();
    let whole = shown(&profile, Vec::new());
    let folded = shown(&profile, vec![filter(&profile, FilterKind::Fold, "**::run")]);
    assert_eq!(folded.whole, whole.whole);
    let run = NodeIx(1);
    assert_eq!(folded.tree.frame(run), Frame::Method(RUN));
    assert_eq!(folded.tree.subtree(run).len(), 1);
    assert_eq!(folded.self_time(run), whole.total(run));
}

#[test]
fn filtered_corrected_times_add_up() {
    let profile = small_profile::calibrated();
    let corrected = jfathom_calibration::correct_times(&profile).unwrap();
    for kind in [FilterKind::Focus, FilterKind::Ignore, FilterKind::Fold] {
        let filters = vec![filter(&profile, kind, "**::step(J)V")];
        let shown = Shown::new(&profile, Some(&corrected), &Scope { filters, ..Scope::default() });
        for node in shown.all_nodes() {
            let below: f64 = shown.tree.children(node).map(|child| shown.total(child)).sum();
            assert!((shown.total(node) - shown.self_time(node) - below).abs() < 1e-6);
        }
    }
}

#[test]
fn a_selector_that_matches_nothing_is_an_error() {
    let profile = small_profile::profile();
    let selector: Selector = "x.Y::z".parse().unwrap();
    assert!(MethodSet::new(&profile.methods, &[selector]).is_err());
}

/// gprof's invariants, for each method.
fn check_stanzas(shown: &Shown) {
    let edges = Edges::of(shown);
    let hot = shown.hot_methods(Sort::SelfTime);
    assert!(!hot.is_empty());
    for hot in hot {
        let stanza = edges.stanza(hot.method);
        let own = shown.nanos(hot.self_time());
        let below = shown.nanos(hot.total_time()) - own;
        assert_eq!(stanza.sum.calls, hot.calls());
        assert!((stanza.sum.of_callee.self_nanos - own).abs() < 1e-6);
        assert!((stanza.sum.of_callee.total_nanos - below).abs() < 1e-6, "{stanza:?} {below}");
        let callees: f64 = stanza.callees.iter().map(|(_, edge)| edge.in_caller.total_nanos).sum();
        assert!((callees - below).abs() < 1e-6, "{stanza:?} {below}");
    }
}

#[test]
fn stanzas_hold_gprofs_invariants_with_recursion() {
    let profile = small_profile::profile();
    check_stanzas(&shown(&profile, Vec::new()));
    let merged = Scope { threads: ThreadTrees::Merged, ..Scope::default() };
    check_stanzas(&Shown::new(&profile, None, &merged));
    for seed in 0..40 {
        let profile = small_profile::drawn(seed);
        check_stanzas(&shown(&profile, Vec::new()));
    }
}

#[test]
fn back_traces_add_up_to_the_method() {
    for seed in 0..10 {
        let profile = small_profile::drawn(seed);
        let shown = shown(&profile, Vec::new());
        for hot in shown.hot_methods(Sort::SelfTime) {
            let rows = backtraces(&shown, hot.method);
            let at_depth = |depth| rows.iter().filter(move |row| row.depth == depth);
            assert_eq!(at_depth(0).count(), 1);
            assert_eq!(rows[0].calls, hot.calls());
            assert_eq!(at_depth(1).map(|row| row.calls).sum::<u64>(), hot.calls());
            assert!((rows[0].times.total_nanos - shown.nanos(hot.total_time())).abs() < 1e-6);
        }
    }
}

#[test]
fn threads_of_a_pool_are_one_tree() {
    let mut profile = small_profile::profile();
    for (at, thread) in profile.threads.iter_mut().enumerate() {
        thread.name = format!("worker-{at}");
    }
    let pools = Scope { threads: ThreadTrees::Pools, ..Scope::default() };
    let pooled = Shown::new(&profile, None, &pools);
    assert_eq!(pooled.roots.len(), 1);
    assert_eq!(pooled.frame_name(pooled.tree.frame(pooled.roots[0])), "2 threads worker-*");
    assert_eq!(pooled.whole, shown(&profile, Vec::new()).whole);
    let calls = |shown: &Shown| {
        shown.hot_methods(Sort::SelfTime).iter().map(|hot| hot.calls()).sum::<u64>()
    };
    assert_eq!(calls(&pooled), calls(&shown(&profile, Vec::new())));
    let other_jvm = {
        let mut profile = profile.clone();
        profile.threads[1].jvm = 1;
        profile
    };
    assert_eq!(Shown::new(&other_jvm, None, &pools).roots.len(), 2);
}

/// Two threads that stand alone, one between and one behind those of a pool.
fn with_pool() -> Profile {
    let drawn = (0..4).map(small_profile::drawn);
    let mut profile = jfathom_compare::merge(drawn.collect()).unwrap();
    profile.meta.jvms.truncate(1);
    let names = ["worker-1", "main", "worker-2", "timer"];
    for (thread, name) in profile.threads.iter_mut().zip(names) {
        (thread.name, thread.jvm) = (name.to_owned(), 0);
    }
    profile
}

#[test]
fn a_pool_is_in_the_place_of_its_first_thread() {
    let profile = with_pool();
    let pools = Scope { threads: ThreadTrees::Pools, ..Scope::default() };
    let pooled = Shown::new(&profile, None, &pools);
    let name = |root: &NodeIx| pooled.frame_name(pooled.tree.frame(*root));
    let names: Vec<String> = pooled.roots.iter().map(name).collect();
    assert_eq!(names, ["2 threads worker-*", "thread main #1", "thread timer #1"]);
    // A filter that keeps all copies the tree: what is shown is the same.
    let all = Filter { kind: FilterKind::Ignore, methods: MethodSet::default() };
    let copied = Shown::new(&profile, None, &Scope { filters: vec![all], ..pools });
    let row = |shown: &Shown, node: NodeIx| {
        let tree = &shown.tree;
        let children: Vec<Frame> = tree.children(node).map(|child| tree.frame(child)).collect();
        let len = tree.subtree(node).len();
        (tree.frame(node), tree.depth(node), tree.calls(node), len, shown.total(node), children)
    };
    let rows = |shown: &Shown| -> Vec<_> { shown.all_nodes().map(|at| row(shown, at)).collect() };
    assert_eq!(rows(&pooled), rows(&copied));
    assert_eq!(pooled.hot_methods(Sort::Calls), copied.hot_methods(Sort::Calls));
    assert_eq!(pooled.whole, copied.whole);
    for hot in pooled.hot_methods(Sort::Calls) {
        assert_eq!(backtraces(&pooled, hot.method), backtraces(&copied, hot.method));
    }
    check_stanzas(&pooled);
}

/// Of a root, a method that has not read, and one below it that has.
fn partly_read() -> Profile {
    let records = [
        [e(0, 10), alloc(1), e(1, 20), alloc(20), e(2, 30)],
        [alloc(300), r(2, 40), alloc(4), r(1, 50), r(0, 60)],
    ];
    let mut profile = one_thread(&records.concat());
    profile.allocation.source = AllocationSource::Fields;
    profile.set_alloc_reading(|method| method.info.key.name == "m2");
    profile
}

#[test]
fn bytes_that_were_not_read_are_not_known() {
    let profile = partly_read();
    let whole = shown(&profile, Vec::new());
    let all: Vec<_> = whole.all_nodes().map(|node| whole.bytes(node)).collect();
    let known = |own, total| Some([Bytes(own), Bytes(total)]);
    assert_eq!(all, [known(0, 325), known(25, 325), None, known(300, 300)]);
    let hot = whole.hot_methods(Sort::Column(Column::of_key("alloc").unwrap()));
    let names: Vec<_> = hot.iter().map(|of| (of.method.0, whole.method_bytes(of))).collect();
    assert_eq!(names, [(2, known(300, 300)), (0, known(25, 325)), (1, None)]);
}

#[test]
fn bytes_of_counted_calls_are_not_known() {
    let records = [
        [e(0, 10), alloc(1), counted(1, 2), e(2, 20), alloc(20)],
        [r(2, 30), counted(2, 1), alloc(4), e(3, 40), counted(2, 1)],
        [r(3, 50), r(0, 60), e(0, 70), r(0, 80), e(0, 90)],
    ];
    let mut profile = one_thread(&records.concat());
    profile.allocation.source = AllocationSource::Fields;
    let whole = shown(&profile, Vec::new());
    let known = |own, total| Some([Bytes(own), Bytes(total)]);
    let all: Vec<_> = whole.all_nodes().map(|node| whole.bytes(node)).collect();
    // The thread; 0 and below it 1, 2, 3 and the counted calls of 2 in that.
    assert_eq!(all.iter().filter(|bytes| bytes.is_none()).count(), 2, "{all:?}");
    assert!(all.contains(&known(20, 20)) && all.contains(&known(0, 0)), "{all:?}");
    let hot = whole.hot_methods(Sort::Calls);
    let unknown = hot.iter().filter(|of| whole.method_bytes(of).is_none());
    assert_eq!(unknown.map(|of| of.method.0).collect::<Vec<_>>(), [1]);
    let focused = shown(&profile, vec![filter(&profile, FilterKind::Focus, "p.C::m1")]);
    assert!(focused.all_nodes().all(|node| focused.bytes(node).is_none()), "also its callers");
}

/// The bytes of the method in focus are its caller's own, which is out of focus.
#[test]
fn a_focus_leaves_nothing_known_of_callers() {
    let profile = partly_read();
    let focused = shown(&profile, vec![filter(&profile, FilterKind::Focus, "p.C::m1")]);
    let all: Vec<_> = focused.all_nodes().map(|node| focused.bytes(node)).collect();
    assert_eq!(all, [None, None, None, Some([Bytes(300); 2])]);
    assert!(focused.lacks_bytes_of_callers());
    let of_root = focused.hot_methods(Sort::Calls).into_iter().find(|of| of.method.0 == 0);
    assert_eq!(focused.method_bytes(&of_root.unwrap()), None);
    let mut whole = partly_read();
    whole.methods.iter_mut().for_each(|method| method.is_unread = false);
    let focused = shown(&whole, vec![filter(&whole, FilterKind::Focus, "p.C::m1")]);
    assert!(focused.all_nodes().all(|node| focused.bytes(node).is_some()));
}

/// `⋯` is a caller and a callee, and has no row of its own among the methods.
#[test]
fn what_lies_between_is_on_call_paths_alone() {
    let profile = between::profile(2);
    let shown = shown(&profile, Vec::new());
    let place = |name: &str| {
        let found = profile.methods.iter().position(|method| method.info.key.name == name);
        MethodIx(found.unwrap() as u32)
    };
    let name = |frame| shown.frame_name(frame);
    let edges = Edges::of(&shown);
    let stanza = edges.stanza(place("query"));
    let callers: Vec<_> =
        stanza.callers.iter().map(|(of, edge)| (of.map(name), edge.calls)).collect();
    assert_eq!(callers, [(Some("⋯".to_owned()), 2)]);
    let stanza = edges.stanza(place("run"));
    let sign = stanza.callees.iter().find(|(of, _)| name(*of) == "⋯").unwrap().1;
    assert_eq!((sign.calls, sign.in_caller.total_nanos), (0, 5e6));
    assert_eq!(sign.of_callee.self_nanos, 0.0);
    let rows = backtraces(&shown, place("check"));
    let rows: Vec<_> = rows.iter().map(|row| (row.depth, name(row.frame), row.calls)).collect();
    let names = ["com.acme.Shop::check", "⋯", "com.acme.Shop::run", "thread main #1"];
    let expected: Vec<_> =
        (0..).zip(names).map(|(depth, name)| (depth, name.to_owned(), 5)).collect();
    assert_eq!(rows, expected);
    for sort in [Sort::SelfTime, Sort::TotalTime, Sort::Calls] {
        let hot = shown.hot_methods(sort);
        assert_eq!(hot.len(), 5, "{sort:?}");
        assert!(hot.iter().all(|of| !profile.method(of.method).info.is_between()));
    }
}

/// Slow calls have the tree's paths, so they differ from the others by their times alone.
#[test]
fn what_lies_between_slow_calls_is_no_call() {
    let profile = between::profile(2);
    let all = crate::slowest(&profile, None);
    let names = crate::Names::of(&profile.methods);
    let of = |path: &str| {
        let is_it = |of: &&crate::SlowestCalls| names.path(&profile, of.path).join(" › ") == path;
        all.iter().find(is_it).unwrap_or_else(|| panic!("{path}"))
    };
    let run = of("com.acme.Shop::run");
    let [call] = &run.kept[..] else { panic!("{run:?}") };
    // Two timed calls and ten counted ones.
    assert_eq!((call.calls_below(), call.activation.spans.len()), (12, 5));
    let found = run.differences(&profile, None, 10);
    assert_eq!((found.calls, found.longer_nanos, found.first.len()), (1, 0.0, 2));
    let paths: Vec<_> = found.first.iter().map(|of| names.difference(&profile, of)).collect();
    assert!(paths.contains(&vec!["⋯".to_owned(), "com.acme.Shop::query".to_owned()]), "{paths:?}");
    assert!(found.first.iter().all(|of| of.slow_calls == of.all_calls), "{found:?}");
    let query = of("com.acme.Shop::run › ⋯ › com.acme.Shop::query");
    assert_eq!(query.kept.iter().map(|call| call.nanos).collect::<Vec<_>>(), [3e6, 2e6]);
    assert_eq!(query.differences(&profile, None, 10).calls, 2);
}
