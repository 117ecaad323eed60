//! Threads that move between carriers, whose rings are read at any moment and in any order, against
//! threads with rings of their own.

use crate::Metric;
use std::collections::BTreeMap;

use super::*;

const WINDOW: u64 = 1 << l::TIME_BITS;

/// A thread with what it has written, as if it had a ring of its own.
#[derive(Default)]
struct Alone {
    /// Of a virtual thread; zero for a carrier's own.
    number: u64,
    stack: Vec<u32>,
    words: Vec<u64>,
    high: u64,
    /// The last time, and the excluded time behind it.
    last: u64,
}

/// A ring of a carrier.
#[derive(Default)]
struct Ring {
    words: Vec<u64>,
    /// COUNTED records that are due at the next record with a time, or at the next switch.
    pending: Vec<u64>,
    high: u64,
}

/// All threads: the carriers' own first, virtual ones behind them.
struct World {
    random: Random,
    now: u64,
    rings: Vec<Ring>,
    threads: Vec<Alone>,
    /// Virtual threads that have ended.
    gone: Vec<Alone>,
    sink: BuilderSink,
    /// Slices that have ended.
    before: Vec<Builder>,
    next_ring: usize,
    is_counting: bool,
}

fn time_high(high: u64) -> u64 {
    Record::TimeHigh { high: (high >> l::TIME_BITS) as u32 }.encode()
}

impl World {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let (carriers_count, virtuals) = (1 + random.below(4), 1 + random.below(12));
        let mut sink = carriers(carriers_count as u32);
        set_up(&mut sink);
        let thread = |at: u64| {
            let number = if at < carriers_count { 0 } else { at + 100 };
            Alone { number, high: BASE, ..Alone::default() }
        };
        Self {
            random,
            now: BASE,
            rings: (0..carriers_count).map(|_| Ring { high: BASE, ..Ring::default() }).collect(),
            threads: (0..carriers_count + virtuals).map(thread).collect(),
            gone: Vec::new(),
            sink,
            before: Vec::new(),
            next_ring: 0,
            is_counting: true,
        }
    }

    /// A segment of any thread on any carrier, or of the carrier's own thread.
    fn segment(&mut self) {
        let carrier = self.random.below(self.rings.len() as u64) as usize;
        let virtuals = self.threads.len() - self.rings.len();
        let chosen = self.random.below(virtuals as u64 + 2) as usize;
        let at = if chosen < virtuals { self.rings.len() + chosen } else { carrier };
        self.now += 1 + self.random.below(5);
        if self.random.below(50) == 0 {
            self.now += WINDOW;
        }
        let number = self.threads[at].number;
        let ring = &mut self.rings[carrier];
        ring.words.append(&mut ring.pending);
        ring.words.extend(switch(number, self.now));
        ring.high = self.now & !TIME_MASK;
        let mut counted = Vec::new();
        for _ in 0..self.random.below(7) {
            self.record(carrier, at, &mut counted);
        }
        let (thread, ring) = (&mut self.threads[at], &mut self.rings[carrier]);
        thread.words.append(&mut counted);
        if at != carrier && !thread.stack.is_empty() && self.random.below(30) == 0 {
            ring.words.push(Record::VirtualEnd { thread: number }.encode());
            thread.words.push(l::ESCAPE_THREAD_END);
            let next = 1000 + self.gone.len() as u64;
            let next = Alone { number: next, high: BASE, ..Alone::default() };
            self.gone.push(std::mem::replace(thread, next));
        }
    }

    /// What is owed when the last call ends is forgotten with the thread's state.
    fn catch_up(&mut self, at: usize) {
        self.now = self.now.max(self.threads[at].last);
    }

    /// One record. Counted calls wait in `counted` for their place among the thread's.
    fn record(&mut self, carrier: usize, at: usize, counted_here: &mut Vec<u64>) {
        self.now += 1;
        if self.random.below(200) == 0 {
            self.now += WINDOW;
        }
        let (kind, any) = (self.random.below(12), 1 + self.random.below(4) as u32);
        let (calls, ticks) = (1 + self.random.below(9), self.random.below(30));
        if matches!(kind, 0..4 | 6) {
            self.catch_up(at);
        }
        let low = self.now & TIME_MASK;
        let (thread, ring) = (&mut self.threads[at], &mut self.rings[carrier]);
        let word = match (kind, thread.stack.last().copied()) {
            (0..4, Some(top)) => {
                thread.stack.pop();
                exit(top, low)
            }
            (4 | 5, Some(_)) if self.is_counting => {
                let word = counted(20 + any, calls);
                ring.pending.push(word);
                counted_here.push(word);
                return;
            }
            (6, Some(_)) => Record::Caught { id: id(any), time: low }.encode(),
            _ => {
                thread.stack.push(any);
                entry(any, low)
            }
        };
        let high = self.now & !TIME_MASK;
        thread.last = thread.last.max(self.now);
        ring.words.append(&mut ring.pending);
        thread.words.append(counted_here);
        if ring.high != high {
            ring.high = high;
            ring.words.push(time_high(high));
        }
        if thread.high != high {
            thread.high = high;
            thread.words.push(time_high(high));
        }
        ring.words.push(word);
        thread.words.push(word);
        if kind == 8 && word == entry(1, low) {
            let word = Record::Adjust { ticks }.encode();
            ring.words.push(word);
            thread.words.push(word);
            thread.last += ticks;
            // The wait itself, or a part of it.
            self.now += ticks / 2;
        }
    }

    /// Reads one ring. Threads run on while those of a round are read, one after another.
    fn read_one(&mut self) {
        let words = std::mem::take(&mut self.rings[self.next_ring].words);
        self.sink.records(RingIx(self.next_ring as u32), &words);
        self.next_ring += 1;
        if self.next_ring == self.rings.len() {
            self.sink.round();
            self.next_ring = 0;
        }
    }

    /// Reads all that is there, counted calls included.
    fn read_all(&mut self) {
        for (ring, of) in (0..).zip(&mut self.rings) {
            of.words.append(&mut of.pending);
            self.sink.records(RingIx(ring), &std::mem::take(&mut of.words));
        }
        self.sink.round();
        self.sink.round();
    }

    fn resume(&mut self) {
        let mut bytes = Vec::new();
        self.sink.builder().checkpoint(Vec::new()).write(&mut bytes).unwrap();
        let (resumed, _) = BuilderSink::resume(Checkpoint::read(&mut &*bytes).unwrap());
        self.sink = resumed;
        for ring in 0..self.rings.len() as u32 {
            self.sink.begin(RingIx(ring), &info(u64::from(ring) + 1), 0);
        }
    }

    /// The same threads in rings of their own.
    fn alone(&self) -> BuilderSink {
        let mut sink = BuilderSink::new();
        set_up(&mut sink);
        for (at, thread) in (0_u32..).zip(self.threads.iter().chain(&self.gone)) {
            let (ring, sequence) = (RingIx(at), u64::from(at) + 1);
            sink.begin(ring, &info(sequence), 0);
            sink.records(ring, &[l::ESCAPE_THREAD_START | 3 << 32 | sequence]);
            sink.records(ring, &thread.words);
        }
        sink
    }
}

fn set_up(sink: &mut BuilderSink) {
    sink.builder_mut().keep_slowest(10_000);
}

/// Timed calls, counted calls and self time by call path. Calls that a slice shares with the one
/// before count once.
fn sums<'a>(builders: impl Iterator<Item = &'a Builder>) -> Vec<(Vec<u32>, u64, u64, u64)> {
    let mut sums = BTreeMap::<Vec<u32>, (u64, u64, u64)>::new();
    for builder in builders {
        let mut builder = builder.clone();
        builder.settle(true);
        builder.check_counts().unwrap();
        builder.place_calls(&crate::MethodNames::default());
        let carried = builder.slice.as_ref().map(|slice| &slice.carried);
        for (node, of) in (0..).zip(&builder.tree.nodes).skip(1) {
            let sum = sums.entry(builder.tree.path(node)).or_default();
            let carried = carried.and_then(|carried| carried.get(&node)).copied();
            sum.0 += of.calls - carried.unwrap_or(0);
            sum.1 += builder.tree.extra(node)[Metric::Counted];
            sum.2 += of.self_ticks;
        }
    }
    let all = sums.into_iter().filter(|(path, _)| !path.is_empty());
    all.map(|(path, (calls, counted, ticks))| (path, calls, counted, ticks)).collect()
}

/// Path, begin, duration, and method, depth, begin and duration of the spans.
type Call = (Vec<crate::Frame>, u64, u64, Vec<(u32, u32, u64, u64)>);

fn slowest(sink: &BuilderSink) -> Vec<Call> {
    let names = crate::MethodNames::default();
    let (meta, rate) = (crate::Meta::default(), crate::TickRate::NANOS);
    let context = crate::Context { meta, rate, names: &names, virtual_calls: &[] };
    let profile = sink.builder().snapshot(context);
    assert_eq!(profile.latencies.slowest_without_spans, 0);
    let spans = |of: &crate::Activation| {
        let spans = of.spans.iter();
        spans.map(|of| (of.method.0, of.depth, of.began.0, of.duration.0)).collect()
    };
    let all = profile.latencies.slowest.iter();
    let all = all.map(|of| (of.path.clone(), of.began.0, of.duration.0, spans(of)));
    let mut all: Vec<Call> = all.collect();
    all.sort_by_key(|(path, began, duration, _)| (format!("{path:?}"), *began, *duration));
    all
}

#[test]
fn any_order_of_reading_gives_the_same_tree() {
    for seed in 1..300_u64 {
        let mut world = World::new(seed);
        let has_cut = seed % 3 == 1;
        for step in 0..300 {
            world.segment();
            if world.random.below(3) == 0 {
                world.read_one();
            }
            if seed % 3 == 2 && world.random.below(40) == 0 {
                world.resume();
            }
            // Counted calls that come late over a cut may find their call closed: there are none.
            if has_cut && step % 100 == 50 {
                world.read_all();
                world.is_counting = false;
            }
            if has_cut && step % 100 == 70 {
                let before = world.sink.cut();
                world.before.push(before);
                world.is_counting = true;
            }
        }
        world.read_all();
        let alone = world.alone();
        let expected = sums([alone.builder()].into_iter());
        let found = sums(world.before.iter().chain([world.sink.builder()]));
        let wrong = found.iter().zip(&expected).find(|(found, expected)| found != expected);
        assert_eq!((wrong, found.len()), (None, expected.len()), "seed {seed}");
        if seed % 3 == 0 {
            let (found, expected) = (slowest(&world.sink), slowest(&alone));
            let wrong = found.iter().zip(&expected).find(|(found, expected)| found != expected);
            assert_eq!((wrong, found.len()), (None, expected.len()), "seed {seed}");
        }
    }
}
