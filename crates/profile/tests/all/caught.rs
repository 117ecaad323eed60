//! Caught exceptions by class, from records to the file.

use jfathom_profile::{
    Builder, Checkpoint, Context, EventKind, EventSource, Events, MethodNames, NodeIx, Profile,
    TickRate,
};
use jfathom_testkit::{profiles::*, records::*};
use jfathom_trace::record::Record;
use std::collections::BTreeMap;

fn class(class: u32) -> Record {
    Record::CaughtClass { class }
}

const START: Record = Record::ThreadStart { high: 0, sequence: 1 };

/// Method 1 calls 2, which catches, and 3, which throws through 2.
const RECORDS: [fn() -> Vec<Record>; 2] = [
    || vec![START, e(1, 0), e(2, 64), e(3, 128), x(3, 192), class(1), c(2, 256)],
    // The second catch has new high bits of the time before it, the third is of any exception, the
    // last two are of a class without a number, and of one without a name.
    || {
        let high = Record::TimeHigh { high: 1 };
        let last = [class(0), c(2, 256), class(9), c(1, 320), r(1, 384)];
        [vec![class(2), high, c(2, 64), c(2, 128), class(1), c(2, 192)], last.to_vec()].concat()
    },
];

fn profile(mut builder: Builder) -> Profile {
    let names = BTreeMap::from([(1, "a.First".into()), (2, "a.Second".into())]);
    builder.name_caught(&names);
    let (meta, rate, names) = (meta(1), TickRate::NANOS, &MethodNames::default());
    let mut profile = builder.finish(Context { meta, rate, names, virtual_calls: &[] });
    profile.events = Events { caught: EventSource::Probes, ..Events::default() };
    profile.check().unwrap();
    profile
}

fn caught(profile: &Profile, node: u32) -> Vec<(&str, u64)> {
    let events = profile.tree.events(NodeIx(node)).iter();
    let caught = events.filter(|event| event.name.kind == EventKind::Caught);
    caught.map(|event| (event.name.class.as_deref().unwrap_or("-"), event.sum.count)).collect()
}

#[track_caller]
fn check(profile: &Profile) {
    let expected = vec![("-", 1), ("a.First", 2), ("a.Second", 1)];
    assert_eq!((caught(profile, 2), caught(profile, 1)), (expected, vec![("-", 1)]));
    assert_eq!(caught(profile, 3), []);
    let of = |id: u32| profile.methods.iter().find(|method| method.id.get() == id).unwrap().caught;
    assert_eq!((of(1), of(2), of(3)), (1, 5, 0));
    assert_eq!(profile.tree.all_events().len(), 4);
}

#[test]
fn a_class_belongs_to_the_catch_behind_it() {
    let mut builder = Builder::new();
    let thread = builder.thread(&info(1, "main"));
    builder.feed(thread, &words(&RECORDS[0]()));
    builder.feed(thread, &words(&RECORDS[1]()));
    check(&profile(builder));
}

#[test]
fn a_checkpoint_and_the_file_have_them() {
    for cut in 0..=RECORDS[0]().len() {
        let mut builder = Builder::new();
        let thread = builder.thread(&info(1, "main"));
        let all = words(&[RECORDS[0](), RECORDS[1]()].concat());
        builder.feed(thread, &all[..cut]);
        let mut bytes = Vec::new();
        builder.checkpoint(Vec::new()).write(&mut bytes).unwrap();
        let mut builder = Checkpoint::read(&mut bytes.as_slice()).unwrap().builder;
        builder.feed(thread, &all[cut..]);
        let profile = profile(builder);
        check(&profile);
        let mut file = Vec::new();
        profile.write(&mut file).unwrap();
        assert_eq!(Profile::read_whole(&mut file.as_slice()).unwrap(), profile);
    }
}

/// A class whose catch was lost is not given to another one.
#[test]
fn a_class_without_its_catch_is_nobodys() {
    let lost = [START, e(1, 0), class(1), e(2, 64), r(2, 128), c(1, 192), r(1, 256)];
    let gap = [START, e(1, 0), class(1)];
    for (before, after) in [(&lost[..], &[][..]), (&gap[..], &[c(1, 192), r(1, 256)][..])] {
        let mut builder = Builder::new();
        let thread = builder.thread(&info(1, "main"));
        builder.feed(thread, &words(before));
        if !after.is_empty() {
            builder.gap(thread, 1);
        }
        builder.feed(thread, &words(after));
        let profile = profile(builder);
        assert_eq!((caught(&profile, 1), profile.methods[0].caught), (vec![], 1));
    }
}

/// Nodes that are folded keep what they caught.
#[test]
fn a_folded_tree_has_all_of_them() {
    let mut builder = Builder::new();
    builder.set_max_memory(40_000);
    let thread = builder.thread(&info(1, "main"));
    let mut all = vec![START, e(1, 0)];
    for at in 0..4_000_u64 {
        let id = 2 + at as u32 % 500;
        let time = 64 * (at + 1);
        all.extend([e(2 + at as u32 / 500, time), e(id, time), class(1 + at as u32 % 2)]);
        all.extend([c(id, time), r(id, time), r(2 + at as u32 / 500, time)]);
    }
    builder.feed(thread, &words(&all));
    let profile = profile(builder);
    assert!(profile.tree.summary_nodes().count() > 0);
    let mut sums = BTreeMap::new();
    for event in profile.tree.all_events() {
        *sums.entry(event.name.class.as_deref().unwrap()).or_default() += event.sum.count;
    }
    assert_eq!(sums, BTreeMap::from([("a.First", 2_000), ("a.Second", 2_000)]));
}
