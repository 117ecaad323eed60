//! Times without a processor, from spans to the file.

use jfathom_profile::{
    BuilderSink, Context, Cpu, CpuSource, Frame, MethodNames, OffCpu, OffCpuSpan, Profile,
    TickRate, Ticks,
};
use jfathom_testkit::{profiles::*, records::*};
use jfathom_trace::record::Record;
use jfathom_trace::{RingIx, Sink as _};

const RING: RingIx = RingIx(0);

fn off(preempted: u64, blocked: u64, unknown: u64, switches: u64) -> OffCpu {
    let [preempted, blocked, unknown] = [preempted, blocked, unknown].map(Ticks);
    OffCpu { preempted, blocked, unknown, switches }
}

fn blocked(start: u64, end: u64) -> OffCpuSpan {
    OffCpuSpan { start: Ticks(start), end: Ticks(end), parts: off(0, end - start, 0, 1) }
}

/// A sink whose thread's switches are known from its begin.
fn begun() -> BuilderSink {
    let mut sink = BuilderSink::new();
    sink.builder_mut().record_cpu();
    sink.begin(RING, &info(1, "main"), 0);
    let parts = OffCpu::default();
    sink.add_off_cpu(RING, OffCpuSpan { start: Ticks(0), end: Ticks(0), parts });
    sink.records(RING, &words(&[Record::ThreadStart { high: 0, sequence: 1 }]));
    sink
}

fn finished(mut sink: BuilderSink) -> Profile {
    sink.end(RING);
    sink.round();
    sink.round();
    let (meta, rate) = (meta(1), TickRate::NANOS);
    let names = &MethodNames::default();
    let profile = sink.into_builder().finish(Context { meta, rate, names, virtual_calls: &[] });
    profile.check().unwrap();
    profile
}

/// Self time and what of it, and of the total time, was without a processor, by method id.
fn methods(profile: &Profile) -> Vec<(u32, u64, OffCpu, OffCpu)> {
    let tree = &profile.tree;
    let nodes = tree.nodes().filter_map(|node| match tree.frame(node) {
        Frame::Method(method) => {
            let (own, all) = (tree.off_cpu(node), tree.total_off_cpu(node));
            Some((profile.method(method).id.get(), tree.self_time(node).0, own, all))
        }
        _ => None,
    });
    nodes.collect()
}

/// A call of 90 ticks, of which 30 are in another call.
fn nested() -> Profile {
    let mut sink = begun();
    sink.add_off_cpu(RING, blocked(12, 18));
    sink.add_off_cpu(RING, blocked(30, 39));
    sink.records(RING, &words(&[e(1, 10), e(2, 20), r(2, 50), r(1, 100)]));
    let mut profile = finished(sink);
    assert_eq!(profile.cpu.source, CpuSource::Perf);
    profile.cpu = Cpu { switches: 7, lost: 2, switch_error_nanos: 90, ..profile.cpu };
    profile
}

#[test]
fn the_file_has_times_without_a_processor() {
    let profile = nested();
    let expected =
        [(1, 60, off(0, 6, 0, 1), off(0, 15, 0, 2)), (2, 30, off(0, 9, 0, 1), off(0, 9, 0, 1))];
    assert_eq!(methods(&profile), expected);
    let mut file = Vec::new();
    profile.write(&mut file).unwrap();
    let read = Profile::read_whole(&mut file.as_slice()).unwrap();
    assert_eq!(read, profile);
    assert_eq!(methods(&read), expected);
}

#[test]
fn a_part_of_a_virtual_thread_has_what_its_carrier_has() {
    let mut sink = begun();
    let switch = |thread, time| [Record::Switch { thread }, Record::SwitchTime { time }];
    sink.add_off_cpu(RING, blocked(20, 25));
    sink.add_off_cpu(RING, blocked(40, 50));
    sink.add_off_cpu(RING, blocked(120, 123));
    let mut all = switch(70, 10).to_vec();
    all.extend([e(1, 10), e(2, 30)]);
    // Another thread, and then this one again: in between it had no carrier.
    all.extend(switch(71, 36));
    all.extend([e(3, 36), r(3, 60)]);
    all.extend(switch(70, 100));
    all.extend([r(2, 130), r(1, 140)]);
    sink.records(RING, &words(&all));
    let mut found = methods(&finished(sink));
    found.sort_by_key(|(id, ..)| *id);
    let own: Vec<_> = found.into_iter().map(|(id, time, own, _)| (id, time, own)).collect();
    let expected =
        [(1, 30, off(0, 5, 0, 1)), (2, 100, off(0, 3, 70, 1)), (3, 24, off(0, 10, 0, 1))];
    assert_eq!(own, expected);
}

/// A thread whose own clock is known from its first record on.
fn clocked(records: &[Record]) -> Profile {
    let mut sink = BuilderSink::new();
    sink.builder_mut().record_own_clocks(1_000_000_000);
    sink.begin(RING, &info(1, "main"), 0);
    let begin =
        [Record::ThreadStart { high: 0, sequence: 1 }, Record::Ran { is_first: true, nanos: 0 }];
    sink.records(RING, &words(&[&begin[..], records].concat()));
    finished(sink)
}

#[test]
fn a_threads_own_clock_tells_of_waits() {
    let ran = |nanos| Record::Ran { is_first: false, nanos };
    let reading = Record::Adjust { ticks: 300 };
    let records = [
        e(1, 1_000),
        e(2, 2_000),
        // 101,000 have passed since the first record, beside the reading.
        ran(5_000),
        reading,
        r(2, 102_300),
        e(3, 103_000),
        // The thread ran in the readings, too.
        ran(21_000),
        reading,
        r(3, 123_300),
        r(1, 124_000),
    ];
    let profile = clocked(&records);
    assert_eq!(profile.cpu.source, CpuSource::ThreadClock);
    let mut found = methods(&profile);
    found.sort_by_key(|(id, ..)| *id);
    // Bars of 2,000 ns and one part in 4,096 of the window, in steps of 100 ns.
    let (waited, ran) = (off(0, 96_000, 0, 21), off(0, 0, 0, 1));
    let expected = [
        (1, 2_400, off(0, 0, 0, 0), off(0, 96_000, 0, 22)),
        (2, 100_000, waited, waited),
        (3, 20_000, ran, ran),
    ];
    assert_eq!(found, expected);
}

#[test]
fn without_a_begin_nothing_is_known_until_the_clock_is_read() {
    let ran = |nanos| Record::Ran { is_first: false, nanos };
    let mut sink = BuilderSink::new();
    sink.builder_mut().record_own_clocks(1_000_000_000);
    sink.begin(RING, &info(1, "main"), 0);
    let begin = Record::ThreadStart { high: 0, sequence: 1 };
    let records = [begin, e(1, 10), e(2, 50_000), ran(9), r(2, 80_000), ran(1_000), r(1, 180_000)];
    sink.records(RING, &words(&records));
    let mut found = methods(&finished(sink));
    found.sort_by_key(|(id, ..)| *id);
    let own: Vec<_> = found.into_iter().map(|(id, time, own, _)| (id, time, own)).collect();
    let waited = off(0, 99_000, 49_990, 21);
    assert_eq!(own, [(1, 149_990, waited), (2, 30_000, off(0, 0, 30_000, 0))]);
}

#[test]
fn readings_of_any_size_take_no_more_than_there_is() {
    let sizes = [0, 1, 9_999, 1 << 40, (1 << 55) - 1];
    for hz in [0, 1, 1_000_000_000, u64::MAX] {
        let mut sink = BuilderSink::new();
        sink.builder_mut().record_own_clocks(hz);
        sink.begin(RING, &info(1, "main"), 0);
        let mut records = vec![Record::ThreadStart { high: 0, sequence: 1 }];
        for (at, (nanos, ticks)) in
            sizes.iter().flat_map(|nanos| sizes.map(|ticks| (*nanos, ticks))).enumerate()
        {
            // Times that go back, too.
            let time = if at % 7 == 6 { 5 } else { 20_000 * at as u64 };
            records.push(e(1, time));
            records.push(Record::Ran { is_first: at % 5 == 0, nanos });
            records.push(Record::Ran { is_first: false, nanos });
            records.push(Record::Adjust { ticks: ticks.max(1) });
            records.push(r(1, time + 15_000));
        }
        sink.records(RING, &words(&records));
        let profile = finished(sink);
        profile.check().unwrap();
        for node in profile.tree.nodes() {
            let (time, off) = (profile.tree.self_time(node), profile.tree.off_cpu(node));
            assert!(off.all() <= time, "{hz}: {off:?} of {time:?}");
        }
    }
}
