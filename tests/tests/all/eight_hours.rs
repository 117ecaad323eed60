//! Eight hours of a server in slices, by a clock that is as fast as the records can be read: what
//! the reader keeps does not grow, and the slices together have each call with its time.

use jfathom_compare::join;
use jfathom_profile::{
    BuilderSink, Context, MethodNames, Profile, SessionCounts, SliceStart, TickRate, Ticks,
};
use jfathom_testkit::{Random, profiles, records::*};
use jfathom_trace::record::Record;
use jfathom_trace::{RingIx, Sink as _, layout};
use std::collections::BTreeMap;

const SECOND: u64 = 1_000_000_000;
const HOURS: u64 = 8 * 3600 * SECOND;
const SLICE: u64 = 300 * SECOND;
/// A request begins in each.
const STEP: u64 = SECOND / 50;

const REQUEST: u32 = 1;
const WORK: u32 = 2;
const COUNTED: u32 = 3;
const LONG: u32 = 4;

/// Ring of the first worker; the others follow.
const WORKERS: [RingIx; 3] = [RingIx(0), RingIx(1), RingIx(2)];
/// Ring of a thread that is in one call for seven minutes at a time.
const LONG_RING: RingIx = RingIx(3);
/// Ring that short-lived threads take over from each other.
const SHORT_RING: RingIx = RingIx(4);
/// Ring of a carrier of virtual threads.
const CARRIER: RingIx = RingIx(5);

/// By method: calls and self time.
type Sums = BTreeMap<u32, (u64, u64)>;

/// A server that writes records.
struct Server {
    random: Random,
    sink: BuilderSink,
    truth: Sums,
    /// High bits of the last time, by ring.
    high: BTreeMap<RingIx, u64>,
    threads: u64,
    slowest: u64,
}

impl Server {
    fn new() -> Self {
        let mut server = Self {
            random: Random(7),
            sink: BuilderSink::new(),
            truth: Sums::new(),
            high: BTreeMap::new(),
            threads: 0,
            slowest: 0,
        };
        server.sink.builder_mut().keep_slowest(3);
        server.begin_slice(0);
        for ring in WORKERS.into_iter().chain([LONG_RING, CARRIER]) {
            server.begin(ring, 0);
        }
        server
    }

    fn begin_slice(&mut self, now: u64) {
        let before = SessionCounts::default();
        let start = SliceStart { recording: 9, began_millis: now / 1_000_000, before };
        self.sink.builder_mut().begin_slice(start);
    }

    fn begin(&mut self, ring: RingIx, now: u64) {
        self.threads += 1;
        self.sink.begin(ring, &info(self.threads, "a thread"), 0);
        let high = now >> layout::TIME_BITS;
        self.high.insert(ring, high);
        let start = Record::ThreadStart { high: high as u32, sequence: self.threads as u32 };
        self.sink.records(ring, &[start.encode()]);
    }

    fn write(&mut self, ring: RingIx, time: u64, record: Record) {
        let high = time >> layout::TIME_BITS;
        if self.high.insert(ring, high) != Some(high) {
            self.sink.records(ring, &[Record::TimeHigh { high: high as u32 }.encode()]);
        }
        self.sink.records(ring, &[record.encode()]);
    }

    fn count(&mut self, method: u32, calls: u64, ticks: u64) {
        let sums = self.truth.entry(method).or_default();
        sums.0 += calls;
        sums.1 += ticks;
    }

    /// A call of `request`, of less than a step.
    fn request(&mut self, ring: RingIx, begun: u64) {
        let (before, work, after) =
            (self.random.below(SECOND / 500), self.random.below(SECOND / 250), 1);
        let calls = 1 + self.random.below(5);
        self.write(ring, begun, e(REQUEST, begun));
        self.write(ring, begun + before, e(WORK, begun + before));
        let counted = Record::Counted { id: id(COUNTED), calls };
        self.write(ring, begun + before, counted);
        self.write(ring, begun + before + work, r(WORK, begun + before + work));
        let end = begun + before + work + after;
        self.write(ring, end, r(REQUEST, end));
        self.count(REQUEST, 1, before + after);
        self.count(WORK, 1, work);
        self.count(COUNTED, calls, 0);
        self.slowest = self.slowest.max(end - begun);
    }

    /// The same on a virtual thread of its own.
    fn virtual_request(&mut self, thread: u64, begun: u64) {
        let switch = |thread| Record::Switch { thread };
        self.high.insert(CARRIER, begun >> layout::TIME_BITS);
        for record in [switch(thread), Record::SwitchTime { time: begun }] {
            self.sink.records(CARRIER, &[record.encode()]);
        }
        self.request(CARRIER, begun);
        let end =
            [Record::VirtualEnd { thread }, switch(0), Record::SwitchTime { time: begun + STEP }];
        self.high.insert(CARRIER, (begun + STEP) >> layout::TIME_BITS);
        self.sink.records(CARRIER, &words(&end));
    }

    /// Bytes of all that the reader knows.
    fn size(&self) -> usize {
        let mut bytes = Vec::new();
        self.sink.builder().checkpoint(Vec::new()).write(&mut bytes).unwrap();
        bytes.len() + self.sink.builder().memory_bytes()
    }

    /// The profile of the slice that ends here, written and read.
    fn cut(&mut self, now: u64) -> Profile {
        let builder = self.sink.cut();
        self.begin_slice(now);
        finished(builder)
    }
}

fn finished(builder: jfathom_profile::Builder) -> Profile {
    let (meta, rate) = (profiles::meta(1), TickRate::NANOS);
    let names = &MethodNames::default();
    let profile = builder.finish(Context { meta, rate, names, virtual_calls: &[] });
    let mut file = Vec::new();
    profile.write(&mut file).unwrap();
    Profile::read_whole(&mut file.as_slice()).unwrap()
}

fn sums(profile: &Profile) -> Sums {
    let mut sums = Sums::new();
    for method in &profile.methods {
        sums.insert(method.id.get(), (method.calls(), 0));
    }
    for node in profile.tree.nodes() {
        if let jfathom_profile::Frame::Method(method) = profile.tree.frame(node) {
            let id = profile.method(method).id.get();
            sums.entry(id).or_default().1 += profile.tree.self_time(node).0;
        }
    }
    sums
}

#[test]
fn eight_hours_in_slices_are_exact_and_do_not_grow() {
    let mut server = Server::new();
    let (mut slices, mut sizes) = (Vec::new(), Vec::new());
    let mut long_since = None;
    let (long, short) = (420 * SECOND, 60 * SECOND);
    let mut next_cut = SLICE;
    for step in 1..HOURS / STEP {
        let now = step * STEP;
        match step % 4 {
            3 => server.virtual_request(1_000 + step, now),
            worker => server.request(WORKERS[worker as usize], now),
        }
        if now.is_multiple_of(short) {
            server.begin(SHORT_RING, now);
            server.request(SHORT_RING, now);
            server.sink.end(SHORT_RING);
        }
        if now.is_multiple_of(long) {
            if let Some(since) = long_since.replace(now) {
                server.write(LONG_RING, now, r(LONG, now));
                server.count(LONG, 1, now - since);
            }
            server.write(LONG_RING, now, e(LONG, now));
        }
        if step.is_multiple_of(64) {
            server.sink.round();
        }
        if now >= next_cut {
            server.sink.round();
            sizes.push(server.size());
            slices.push(server.cut(now));
            next_cut += SLICE;
        }
    }
    if let Some(since) = long_since {
        server.write(LONG_RING, HOURS, r(LONG, HOURS));
        server.count(LONG, 1, HOURS - since);
    }
    for ring in WORKERS.into_iter().chain([LONG_RING, CARRIER]) {
        server.sink.end(ring);
    }
    server.sink.round();
    let Server { sink, truth, threads, slowest, .. } = server;
    slices.push(finished(sink.into_builder()));
    assert_eq!(slices.len() as u64, HOURS / SLICE);
    let (first, last) = (&sizes[1..9], &sizes[sizes.len() - 8..]);
    let most = |sizes: &[usize]| *sizes.iter().max().unwrap();
    assert!(most(last) <= most(first) + most(first) / 20, "{first:?} {last:?}");
    let profile = join(slices).unwrap();
    profile.check().unwrap();
    assert_eq!(sums(&profile), truth);
    // All but virtual threads, which are one.
    assert_eq!(profile.threads.len() as u64, threads + 1);
    let kept = profile.latencies.slowest.iter().filter(|of| of.spans.len() > 1);
    assert_eq!(kept.map(|of| of.duration).max(), Some(Ticks(slowest)));
}
