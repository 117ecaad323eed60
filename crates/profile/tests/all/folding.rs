//! A bound on the memory of a tree that would grow without end.

use jfathom_profile::{Builder, Checkpoint, Context, MethodNames, Metric, Profile, ThreadHandle};
use jfathom_profile::{SliceStart, TickRate, Ticks};
use jfathom_testkit::{Random, profiles::*, records::*};
use jfathom_trace::record::Record;
use std::collections::BTreeMap;

const METHODS: u64 = 40;
const BOUND: u64 = 3_000_000;

/// Random recursion on a thread, with what it must come to.
struct Program {
    random: Random,
    time: u64,
    stack: Vec<u32>,
    /// By method: timed calls, self time, exceptions, counted calls, allocated bytes.
    truth: BTreeMap<u32, (u64, u64, u64, u64, u64)>,
}

impl Program {
    fn new(seed: u64) -> Self {
        Self { random: Random(seed), time: 0, stack: Vec::new(), truth: BTreeMap::new() }
    }

    fn spend(&mut self) -> u64 {
        let ticks = self.random.below(30);
        self.time += ticks;
        if let Some(top) = self.stack.last() {
            self.truth.entry(*top).or_default().1 += ticks;
        }
        self.time
    }

    fn step(&mut self) -> Record {
        let time = self.spend();
        let is_exit = self.random.below(100) < 30 + 3 * self.stack.len() as u64;
        match self.random.below(20) {
            0 if let Some(top) = self.stack.last() => {
                // As in programs, a method calls few others.
                let method = 1 + (top * 7 + self.random.below(4) as u32) % METHODS as u32;
                self.truth.entry(method).or_default().3 += 3;
                Record::Counted { id: id(method), calls: 3 }
            }
            2 if let Some(top) = self.stack.last() => {
                let bytes = 8 * (1 + self.random.below(100));
                self.truth.entry(*top).or_default().4 += bytes;
                Record::Allocated { bytes }
            }
            how if is_exit && let Some(top) = self.stack.pop() => match how {
                1 => {
                    self.truth.entry(top).or_default().2 += 1;
                    x(top, time)
                }
                _ => r(top, time),
            },
            _ => {
                let method = 1 + self.random.below(METHODS) as u32;
                self.stack.push(method);
                self.truth.entry(method).or_default().0 += 1;
                e(method, time)
            }
        }
    }

    fn words(&mut self, records: usize) -> Vec<u64> {
        (0..records).map(|_| self.step().encode()).collect()
    }

    /// Holds all sums by method against those of a profile.
    fn check(&self, profile: &Profile) {
        profile.check().unwrap();
        let mut found: BTreeMap<u32, (u64, u64, u64, u64, u64)> = BTreeMap::new();
        for method in profile.methods.iter().filter(|method| !method.info.is_folded()) {
            found.insert(method.id.get(), (method.entries, 0, method.throws, method.counted, 0));
        }
        for node in profile.tree.nodes() {
            if let jfathom_profile::Frame::Method(method) = profile.tree.frame(node) {
                let method = profile.method(method);
                let (own, bytes) = (profile.tree.self_time(node), profile.tree.allocated(node));
                match found.get_mut(&method.id.get()) {
                    Some(sums) => (sums.1, sums.4) = (sums.1 + own.0, sums.4 + bytes.0),
                    None => assert_eq!((profile.tree.calls(node), own), (0, Ticks(0))),
                }
            }
        }
        assert_eq!(found, self.truth);
    }
}

fn begun(builder: &mut Builder, sequence: u64) -> ThreadHandle {
    let thread = builder.thread(&info(sequence, "main"));
    builder.feed(thread, &[Record::ThreadStart { high: 0, sequence: sequence as u32 }.encode()]);
    thread
}

fn finished(builder: Builder) -> Profile {
    let names = MethodNames::default();
    let (rate, meta) = (TickRate::NANOS, meta(1));
    builder.finish(Context { meta, rate, names: &names, virtual_calls: &[] })
}

/// Timed calls directly below summary nodes are those that were made there.
fn check_calls_beside(profile: &Profile) {
    let tree = &profile.tree;
    for node in tree.summary_nodes() {
        let calls: u64 = tree.children(node).map(|child| tree.timed(child)).sum();
        let made: u64 =
            tree.children(node).map(|child| tree.number(Metric::CallsBeside, child)).sum();
        assert_eq!(calls, made + tree.number(Metric::CallsBeside, node));
    }
}

#[test]
fn a_tree_stays_below_its_bound_and_its_sums_are_exact() {
    let mut program = Program::new(1);
    let (mut bound, mut free) = (Builder::new(), Builder::new());
    bound.set_max_memory(BOUND);
    let threads = [&mut bound, &mut free].map(|builder| begun(builder, 1));
    for _ in 0..1500 {
        let words = program.words(1000);
        bound.feed(threads[0], &words);
        free.feed(threads[1], &words);
        assert!(bound.memory_bytes() as u64 <= BOUND, "{}", bound.memory_bytes());
    }
    assert!(free.memory_bytes() as u64 > 4 * BOUND, "the bound has an effect");
    assert!(bound.folds() > 3 && bound.folds() < 200, "{} folds", bound.folds());
    let (bound, free) = (finished(bound), finished(free));
    program.check(&bound);
    program.check(&free);
    check_calls_beside(&bound);
    assert_eq!(bound.total_time(), free.total_time());
    assert_eq!(bound.quality, free.quality);
    let folded: u64 =
        bound.tree.summary_nodes().map(|node| bound.tree.number(Metric::Folded, node)).sum();
    assert!(folded > 5000, "{folded}");
    let text = bound.meta.notices.join("\n");
    assert!(text.contains("folded"), "{text}");
    assert_eq!(free.tree.summary_nodes().count(), 0);
    let mut bytes = Vec::new();
    bound.write(&mut bytes).unwrap();
    assert_eq!(Profile::read(&mut bytes.as_slice()).unwrap(), bound);
}

#[test]
fn folds_go_with_cuts_checkpoints_and_gaps() {
    let mut programs = [Program::new(3), Program::new(4)];
    let mut builder = Builder::new();
    builder.set_max_memory(BOUND / 5);
    builder.keep_slowest(2);
    builder.begin_slice(SliceStart { recording: 7, ..SliceStart::default() });
    let mut threads = [1, 2].map(|sequence| begun(&mut builder, sequence));
    let mut slices: Vec<Profile> = Vec::new();
    let mut folds = 0;
    for round in 0..300 {
        for (program, thread) in programs.iter_mut().zip(threads) {
            builder.feed(thread, &program.words(300));
        }
        match round % 100 {
            // Of what is lost nothing is known here: the times of calls that are open are unknown.
            30 => builder.gap(threads[0], 0),
            60 => {
                let mut bytes = Vec::new();
                builder.checkpoint(Vec::new()).write(&mut bytes).unwrap();
                folds += builder.folds();
                builder = Checkpoint::read(&mut bytes.as_slice()).unwrap().builder;
                folds -= builder.folds();
            }
            99 => {
                let (before, handles) = builder.cut();
                folds += before.folds();
                threads = threads.map(|thread| handles[&thread]);
                slices.push(finished(before));
            }
            _ => {}
        }
    }
    assert!(folds > 6, "{folds}");
    slices.push(finished(builder));
    slices.iter().for_each(|slice| slice.check().unwrap());
    let joined = jfathom_compare::join(slices).unwrap();
    joined.check().unwrap();
    let mut sums: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
    for program in &programs {
        for (method, (calls, _, _, counted, _)) in &program.truth {
            let sum = sums.entry(*method).or_default();
            *sum = (sum.0 + calls, sum.1 + counted);
        }
    }
    let methods = joined.methods.iter().filter(|method| !method.info.is_folded());
    let found: BTreeMap<u32, (u64, u64)> =
        methods.map(|method| (method.id.get(), (method.entries, method.counted))).collect();
    assert_eq!(found, sums);
}

#[test]
fn open_calls_have_nodes_of_their_own_whatever_the_bound() {
    let mut builder = Builder::new();
    builder.set_max_memory(100_000);
    let thread = begun(&mut builder, 1);
    let depth = 20_000;
    let words: Vec<u64> =
        (0..depth).map(|at: u64| e(1 + (at % 1000) as u32, at).encode()).collect();
    builder.feed(thread, &words);
    assert!(builder.folds() < 50);
    let back: Vec<u64> = (0..depth)
        .rev()
        .map(|at: u64| r(1 + (at % 1000) as u32, 2 * depth - at).encode())
        .collect();
    builder.feed(thread, &back);
    let profile = finished(builder);
    profile.check().unwrap();
    let quality = &profile.quality;
    assert_eq!((quality.inferred_exits, quality.unmatched_exits, quality.open_frames), (0, 0, 0));
    assert!(profile.methods.iter().all(|method| method.open == 0));
}
