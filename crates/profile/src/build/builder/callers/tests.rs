use jfathom_plan::{CallTraits, MethodId};
use jfathom_trace::layout as l;
use jfathom_trace::record::Record;
use jfathom_trace::{Counter, ThreadInfo};

use crate::build::possible_calls::tests::Program;
use crate::{Builder, Context, Frame, MethodNames, Metric, Profile, TickRate};

const PLAIN: CallTraits = CallTraits(0);

fn id(id: u32) -> MethodId {
    MethodId::new(id).unwrap()
}

fn e(of: u32, time: u64) -> u64 {
    Record::Entry { id: id(of), time }.encode()
}

fn r(of: u32, time: u64) -> u64 {
    Record::Return { id: id(of), time }.encode()
}

fn counted(of: u32, calls: u64) -> u64 {
    Record::Counted { id: id(of), calls }.encode()
}

fn finish(builder: Builder, names: &MethodNames) -> Profile {
    let meta = Default::default();
    builder.finish(Context { meta, rate: TickRate::NANOS, names, virtual_calls: &[] })
}

fn builder(words: &[u64]) -> Builder {
    let mut builder = Builder::new();
    let info = ThreadInfo { sequence: 1, thread_id: 1, kernel_id: 0, name: String::new() };
    let thread = builder.thread(&info);
    builder.feed(thread, &[l::ESCAPE_THREAD_START | 1]);
    builder.feed(thread, words);
    builder
}

/// The paths of the tree with their timed and counted calls: `p ⋯ c 1 0`.
fn paths(profile: &Profile) -> Vec<String> {
    let tree = &profile.tree;
    let mut path: Vec<String> = Vec::new();
    let mut all = Vec::new();
    for node in tree.nodes().skip(1) {
        let Frame::Method(method) = tree.frame(node) else { continue };
        let info = &profile.method(method).info;
        path.truncate(tree.depth(node) as usize - 1);
        path.push(if info.is_between() { "⋯".to_owned() } else { info.key.name.clone() });
        let [timed, counted] = [tree.timed(node), tree.counted(node)];
        all.push(format!("{} {timed} {counted}", path.join(" ")));
    }
    all
}

/// `p` calls `k`, `k` calls `c`; `other` calls `c`, too.
struct Drawn {
    names: MethodNames,
    p: u32,
    k: u32,
    c: u32,
    other: u32,
    both: u32,
}

fn drawn() -> Drawn {
    let mut program = Program::default();
    program.class("A", None, &[]);
    let p = program.method("p", PLAIN, &["A.k", "A.other"]);
    let k = program.method("k", PLAIN, &["A.c"]);
    let c = program.method("c", PLAIN, &[]);
    let other = program.method("other", PLAIN, &["A.c"]);
    let both = program.method("both", PLAIN, &["A.k", "A.c"]);
    Drawn { names: program.names(), p, k, c, other, both }
}

#[test]
fn the_only_counted_method_that_leads_there_stands_between() {
    let Drawn { names, p, k, c, .. } = drawn();
    let words = [e(p, 10), counted(k, 7), e(c, 20), r(c, 30), r(p, 40)];
    let profile = finish(builder(&words), &names);
    assert_eq!(paths(&profile), ["p 1 0", "p k 0 7", "p k c 1 0"]);
    let tree = &profile.tree;
    let times: Vec<_> =
        tree.nodes().map(|node| (tree.self_time(node).0, tree.total_time(node).0)).collect();
    assert_eq!(times, [(0, 30), (20, 30), (0, 10), (10, 10)]);
    let nodes: Vec<_> = tree.nodes().collect();
    assert_eq!(tree.counted_callees(nodes[1]), 7);
}

#[test]
fn two_possibilities_have_no_name() {
    let Drawn { names, p, k, c, other, .. } = drawn();
    let words = [e(p, 10), counted(k, 7), counted(other, 2), e(c, 20), r(c, 30), r(p, 40)];
    let profile = finish(builder(&words), &names);
    assert_eq!(paths(&profile), ["p 1 0", "p k 0 7", "p other 0 2", "p ⋯ 0 0", "p ⋯ c 1 0"]);
    assert_eq!(profile.method_count(), 4);
    assert!(profile.has_between());
}

#[test]
fn an_entry_without_counted_calls_before_is_proof() {
    let Drawn { names, p, k, c, .. } = drawn();
    // No site allows it: it came through code that is not known.
    let clean = [e(p, 10), e(c, 20), r(c, 30), counted(k, 7), e(c, 40), r(c, 50), r(p, 60)];
    let profile = finish(builder(&clean), &names);
    assert_eq!(paths(&profile), ["p 1 0", "p c 2 0", "p k 0 7"]);
    // A record of the time's high bits between is none of a call.
    let high = Record::TimeHigh { high: 0 }.encode();
    let late = [e(p, 10), counted(k, 7), high, e(c, 20), r(c, 30), r(p, 60)];
    assert_eq!(paths(&finish(builder(&late), &names)), ["p 1 0", "p k 0 7", "p k c 1 0"]);
    // Counted before an exit, calls are the callee's.
    let exit = [e(p, 10), e(k, 15), counted(k, 7), r(k, 17), e(c, 20), r(c, 30), r(p, 60)];
    let profile = finish(builder(&exit), &names);
    assert!(paths(&profile).contains(&"p c 1 0".to_owned()), "{:?}", paths(&profile));
}

#[test]
fn a_counted_call_may_be_open_for_long() {
    let Drawn { names, p, k, c, other, .. } = drawn();
    let calls = |time| [e(c, time), r(c, time + 5)];
    let words = [&[e(p, 10), counted(k, 1)][..], &calls(20), &calls(30), &[r(p, 40)]].concat();
    assert_eq!(paths(&finish(builder(&words), &names)), ["p 1 0", "p k 0 1", "p k c 2 0"]);
    // Another call of the method begins anew; what its callee counts is not its own.
    let inner = [e(other, 62), counted(k, 1), r(other, 64)];
    let again = [&words[..], &[e(p, 60)], &inner, &calls(70), &[r(p, 80)]].concat();
    let profile = finish(builder(&again), &names);
    assert!(paths(&profile).contains(&"p c 3 0".to_owned()), "{:?}", paths(&profile));
}

#[test]
fn what_the_sites_allow_is_direct() {
    let Drawn { names, k, c, both, .. } = drawn();
    let words = [e(both, 10), counted(k, 7), e(c, 20), r(c, 30), r(both, 40)];
    assert_eq!(paths(&finish(builder(&words), &names)), ["both 1 0", "both c 1 0", "both k 0 7"]);
}

#[test]
fn counted_calls_of_more_than_one_caller_stand_below_the_sign() {
    let mut program = Program::default();
    program.class("A", None, &[]);
    let p = program.method("p", PLAIN, &["A.k", "A.leaf"]);
    let k = program.method("k", PLAIN, &["A.leaf"]);
    let leaf = program.method("leaf", PLAIN, &[]);
    let deep = program.method("deep", PLAIN, &["A.deeper"]);
    let deeper = program.method("deeper", PLAIN, &["A.deep"]);
    let names = program.names();
    let words = [e(p, 10), counted(k, 2), counted(leaf, 5), r(p, 40)];
    let profile = finish(builder(&words), &names);
    assert_eq!(paths(&profile), ["p 1 0", "p k 0 2", "p ⋯ 0 0", "p ⋯ leaf 0 5"]);
    let nodes: Vec<_> = profile.tree.nodes().collect();
    assert_eq!(profile.tree.counted_callees(nodes[1]), 7);
    let words = [e(p, 10), counted(leaf, 5), r(p, 40)];
    assert_eq!(paths(&finish(builder(&words), &names)), ["p 1 0", "p leaf 0 5"]);
    // A circle that nobody seen leads into.
    let words = [e(p, 10), counted(deep, 1), counted(deeper, 1), r(p, 40)];
    let circle = ["p 1 0", "p ⋯ 0 0", "p ⋯ deep 0 1", "p ⋯ deeper 0 1"];
    assert_eq!(paths(&finish(builder(&words), &names)), circle);
}

#[test]
fn recursion_is_more_than_one_possibility() {
    let mut program = Program::default();
    program.class("A", None, &[]);
    let p = program.method("p", PLAIN, &["A.k"]);
    let k = program.method("k", PLAIN, &["A.k", "A.c"]);
    let c = program.method("c", PLAIN, &["A.c"]);
    let names = program.names();
    let words = [e(p, 10), counted(k, 7), e(c, 20), e(c, 22), r(c, 24), r(c, 30), r(p, 40)];
    let profile = finish(builder(&words), &names);
    assert_eq!(paths(&profile), ["p 1 0", "p ⋯ 0 0", "p ⋯ c 1 0", "p ⋯ c c 1 0", "p ⋯ k 0 7"]);
}

#[test]
fn calls_that_were_timed_before_are_one_with_those_below_counted_ones() {
    let Drawn { names, p, k, c, .. } = drawn();
    let timed = [e(p, 10), e(k, 12), e(c, 14), r(c, 20), r(k, 22)];
    let later = [counted(k, 7), e(c, 30), r(c, 40), r(p, 50)];
    let profile = finish(builder(&[&timed[..], &later].concat()), &names);
    assert_eq!(paths(&profile), ["p 1 0", "p k 1 7", "p k c 2 0"]);
    let of_c = profile.tree.nodes().last().unwrap();
    assert_eq!((profile.tree.self_time(of_c).0, profile.tree.longest(of_c).0), (16, 10));
    // The same with the call open at the end.
    let open = finish(builder(&[e(p, 10), counted(k, 7), e(c, 20)]), &names);
    assert_eq!(paths(&open), ["p 1 0", "p k 0 7", "p k c 1 0"]);
    let open_calls: Vec<_> = open.methods.iter().map(|method| method.open).collect();
    assert_eq!(open_calls, [1, 0, 1]);
    let profile = finish(builder(&[&timed[..], &later[..2]].concat()), &names);
    assert_eq!(paths(&profile), ["p 1 0", "p k 1 7", "p k c 2 0"]);
    assert_eq!(profile.methods.iter().map(|method| method.open).sum::<u64>(), 2);
}

#[test]
fn counters_left_at_the_end_are_placed_like_records() {
    let Drawn { names, p, k, c, .. } = drawn();
    let mut builder = Builder::new();
    let info = ThreadInfo { sequence: 1, thread_id: 1, kernel_id: 0, name: String::new() };
    let thread = builder.thread(&info);
    builder.feed(thread, &[l::ESCAPE_THREAD_START | 1, e(p, 10), e(c, 20), r(c, 30)]);
    builder.add_counters(thread, &[(id(k), Counter::new(3, 0))]);
    assert_eq!(paths(&finish(builder, &names)), ["p 1 0", "p c 1 0", "p k 0 3"]);
}

#[test]
fn after_a_gap_nothing_below_is_proven() {
    let Drawn { names, p, k, c, .. } = drawn();
    let mut builder = Builder::new();
    let info = ThreadInfo { sequence: 1, thread_id: 1, kernel_id: 0, name: String::new() };
    let thread = builder.thread(&info);
    builder.feed(thread, &[l::ESCAPE_THREAD_START | 1, e(p, 10)]);
    builder.gap(thread, 5);
    builder.feed(thread, &[e(c, 20), e(k, 21), r(k, 22), r(c, 30), e(c, 40), r(c, 50), r(p, 60)]);
    let found = paths(&finish(builder, &names));
    // What lies above the calls from before the gap is known whole.
    assert_eq!(found, ["p 1 0", "p ⋯ 0 0", "p ⋯ c 2 0", "p ⋯ c k 1 0"]);
}

#[test]
fn without_facts_nothing_is_judged() {
    let words = [e(1, 10), counted(2, 7), e(3, 20), r(3, 30), r(1, 40)];
    let profile = finish(builder(&words), &MethodNames::default());
    assert_eq!(profile.tree.nodes().map(|node| profile.tree.depth(node)).max(), Some(2));
    assert!(!profile.has_between());
}

#[test]
fn a_checkpoint_keeps_what_is_proven() {
    let Drawn { names, p, k, c, .. } = drawn();
    let first = builder(&[e(p, 10), e(c, 20), r(c, 30), counted(k, 1)]);
    let mut bytes = Vec::new();
    first.checkpoint(Vec::new()).write(&mut bytes).unwrap();
    let mut read = crate::Checkpoint::read(&mut bytes.as_slice()).unwrap().builder;
    assert_eq!(paths(&finish(read.clone(), &names)), ["p 1 0", "p c 1 0", "p k 0 1"]);
    let thread = read.unended().next().unwrap().1;
    read.feed(thread, &[e(c, 40), r(c, 50), r(p, 60)]);
    assert_eq!(paths(&finish(read, &names)), ["p 1 0", "p c 2 0", "p k 0 1"]);
}

fn unflushed(word: u64) -> u64 {
    word | l::UNFLUSHED
}

/// `p` calls `t` and `c`, `t` calls `c` and `d`. Calls of `t` are timed, and mostly unflushed.
#[test]
fn counted_calls_may_be_those_of_unflushed_ones() {
    let mut program = Program::default();
    program.class("A", None, &[]);
    let c = program.method("c", PLAIN, &[]);
    let d = program.method("d", PLAIN, &[]);
    let t = program.method("t", PLAIN, &["A.c", "A.d"]);
    let p = program.method("p", PLAIN, &["A.t", "A.c"]);
    let names = program.names();
    let of_unflushed = [unflushed(e(t, 2)), unflushed(r(t, 3))];
    let flushed = [e(t, 4), counted(c, 1), r(t, 5)];
    let rest = [counted(c, 5), counted(d, 7), r(p, 9)];
    let profile =
        finish(builder(&[&[e(p, 1)], &of_unflushed[..], &flushed, &rest].concat()), &names);
    // `d` can only be of `t`, `c` can be of both.
    let expected = ["p 1 0", "p t 2 0", "p t c 0 1", "p t d 0 7", "p ⋯ 0 0", "p ⋯ c 0 5"];
    assert_eq!(sorted(paths(&profile)), sorted(expected.map(str::to_owned).to_vec()));
    // Without unflushed calls they are those of `p`.
    let flushed = [e(p, 1), e(t, 2), counted(d, 7), r(t, 3), counted(c, 5), r(p, 9)];
    let profile = finish(builder(&flushed), &names);
    let expected = ["p 1 0", "p t 1 0", "p t d 0 7", "p c 0 5"];
    assert_eq!(sorted(paths(&profile)), sorted(expected.map(str::to_owned).to_vec()));
}

/// An unflushed call below an unflushed one, and a flushed one in that: the records at its entry
/// are of calls that were counted anywhere since the entry of `p`.
#[test]
fn counted_records_belong_to_the_innermost_flushed_call() {
    let mut program = Program::default();
    program.class("A", None, &[]);
    let c = program.method("c", PLAIN, &[]);
    let t = program.method("t", PLAIN, &["A.c"]);
    let u = program.method("u", PLAIN, &["A.t", "A.u"]);
    let p = program.method("p", PLAIN, &["A.u"]);
    let names = program.names();
    let words = [
        e(p, 1),
        unflushed(e(u, 2)),
        unflushed(e(u, 3)),
        counted(c, 2),
        e(t, 4),
        counted(c, 3),
        r(t, 5),
        unflushed(r(u, 6)),
        unflushed(r(u, 7)),
        counted(c, 4),
        r(p, 8),
    ];
    let profile = finish(builder(&words), &names);
    let counted: Vec<String> =
        paths(&profile).into_iter().filter(|at| !at.ends_with(" 0")).collect();
    assert_eq!(counted, ["p u u t c 0 3", "p ⋯ c 0 6"]);
    let node = |name: &str| {
        let tree = &profile.tree;
        let is = |at: &crate::NodeIx| match tree.frame(*at) {
            Frame::Method(method) => profile.method(method).info.key.name == name,
            _ => false,
        };
        tree.nodes().find(is).map(|at| {
            (
                tree.timed(at),
                tree.number(Metric::Unflushed, at),
                tree.number(Metric::CountRecords, at),
            )
        })
    };
    // Of the records, the one before `t` took time in the inner `u`.
    assert_eq!((node("p"), node("t")), (Some((1, 0, 1)), Some((1, 0, 1))));
    assert_eq!(node("u"), Some((1, 1, 0)));
}

fn sorted(mut all: Vec<String>) -> Vec<String> {
    all.sort();
    all
}
