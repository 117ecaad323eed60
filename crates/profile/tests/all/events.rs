//! Events, from a builder to the file and through sums of trees.

use jfathom_profile::{
    Builder, Context, EventKind, EventMove, EventName, EventSource, EventSum, Events, MethodNames,
    NodeEvent, NodeIx, PlacedEvents, Profile, SlowCallClocks, TickRate, Ticks, TimedEvent, TreeSum,
    place, place_in_slowest,
};
use jfathom_testkit::{profiles::*, records::*};
use jfathom_trace::record::Record;
use std::collections::BTreeMap;

fn event(kind: EventKind, class: Option<&str>, begin: u64, end: u64) -> TimedEvent {
    let name = EventName { kind, class: class.map(Into::into) };
    TimedEvent { thread: Some(101), name, begin: Ticks(begin), end: Ticks(end) }
}

/// Calls of methods 1, below it 2 and 3, with events in all of them and outside.
fn profile() -> Profile {
    let mut builder = Builder::new();
    builder.keep_timeline(Ticks(1), 1 << 20);
    builder.keep_slowest(1);
    let thread = builder.thread(&info(1, "main"));
    let all = [
        Record::ThreadStart { high: 0, sequence: 1 },
        e(1, 1_600),
        e(2, 3_200),
        r(2, 16_000),
        e(3, 16_000),
        r(3, 32_000),
        r(1, 48_000),
    ];
    builder.feed(thread, &words(&all));
    let events = vec![
        event(EventKind::Monitor, Some("a.Lock"), 3_200, 4_800),
        event(EventKind::Monitor, Some("a.Lock"), 4_900, 5_000),
        event(EventKind::Monitor, Some("a.Other"), 5_100, 5_200),
        event(EventKind::Sleep, None, 16_000, 17_600),
        event(EventKind::Exception, Some("a.Failure"), 40_000, 40_000),
        event(EventKind::Park, None, 100, 200),
    ];
    let timeline = builder.take_timeline().unwrap();
    let PlacedEvents { nodes, outside } = place(&timeline, events.clone());
    builder.add_events(nodes);
    let (meta, rate, names) = (meta(1), TickRate::NANOS, &MethodNames::default());
    let mut profile = builder.finish(Context { meta, rate, names, virtual_calls: &[] });
    profile.events = Events {
        waits: EventSource::Jfr,
        exceptions: EventSource::Jfr,
        threshold_nanos: 20_000,
        resolution_nanos: 1_000,
        clock_error_nanos: 300,
        lost: 4,
        outside,
        ..Events::default()
    };
    let clocks = SlowCallClocks::default();
    place_in_slowest(&mut profile.latencies.slowest, &clocks, events);
    profile.check().unwrap();
    profile
}

/// By name as text: count and ticks.
fn sums(rows: &[NodeEvent]) -> BTreeMap<String, (u64, u64)> {
    let mut sums: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for NodeEvent { name, sum, .. } in rows {
        let class = name.class.as_deref().unwrap_or("-");
        let (count, time) = sums.entry(format!("{} {class}", name.kind)).or_default();
        (*count, *time) = (*count + sum.count, *time + sum.time.0);
    }
    sums
}

fn expected(names: &[(&str, u64, u64)]) -> BTreeMap<String, (u64, u64)> {
    names.iter().map(|(name, count, time)| ((*name).to_owned(), (*count, *time))).collect()
}

const ALL: [(&str, u64, u64); 4] = [
    ("exception a.Failure", 1, 0),
    ("monitor a.Lock", 2, 1_700),
    ("monitor a.Other", 1, 100),
    ("sleep -", 1, 1_600),
];

#[test]
fn the_file_has_events() {
    let profile = profile();
    let tree = &profile.tree;
    assert_eq!(sums(tree.total_events(NodeIx(0))), expected(&ALL));
    let own = |node| sums(tree.events(NodeIx(node)));
    assert_eq!((own(0), own(1)), (expected(&[]), expected(&ALL[..1])));
    assert_eq!((own(2), own(3)), (expected(&ALL[1..3]), expected(&ALL[3..])));
    let park = profile.events.outside.get(&EventName::of(EventKind::Park));
    assert_eq!(park, Some(&EventSum { count: 1, time: Ticks(100) }));
    let slow = profile.latencies.slowest[0].events.iter();
    let slow: Vec<_> =
        slow.map(|of| (of.span, of.name.kind, of.sum.count, of.sum.time.0)).collect();
    let expected = [
        (0, EventKind::Exception, 1, 0),
        (1, EventKind::Monitor, 2, 1_700),
        (1, EventKind::Monitor, 1, 100),
        (2, EventKind::Sleep, 1, 1_600),
    ];
    assert_eq!(slow, expected);
    let mut file = Vec::new();
    profile.write(&mut file).unwrap();
    assert_eq!(Profile::read_whole(&mut file.as_slice()).unwrap(), profile);
}

#[test]
fn sums_of_trees_have_the_events_of_both() {
    let tree = profile().tree;
    // Both subtrees of method 1's callees as one node: frames differ, so the group is given.
    let merged = tree.merge(vec![vec![NodeIx(2), NodeIx(3)], vec![NodeIx(1)]], |_| {});
    assert_eq!(sums(merged.events(NodeIx(0))), expected(&ALL[1..]));
    assert_eq!(sums(merged.total_events(NodeIx(1))), expected(&ALL));
    let (kept, _) = tree.retain(|node| (node.0 != 2).then(|| tree.numbers(node)));
    assert_eq!(sums(kept.total_events(NodeIx(0))), expected(&[ALL[0], ALL[3]]));
    assert_eq!(sums(kept.events(NodeIx(2))), expected(&ALL[3..]));
    let both = jfathom_profile::Tree::concat(vec![tree.clone(), tree.clone()]);
    assert_eq!(sums(both.total_events(NodeIx(4))), expected(&ALL));
    let mapped = tree.clone().map(|frame| frame, |time| Ticks(time.0 * 2));
    assert_eq!(sums(mapped.events(NodeIx(3))), expected(&[("sleep -", 1, 3_200)]));
    let mut sum = TreeSum::default();
    let root = sum.child(None, tree.frame(NodeIx(0)));
    for node in tree.nodes() {
        sum.add_events(root, tree.events(node), |time| time);
    }
    assert_eq!(sums(sum.tree().events(NodeIx(0))), expected(&ALL));
}

#[test]
fn events_move_to_other_nodes_and_sums_stay() {
    let mut tree = profile().tree;
    let name = |kind, class: Option<&str>| EventName { kind, class: class.map(Into::into) };
    let moved =
        |from, to, name, count| EventMove { from: NodeIx(from), to: NodeIx(to), name, count };
    let failure = name(EventKind::Exception, Some("a.Failure"));
    let lock = name(EventKind::Monitor, Some("a.Lock"));
    tree.move_events(vec![
        // More than there are.
        moved(1, 3, failure.clone(), 7),
        moved(2, 3, lock, 1),
        // None, and nowhere.
        moved(0, 3, failure.clone(), 1),
        moved(3, 99, failure, 1),
    ]);
    assert_eq!(sums(tree.total_events(NodeIx(0))), expected(&ALL));
    assert!(tree.events(NodeIx(1)).is_empty());
    assert_eq!(sums(tree.events(NodeIx(2))), expected(&[("monitor a.Lock", 1, 1_700), ALL[2]]));
    let third = [ALL[0], ("monitor a.Lock", 1, 0), ALL[3]];
    assert_eq!(sums(tree.events(NodeIx(3))), expected(&third));
    let mut profile = profile();
    profile.tree = tree;
    profile.check().unwrap();
}

/// A file that was made by someone else never panics, and names what is wrong.
#[test]
fn damaged_events_are_refused_or_read() {
    let profile = profile();
    let mut with = Vec::new();
    profile.write(&mut with).unwrap();
    let mut without = profile.clone();
    without.events = Events::default();
    let mut file = Vec::new();
    without.write(&mut file).unwrap();
    let read = Profile::read_whole(&mut file.as_slice()).unwrap();
    // Rows of nodes are there even if nobody says who told them.
    assert_eq!(sums(read.tree.total_events(NodeIx(0))), expected(&ALL));
    assert_ne!(file, with);
}

#[test]
fn recordings_together_say_what_they_lack() {
    let mut sum = profile().events.sources();
    sum.add(profile().events, |time| Ticks(time.0 * 3));
    sum.add(Events { lost: 5, threshold_nanos: 7, ..Events::default() }, |time| time);
    assert_eq!((sum.waits, sum.lost, sum.threshold_nanos), (EventSource::Partly, 9, 20_000));
    let park = sum.outside.get(&EventName::of(EventKind::Park));
    assert_eq!(park, Some(&EventSum { count: 1, time: Ticks(300) }));
}
