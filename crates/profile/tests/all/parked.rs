//! Parked times of virtual threads, from records to the file and to sums of profiles.

use jfathom_profile::{BuilderSink, Context, Frame, MethodNames, Profile, TickRate, Ticks};
use jfathom_testkit::{profiles::*, records::*};
use jfathom_trace::record::Record;
use jfathom_trace::{RingIx, Sink as _};

/// A call of 50 ticks on a virtual thread that was parked for so many of them.
fn parked(ticks: u64) -> Profile {
    let mut sink = BuilderSink::new();
    let ring = RingIx(0);
    sink.begin(ring, &info(1, "carrier"), 0);
    let switch = |time| [Record::Switch { thread: 70 }, Record::SwitchTime { time }];
    let mut all = vec![Record::ThreadStart { high: 0, sequence: 1 }];
    all.extend(switch(10));
    all.push(e(1, 10));
    all.extend(switch(60));
    all.extend([Record::Parked { ticks }, r(1, 60)]);
    sink.records(ring, &words(&all));
    sink.end(ring);
    sink.round();
    sink.round();
    let (meta, rate) = (meta(1), TickRate::NANOS);
    let names = &MethodNames::default();
    let context = Context { meta, rate, names, virtual_calls: &[] };
    let profile = sink.into_builder().finish(context);
    profile.check().unwrap();
    profile
}

/// Self time and parked time of the call.
fn times(profile: &Profile) -> (Ticks, Ticks) {
    let tree = &profile.tree;
    let node = tree.nodes().find(|node| matches!(tree.frame(*node), Frame::Method(_))).unwrap();
    (tree.self_time(node), tree.parked(node))
}

#[test]
fn the_file_has_parked_times() {
    for ticks in [0, 1, 35, 50] {
        let profile = parked(ticks);
        assert_eq!(times(&profile), (Ticks(50), Ticks(ticks)));
        let mut file = Vec::new();
        profile.write(&mut file).unwrap();
        assert_eq!(Profile::read_whole(&mut file.as_slice()).unwrap(), profile);
    }
}
