//! How fast records become a tree, how large the tree is, and what a checkpoint costs.
//!
//! Each log is one thread's records, little-endian words. Without any, made records are used: a hot
//! small tree, a tree of a million nodes in random order, and one node with many children. Rates
//! are the best and the median of several rounds, each with a new builder, by the CPU time of one
//! thread; the feed is in slices of 2,048 as from a ring. `through a ring` is wall time with a
//! producer on another thread that writes the records into a ring of 1 MiB.

use crate::clock::thread_cpu;
use anyhow::Result;
use jfathom_profile::{Builder, Checkpoint, Context, Meta, MethodNames, TickRate};
use jfathom_trace::ThreadInfo;
use jfathom_trace::layout as l;
use jfathom_trace::producer::Producer;
use jfathom_trace::ring::{Consumer, Ring};
use std::{
    path::PathBuf,
    sync::atomic::AtomicU64,
    time::{Duration, Instant},
};

const ROUNDS: usize = 7;
const BATCH: usize = 2048;

/// Prints rates and sizes of these logs, or of made records.
pub fn run(logs: &[PathBuf]) -> Result<()> {
    println!("bytes per node while recording: {}", Builder::NODE_BYTES);
    if logs.is_empty() {
        bench("hot small tree", &[hot(20_000_000)]);
        bench("wide node, 300 children one after the other", &[wide(5_000_000)]);
        bench("random tree", &[random(20_000_000)]);
        return Ok(());
    }
    let mut threads: Vec<Vec<u64>> = Vec::new();
    for log in logs {
        let bytes = std::fs::read(log)?;
        threads
            .push(bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect());
    }
    bench("logs", &threads);
    Ok(())
}

fn bench(name: &str, threads: &[Vec<u64>]) {
    let records: usize = threads.iter().map(Vec::len).sum();
    let mut builder = Builder::new();
    let times = (0..ROUNDS).map(|_| {
        let start = thread_cpu();
        builder = build(threads);
        thread_cpu().saturating_sub(start)
    });
    let times = sorted(times.collect());
    let rate = |time: Duration| records as f64 / time.as_secs_f64() / 1e6;
    println!(
        "{name}: {records} records, {} nodes; tree {:.0} M records/s best, {:.0} median",
        builder.node_count(),
        rate(times[0]),
        rate(times[ROUNDS / 2])
    );
    let through = sorted((0..ROUNDS).map(|_| through_ring(&threads[0])).collect());
    let rate = |time: Duration| threads[0].len() as f64 / time.as_secs_f64() / 1e6;
    println!(
        "  through a ring: {:.0} M records/s best, {:.0} median",
        rate(through[0]),
        rate(through[ROUNDS / 2])
    );
    costs(&builder);
}

fn build(threads: &[Vec<u64>]) -> Builder {
    let mut builder = Builder::new();
    for (words, sequence) in threads.iter().zip(1..) {
        let info = ThreadInfo { sequence, thread_id: sequence, kernel_id: 0, name: String::new() };
        let thread = builder.thread(&info);
        for batch in words.chunks(BATCH) {
            builder.feed(thread, batch);
        }
    }
    builder
}

fn through_ring(words: &[u64]) -> Duration {
    let slots: Vec<AtomicU64> =
        (0..l::RING_BYTES_DEFAULT / l::RECORD_BYTES).map(|_| AtomicU64::new(0)).collect();
    let consumed = AtomicU64::new(0);
    let ring = Ring::new(&slots, &consumed).expect("a power of two");
    let mut builder = Builder::new();
    let thread = builder.thread(&ThreadInfo {
        sequence: 1,
        thread_id: 1,
        kernel_id: 0,
        name: String::new(),
    });
    let start = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut producer = Producer::new(ring);
            for word in words {
                while !producer.push(ring, *word) {
                    std::thread::yield_now();
                }
            }
        });
        let mut consumer = Consumer::new(ring, 0);
        let mut batch = [0; BATCH];
        let mut left = words.len();
        while left > 0 {
            match consumer.drain(ring, &mut batch, |records| builder.feed(thread, records)) {
                0 => std::thread::yield_now(),
                taken => left -= taken,
            }
        }
    });
    start.elapsed()
}

/// What is done with a tree of this size.
fn costs(builder: &Builder) {
    let nodes = builder.node_count();
    let (copy, checkpoint) = timed(|| builder.checkpoint(Vec::new()));
    let mut file = Vec::new();
    let (write, _) = timed(|| checkpoint.write(&mut file).expect("memory can be written"));
    let (read, _) = timed(|| Checkpoint::read(&mut &file[..]).expect("what was written is read"));
    println!(
        "  checkpoint: copy {copy:.1} ms, write {write:.1} ms, {:.1} bytes a node, read {read:.1} ms",
        file.len() as f64 / nodes as f64
    );
    let names = MethodNames::default();
    let meta = Meta::default();
    let (finish, profile) = timed(|| {
        builder.snapshot(Context { meta, rate: TickRate::NANOS, names: &names, virtual_calls: &[] })
    });
    let mut file = Vec::new();
    let (write, _) = timed(|| profile.write(&mut file).expect("memory can be written"));
    println!(
        "  profile: made {finish:.1} ms, written {write:.1} ms, {:.1} bytes a node",
        file.len() as f64 / nodes as f64
    );
}

fn timed<T>(run: impl FnOnce() -> T) -> (f64, T) {
    let start = thread_cpu();
    let result = run();
    (thread_cpu().saturating_sub(start).as_secs_f64() * 1e3, result)
}

fn sorted(mut times: Vec<Duration>) -> Vec<Duration> {
    times.sort();
    times
}

/// Records of one thread, made call by call.
struct Calls {
    words: Vec<u64>,
    time: u64,
}

impl Calls {
    fn new(records: usize) -> Self {
        let mut words = Vec::with_capacity(records + 1);
        words.push(l::ESCAPE_THREAD_START | 1);
        Self { words, time: 0 }
    }

    fn record(&mut self, kind: u64, id: u32) {
        self.time += 20;
        self.words.push(kind | u64::from(id) << l::TIMED_ID_SHIFT | self.time);
    }
}

/// A loop over three methods, one of which calls a fourth.
fn hot(records: usize) -> Vec<u64> {
    let mut calls = Calls::new(records);
    calls.record(l::ENTRY, 1);
    while calls.words.len() < records {
        for id in [2, 3, 4] {
            calls.record(l::ENTRY, id);
            if id == 3 {
                calls.record(l::ENTRY, 5);
                calls.record(l::RETURN, 5);
            }
            calls.record(l::RETURN, id);
        }
    }
    calls.words
}

/// One method that calls 300 others in random order.
fn wide(records: usize) -> Vec<u64> {
    let mut calls = Calls::new(records);
    let mut random = 88_172_645_463_325_252_u64;
    calls.record(l::ENTRY, 1);
    while calls.words.len() < records {
        let id = 2 + (step(&mut random) >> 33) as u32 % 300;
        calls.record(l::ENTRY, id);
        calls.record(l::RETURN, id);
    }
    calls.words
}

/// A walk up and down a tree of depth 10 with four children a node: 1.4 million nodes, visited at
/// random.
fn random(records: usize) -> Vec<u64> {
    let mut calls = Calls::new(records);
    let mut random = 88_172_645_463_325_252_u64;
    let mut open = Vec::new();
    while calls.words.len() < records {
        if open.len() < 10 {
            let id = 1 + open.len() as u32 * 4 + (step(&mut random) >> 33) as u32 % 4;
            open.push(id);
            calls.record(l::ENTRY, id);
        } else {
            // Back up by some levels.
            for _ in 0..1 + (step(&mut random) >> 33) % 10 {
                if let Some(id) = open.pop() {
                    calls.record(l::RETURN, id);
                }
            }
        }
    }
    calls.words
}

fn step(random: &mut u64) -> u64 {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    *random
}
