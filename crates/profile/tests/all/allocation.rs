//! Allocated bytes, from records to the file.

use jfathom_profile::{
    Allocation, AllocationSource, BuilderSink, Bytes, Checkpoint, Context, Frame, MethodNames,
    Profile, TickRate,
};
use jfathom_testkit::{profiles::*, records::*};
use jfathom_trace::record::Record;
use jfathom_trace::{RingIx, Sink as _};

fn a(bytes: u64) -> Record {
    Record::Allocated { bytes }
}

fn finished(sink: BuilderSink) -> Profile {
    let (meta, rate) = (meta(1), TickRate::NANOS);
    let names = &MethodNames::default();
    let mut profile = sink.into_builder().finish(Context { meta, rate, names, virtual_calls: &[] });
    profile.allocation.source = AllocationSource::Fields;
    profile.check().unwrap();
    profile
}

fn of(records: &[Record]) -> Profile {
    let mut sink = begun();
    sink.records(RingIx(0), &words(records));
    finished(sink)
}

fn begun() -> BuilderSink {
    let mut sink = BuilderSink::new();
    sink.begin(RingIx(0), &info(1, "main"), 0);
    sink.records(RingIx(0), &words(&[Record::ThreadStart { high: 0, sequence: 1 }]));
    sink
}

/// Own and total bytes by method id on the path, in preorder.
fn bytes(profile: &Profile) -> Vec<(Vec<u32>, u64, u64)> {
    let tree = &profile.tree;
    let mut path: Vec<u32> = Vec::new();
    let mut all = Vec::new();
    for node in tree.nodes() {
        path.truncate((tree.depth(node) as usize).saturating_sub(1));
        if let Frame::Method(method) = tree.frame(node) {
            path.push(profile.method(method).id.get());
            all.push((path.clone(), tree.allocated(node).0, tree.total_allocated(node).0));
        }
    }
    all
}

/// A record of bytes comes before the record of the entry or exit that they came before.
fn nested() -> Vec<Record> {
    vec![
        e(1, 10),
        a(100),
        e(2, 20),
        a(7),
        r(2, 30),
        a(1),
        e(2, 40),
        x(2, 50),
        a(1_000),
        e(3, 60),
        a(1 << 40),
        r(3, 70),
        r(1, 80),
    ]
}

const NESTED: [(&[u32], u64, u64); 3] =
    [(&[1], 1_101, 1_108 + (1 << 40)), (&[1, 2], 7, 7), (&[1, 3], 1 << 40, 1 << 40)];

fn expected() -> Vec<(Vec<u32>, u64, u64)> {
    NESTED.iter().map(|(path, own, total)| (path.to_vec(), *own, *total)).collect()
}

#[test]
fn bytes_belong_to_the_call_on_top_of_the_stack() {
    let profile = of(&nested());
    assert_eq!(bytes(&profile), expected());
    assert_eq!(profile.quality.unknown_records, 0);
    assert_eq!(profile.allocation.unattributed, Bytes(0));
}

#[test]
fn bytes_of_no_call_are_in_no_node() {
    let profile = of(&[a(5), e(1, 10), a(2), r(1, 20), a(30)]);
    assert_eq!(bytes(&profile), [(vec![1], 2, 2)]);
    assert_eq!(profile.allocation.unattributed, Bytes(35));
}

/// An exit that no record shows ends with the record that shows it, and so do the bytes before.
#[test]
fn bytes_before_an_inferred_exit_are_the_inner_calls() {
    let profile =
        of(&[e(1, 10), e(2, 20), a(50), Record::Caught { id: id(1), time: 64 }, a(3), r(1, 99)]);
    assert_eq!(bytes(&profile), [(vec![1], 3, 53), (vec![1, 2], 50, 50)]);
}

/// Calls that are only counted have no bytes of their own: they are their caller's.
#[test]
fn counted_calls_have_none() {
    let counted = Record::Counted { id: id(2), calls: 9 };
    let profile = of(&[e(1, 10), counted, a(64), r(1, 20)]);
    assert_eq!(bytes(&profile), [(vec![1], 64, 64), (vec![1, 2], 0, 0)]);
}

#[test]
fn sums_saturate() {
    let most = (1 << 56) - 1;
    let records = [vec![e(1, 10)], vec![a(most); 300], vec![r(1, 20)]].concat();
    let profile = of(&records);
    assert_eq!(bytes(&profile), [(vec![1], u64::MAX, u64::MAX)]);
    assert_eq!(read_again(&profile), profile);
}

fn read_again(profile: &Profile) -> Profile {
    let mut file = Vec::new();
    profile.write(&mut file).unwrap();
    Profile::read_whole(&mut file.as_slice()).unwrap()
}

#[test]
fn the_file_has_them() {
    let mut profile = of(&nested());
    for source in [
        AllocationSource::Unasked,
        AllocationSource::Fields,
        AllocationSource::Bean,
        AllocationSource::Either,
        AllocationSource::Partly,
    ] {
        profile.allocation = Allocation { source, unattributed: Bytes(77) };
        assert_eq!(read_again(&profile), profile);
    }
    let without = of(&[e(1, 10), r(1, 20)]);
    assert_eq!(read_again(&without), without);
}

#[test]
fn a_checkpoint_has_them() {
    let all = words(&nested());
    for cut in 0..=all.len() {
        let mut sink = begun();
        sink.records(RingIx(0), &all[..cut]);
        let mut file = Vec::new();
        sink.builder().checkpoint(Vec::new()).write(&mut file).unwrap();
        let read = Checkpoint::read(&mut file.as_slice()).unwrap();
        let (mut sink, _) = BuilderSink::resume(read);
        sink.begin(RingIx(0), &info(1, "main"), 0);
        sink.records(RingIx(0), &all[cut..]);
        assert_eq!(bytes(&finished(sink)), expected(), "cut after {cut} records");
    }
}

/// Only method 1 and tasks read: the others' bytes are their nearest callers' that do.
#[test]
fn bytes_of_calls_that_do_not_read_are_their_nearest_reading_callers() {
    let task = |open: bool| match open {
        true => Record::TaskOpen { id: id(2), time: 128 },
        false => Record::TaskClose { id: id(2), time: 256 },
    };
    let records = [
        vec![a(5), e(2, 10), a(40), e(1, 20), e(3, 30), a(7), e(1, 40), a(100), r(1, 50)],
        vec![a(2), r(3, 60), a(1), r(1, 70), a(300), r(2, 80)],
        vec![task(true), e(2, 130), a(1_000), r(2, 140), task(false)],
    ];
    let mut profile = of(&records.concat());
    let before = profile.clone();
    profile.set_alloc_reading(|method| method.id == id(1));
    assert!(profile.has_unread());
    let expected = [
        (vec![2], 0, 110),
        (vec![2, 1], 10, 110),
        (vec![2, 1, 3], 0, 100),
        (vec![2, 1, 3, 1], 100, 100),
        (vec![2], 0, 0),
    ];
    assert_eq!(bytes(&profile), expected);
    let tree = &profile.tree;
    let task = tree.nodes().find(|node| matches!(tree.frame(*node), Frame::Task(_))).unwrap();
    assert_eq!((tree.allocated(task), tree.total_allocated(task)), (Bytes(1_000), Bytes(1_000)));
    // What no call on the stack reads is in no method.
    assert_eq!(profile.allocation.unattributed, Bytes(345));
    let all = |profile: &Profile| {
        let sums = profile.tree.roots().map(|root| profile.tree.total_allocated(root));
        sums.sum::<Bytes>() + profile.allocation.unattributed
    };
    assert_eq!(all(&profile), all(&before));
    let known: Vec<bool> = tree.nodes().map(|node| profile.knows_bytes_at(node)).collect();
    // The thread, then in preorder.
    assert_eq!(known, [true, false, true, false, true, true, false]);
    profile.check().unwrap();
    assert_eq!(read_again(&profile), profile);
    let mut again = profile.clone();
    again.lift_unread_bytes();
    assert_eq!(again, profile);
}

#[test]
fn without_the_column_nothing_is_unread() {
    let mut profile = of(&nested());
    profile.allocation = Allocation::default();
    profile.set_alloc_reading(|_| false);
    assert!(!profile.has_unread() && !profile.methods.iter().any(|method| method.is_unread));
    assert!(!profile.knows_bytes_of(jfathom_profile::MethodIx(0)));
}
