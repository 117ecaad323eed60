//! Programs whose work is known, run on probes whose cost is known.

use std::collections::BTreeMap;

use jfathom_profile::{
    Builder, Calibration, CallKind, Context, Frame, NodeIx, Phase, Profile, TickRate,
};
use jfathom_trace::Counter;
use jfathom_trace::record::Record;

use jfathom_testkit::{
    Random,
    profiles::{meta, names},
    records::{id, info, words},
};

/// What probes cost, in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub struct Probes {
    pub inner: f64,
    pub outer: f64,
    pub outer_throw: f64,
    pub count: f64,
    pub note: f64,
    /// The cost of each probe varies by so much, evenly, to either side.
    pub jitter: f64,
}

pub const NANO_TIME: Probes =
    Probes { inner: 21.0, outer: 22.0, outer_throw: 45.0, count: 1.2, note: 3.0, jitter: 2.0 };

/// A running program.
pub struct Simulation {
    probes: Probes,
    /// What a call costs beyond its probes, by method.
    residual: BTreeMap<u32, f64>,
    counted_residual: f64,
    thrown_residual: f64,
    /// Calls by method so far, where the first ones cost more.
    warm: Option<BTreeMap<u32, u64>>,
    random: Random,
    now: f64,
    /// Counted calls without a record, by method.
    counters: BTreeMap<u32, u64>,
    path: Vec<u32>,
    records: Vec<Record>,
    /// Work in nanoseconds by path: of the program itself.
    pub truth: BTreeMap<Vec<u32>, f64>,
}

impl Simulation {
    pub fn new(probes: Probes, seed: u64) -> Self {
        Self {
            probes,
            residual: BTreeMap::new(),
            counted_residual: 0.0,
            thrown_residual: 0.0,
            warm: None,
            random: Random(seed),
            now: 0.0,
            counters: BTreeMap::new(),
            path: Vec::new(),
            records: vec![Record::ThreadStart { high: 0, sequence: 1 }],
            truth: BTreeMap::new(),
        }
    }

    pub fn residual(&mut self, method: u32, nanos: f64) {
        self.residual.insert(method, nanos);
    }

    pub fn counted_residual(&mut self, nanos: f64) {
        self.counted_residual = nanos;
    }

    pub fn thrown_residual(&mut self, nanos: f64) {
        self.thrown_residual = nanos;
    }

    /// A call ends by an exception that came from below.
    pub fn pass_on(&mut self) {
        self.now += self.thrown_residual;
        self.throws();
    }

    fn pass(&mut self, nanos: f64) {
        let jitter = self.probes.jitter * (self.random.below(2001) as f64 / 1000.0 - 1.0);
        self.now += (nanos + jitter).max(0.0);
    }

    fn read_clock(&mut self) -> u64 {
        for (method, calls) in std::mem::take(&mut self.counters) {
            self.records.push(Record::Counted { id: id(method), calls });
            self.now += self.probes.note;
        }
        self.now as u64
    }

    /// First calls are interpreted, and those after them compiled in haste.
    pub fn warms_up(&mut self) {
        self.warm = Some(BTreeMap::new());
    }

    fn early(&mut self, method: u32) {
        let Some(calls) = self.warm.as_mut().map(|warm| warm.entry(method).or_default()) else {
            return;
        };
        *calls += 1;
        let nanos = match *calls {
            ..=300 => self.random.below(30),
            301..=10_000 => 15 + self.random.below(25),
            _ => 0,
        };
        self.now += nanos as f64;
    }

    fn residual_of(&self, method: u32) -> f64 {
        self.residual.get(&method).copied().unwrap_or(0.0)
    }

    /// The program works.
    pub fn work(&mut self, nanos: f64) {
        self.now += nanos;
        *self.truth.entry(self.path.clone()).or_default() += nanos;
    }

    /// A timed call.
    pub fn call(&mut self, method: u32, body: impl FnOnce(&mut Self)) {
        self.early(method);
        self.pass(self.probes.outer / 2.0 + self.residual_of(method) / 2.0);
        let time = self.read_clock();
        self.records.push(Record::Entry { id: id(method), time });
        self.path.push(method);
        self.truth.entry(self.path.clone()).or_default();
        self.pass(self.probes.inner / 2.0);
        body(self);
    }

    pub fn returns(&mut self) {
        let method = self.path.pop().unwrap();
        self.pass(self.probes.inner / 2.0 + self.residual_of(method) / 2.0);
        let time = self.read_clock();
        self.records.push(Record::Return { id: id(method), time });
        self.pass(self.probes.outer / 2.0);
    }

    pub fn throws(&mut self) {
        let method = self.path.pop().unwrap();
        self.pass(self.probes.inner / 2.0 + self.residual_of(method) / 2.0);
        let time = self.read_clock();
        self.records.push(Record::Throw { id: id(method), time });
        self.pass(self.probes.outer_throw - self.probes.outer / 2.0);
    }

    /// A call that returns.
    pub fn timed(&mut self, method: u32, body: impl FnOnce(&mut Self)) {
        self.call(method, body);
        self.returns();
    }

    /// A counted call, which works.
    pub fn counted(&mut self, method: u32, nanos: f64) {
        self.work(nanos);
        self.now += self.probes.count + self.counted_residual;
        *self.counters.entry(method).or_default() += 1;
    }

    /// All work that the program did, in nanoseconds.
    pub fn whole_truth(&self) -> f64 {
        self.truth.values().sum()
    }

    /// The profile, with calibrations whose batches scatter by `scatter` around the probes' cost.
    pub fn profile(&mut self, scatter: f64) -> Profile {
        let mut builder = Builder::new();
        let main = builder.thread(&info(1, "main"));
        builder.feed(main, &words(&self.records));
        let counters = self.counters.iter();
        let counters: Vec<_> =
            counters.map(|(method, calls)| (id(*method), Counter::new(*calls, 0))).collect();
        builder.add_counters(main, &counters);
        let mut meta = meta(1);
        let probes = self.probes;
        for phase in [Phase::Start, Phase::End] {
            let pair = probes.inner + probes.outer;
            for (kind, inner, outer) in [
                (CallKind::Return, probes.inner, probes.outer),
                (CallKind::Throw, probes.inner, probes.outer_throw),
                (CallKind::Nested, pair, pair),
                (CallKind::Count, 0.0, probes.count),
                (CallKind::Mixed, probes.inner, probes.outer + probes.count + probes.note),
                (CallKind::Off, 0.0, 0.5),
            ] {
                let drift = scatter * (self.random.below(2001) as f64 / 1000.0 - 1.0);
                let mut batches = |nanos: f64| -> Vec<f64> {
                    let each = || {
                        nanos + drift + scatter * (self.random.below(2001) as f64 / 1000.0 - 1.0)
                    };
                    std::iter::repeat_with(each).take(20).collect()
                };
                let (inner, outer, reference) = (batches(inner), batches(outer), batches(1.0));
                meta.jvms[0]
                    .calibrations
                    .push(Calibration::from_batches(phase, kind, 4096, &inner, &outer, &reference));
            }
        }
        let names = names();
        let profile = builder.finish(Context {
            meta,
            rate: TickRate::NANOS,
            names: &names,
            virtual_calls: &[],
        });
        profile.check().unwrap();
        profile
    }
}

/// The paths of a profile's nodes, threads left out.
pub fn paths(profile: &Profile) -> Vec<(NodeIx, Vec<u32>)> {
    let tree = &profile.tree;
    let mut path: Vec<u32> = Vec::new();
    let mut all = Vec::new();
    for node in tree.nodes() {
        path.truncate((tree.depth(node) as usize).saturating_sub(1));
        if let Frame::Method(method) = tree.frame(node) {
            path.push(profile.method(method).id.get());
            all.push((node, path.clone()));
        }
    }
    all
}
