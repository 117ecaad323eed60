//! Random streams against a slow model that keeps whole stacks with entry times.

use std::collections::BTreeMap;

use jfathom_profile::{Builder, Frame, Profile};
use jfathom_testkit::{Random, profiles::*, records::*};
use jfathom_trace::record::Record;

/// A frame of the model: a method, or a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    Method(u32),
    Task(u32),
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Sums {
    calls: u64,
    total: u64,
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Exits {
    entries: u64,
    returns: u64,
    throws: u64,
    inferred: u64,
    open: u64,
    unmatched: u64,
    caught: u64,
}

#[derive(Default)]
struct Model {
    /// Open frames with their entry times, bottom first.
    stack: Vec<(Name, u64)>,
    paths: BTreeMap<Vec<Name>, Sums>,
    exits: BTreeMap<u32, Exits>,
    /// Ticks taken out so far.
    out: u64,
    /// Time of the last record; none before the first.
    last: Option<u64>,
    repaired_tasks: u64,
}

impl Model {
    fn path(&self) -> Vec<Name> {
        self.stack.iter().map(|(name, _)| *name).collect()
    }

    fn now(&self) -> u64 {
        self.last.unwrap()
    }

    fn open(&mut self, name: Name) {
        self.stack.push((name, self.now()));
        self.paths.entry(self.path()).or_default().calls += 1;
        if let Name::Method(method) = name {
            self.exits.entry(method).or_default().entries += 1;
        }
    }

    /// Takes the top off the stack and gives its time to its path.
    fn close(&mut self) -> Name {
        let path = self.path();
        let (name, since) = self.stack.pop().unwrap();
        self.paths.entry(path).or_default().total += self.now() - since;
        name
    }

    /// Closes frames as inferred until `depth` are left.
    fn close_to(&mut self, depth: usize) {
        while self.stack.len() > depth {
            match self.close() {
                Name::Method(method) => self.exits.entry(method).or_default().inferred += 1,
                Name::Task(_) => self.repaired_tasks += 1,
            }
        }
    }

    fn find(&self, name: Name) -> Option<usize> {
        self.stack.iter().rposition(|(open, _)| *open == name)
    }

    fn exit(&mut self, method: u32, count: fn(&mut Exits)) {
        match self.find(Name::Method(method)) {
            Some(at) => {
                self.close_to(at + 1);
                self.close();
                count(self.exits.entry(method).or_default());
            }
            None => {
                self.close_to(0);
                self.exits.entry(method).or_default().unmatched += 1;
            }
        }
    }

    /// Takes in a record whose full time is `time`.
    fn step(&mut self, record: Record, time: u64) {
        if !matches!(record, Record::Adjust { .. }) {
            let time = time - self.out;
            self.last = Some(self.last.map_or(time, |last| last.max(time)));
        }
        match record {
            Record::Entry { id, .. } => self.open(Name::Method(id.get())),
            Record::Return { id, .. } => self.exit(id.get(), |exits| exits.returns += 1),
            Record::Throw { id, .. } => self.exit(id.get(), |exits| exits.throws += 1),
            Record::Caught { id, .. } => {
                self.exits.entry(id.get()).or_default().caught += 1;
                if let Some(at) = self.find(Name::Method(id.get())) {
                    self.close_to(at + 1);
                }
            }
            Record::TaskOpen { id, .. } => self.open(Name::Task(id.get())),
            Record::TaskClose { id, .. } => match self.find(Name::Task(id.get())) {
                Some(at) => {
                    self.close_to(at + 1);
                    self.close();
                }
                None => self.repaired_tasks += 1,
            },
            Record::Adjust { ticks } => self.out += ticks,
            _ => unreachable!("the stream has no other records"),
        }
    }

    fn finish(&mut self) {
        while !self.stack.is_empty() {
            if let Name::Method(method) = self.close() {
                self.exits.entry(method).or_default().open += 1;
            }
        }
    }
}

/// Mostly sound calls, with everything that can go wrong in between. Full times with the records.
fn stream(random: &mut Random, length: usize) -> Vec<(Record, u64)> {
    let mut open: Vec<u32> = Vec::new();
    let mut time = (1 << 41) + random.below(1 << 44);
    let mut owed = 0;
    let mut records = Vec::new();
    while records.len() < length {
        time += random.below(200);
        let low = time & ((1 << 40) - 1);
        let any = random.below(6) as u32;
        let record = match random.below(100) {
            0..45 => {
                open.push(any);
                e(any, low)
            }
            45..80 => match open.pop() {
                Some(method) => r(method, low),
                None => continue,
            },
            80..88 => match open.pop() {
                Some(method) => x(method, low),
                None => continue,
            },
            // An exit that no probe tells.
            88..91 => {
                open.pop();
                continue;
            }
            // An exit of a frame further down, or of none.
            91..93 => r(any, low),
            93..96 => c(any, low),
            96 => Record::TaskOpen { id: id(any), time: low },
            97 => Record::TaskClose { id: id(any), time: low },
            98 => {
                // A wait of its own length, and the next record after it; or a pause that is told
                // later.
                let ticks = random.below(5000);
                match random.below(2) {
                    0 => records.push((Record::Adjust { ticks }, time)),
                    _ => owed += ticks,
                }
                time += ticks;
                continue;
            }
            99 if owed > 0 => {
                records.push((Record::Adjust { ticks: owed }, time));
                owed = 0;
                continue;
            }
            _ => {
                time += random.below(1 << 42);
                continue;
            }
        };
        records.push((record, time));
    }
    records
}

/// What the builder made of it, in the model's terms.
fn paths(profile: &Profile) -> BTreeMap<Vec<Name>, Sums> {
    let tree = &profile.tree;
    let mut path: Vec<Option<Name>> = Vec::new();
    let mut paths = BTreeMap::new();
    for node in tree.nodes() {
        path.truncate(tree.depth(node) as usize);
        path.push(match tree.frame(node) {
            Frame::Thread(_) => None,
            Frame::Method(method) => Some(Name::Method(profile.method(method).id.get())),
            Frame::Task(method) => Some(Name::Task(profile.method(method).id.get())),
        });
        let names: Vec<Name> = path.iter().flatten().copied().collect();
        if !names.is_empty() {
            let sums = Sums { calls: tree.calls(node), total: tree.total_time(node).0 };
            assert_eq!(paths.insert(names, sums), None, "a path has one node");
        }
    }
    paths
}

#[test]
fn random_streams_agree_with_the_model() {
    for seed in 1..=300 {
        let mut random = Random(seed * 0x9e37_79b9);
        let length = 1 + random.below(400) as usize;
        let stream = stream(&mut random, length);
        let mut model = Model::default();
        let mut high = None;
        let mut all = Vec::new();
        for (record, time) in &stream {
            let new = (time >> 40) as u32;
            match high {
                None => all.push(Record::ThreadStart { high: new, sequence: 1 }.encode()),
                Some(old) if old != new => all.push(Record::TimeHigh { high: new }.encode()),
                Some(_) => {}
            }
            high = Some(new);
            all.push(record.encode());
            // Coarse times are those that the record holds.
            let told = match Record::decode(record.encode()) {
                Some(
                    Record::Caught { time, .. }
                    | Record::TaskOpen { time, .. }
                    | Record::TaskClose { time, .. },
                ) => u64::from(new) << 40 | time,
                _ => *time,
            };
            model.step(*record, told);
        }
        model.finish();

        let mut builder = Builder::new();
        let main = builder.thread(&info(1, "main"));
        let mut rest = all.as_slice();
        while !rest.is_empty() {
            let (now, later) = rest.split_at((1 + random.below(50) as usize).min(rest.len()));
            builder.feed(main, now);
            rest = later;
        }
        let profile = profile(&builder);
        let paths = paths(&profile);
        let difference = paths.iter().zip(&model.paths).find(|(found, expected)| found != expected);
        assert_eq!(
            (paths.len(), difference),
            (model.paths.len(), None),
            "seed {seed}: found, expected"
        );
        let exits: BTreeMap<u32, Exits> = profile
            .methods
            .iter()
            .map(|method| {
                let exits = Exits {
                    entries: method.entries,
                    returns: method.returns,
                    throws: method.throws,
                    inferred: method.inferred,
                    open: method.open,
                    unmatched: method.unmatched_exits,
                    caught: method.caught,
                };
                (method.id.get(), exits)
            })
            .filter(|(_, exits)| *exits != Exits::default())
            .collect();
        assert_eq!(exits, model.exits, "seed {seed}");
        assert_eq!(profile.quality.repaired_tasks, model.repaired_tasks, "seed {seed}");
        assert_eq!(profile.quality.backward_times, 0, "seed {seed}");
    }
}

#[test]
fn random_words_never_panic() {
    let mut random = Random(7);
    for _ in 0..200 {
        let mut builder = Builder::new();
        let threads = [builder.thread(&info(1, "a")), builder.thread(&info(1, "b"))];
        for _ in 0..random.below(300) {
            // Few ids, so that exits find their entries and tables stay small; many escapes.
            let mut word = random.next() & 0xc000_07ff_ffff_ffff;
            if random.below(4) == 0 {
                word = random.below(16) << 56 | (random.next() & 0x0000_00ff_ffff_ffff);
            }
            let thread = threads[random.below(2) as usize];
            if random.below(50) == 0 {
                builder.gap(thread, random.next());
            }
            builder.feed(thread, &[word]);
        }
        profile(&builder);
    }
}
