//! Several recordings of one program as the runs of one profile.

use std::collections::{BTreeMap, HashMap};

use jfathom_plan::{Digest, MethodKey};

use crate::merge::{common_rate, merge_method};
use crate::tree_builder::{self, NONE, TreeBuilder};
use crate::{
    Frame, MethodCounts, MethodIx, Profile, Quality, Run, RunInfo, Thread, ThreadCount, ThreadIx,
    ThreadTimes, TickRate, Ticks, Tree, frame,
};

/// Several recordings of one program as one profile with runs; runs that a profile already has stay
/// apart. `None` if there is no profile.
///
/// Methods are the same if key and digest are. The threads of a run that differ in nothing but
/// numbers in their names (`worker-1`, `worker-2`) are one thread of the profile, as which of them
/// did what changes from run to run. Times become nanoseconds unless all clocks have one rate.
pub fn into_series(profiles: Vec<Profile>) -> Option<Profile> {
    let rate = common_rate(&profiles)?;
    let mut collected: Option<Collected> = None;
    for profile in profiles {
        for run in (0..profile.run_count()).filter_map(|run| profile.run(run)) {
            collected.get_or_insert_with(|| Collected::new(rate, &run)).add(run);
        }
    }
    collected.map(Collected::finish)
}

/// The numbers of a run by places that grow while runs come.
struct Part {
    facts: RunInfo,
    methods: HashMap<u32, MethodCounts>,
    threads: HashMap<u32, ThreadTimes>,
    nodes: Vec<Numbers>,
    counts: Vec<ThreadCount>,
}

/// The numbers of a run in a node of the growing tree.
#[derive(Clone, Copy, Default)]
struct Numbers {
    calls: u64,
    self_ticks: u64,
    counted: u64,
    notes: u64,
    throws: u64,
}

struct Collected {
    profile: Profile,
    methods: HashMap<(MethodKey, Digest), u32>,
    /// By place of the JVM in its run and name without numbers.
    threads: HashMap<(u32, String), u32>,
    tree: TreeBuilder,
    wait_shares: Vec<Part>,
}

impl Collected {
    fn new(rate: TickRate, first: &Profile) -> Self {
        let profile = Profile::before_sums(rate, &first.meta);
        Self {
            profile,
            methods: HashMap::new(),
            threads: HashMap::new(),
            tree: TreeBuilder::default(),
            wait_shares: Vec::new(),
        }
    }

    fn add(&mut self, run: Profile) {
        let (from, to) = (run.rate, self.profile.rate);
        let convert = |ticks| from.convert(ticks, to);
        let quality = Quality {
            gap_ticks: convert(run.quality.gap_ticks),
            adjusted: convert(run.quality.adjusted),
            ..run.quality.clone()
        };
        let facts = RunInfo {
            started_millis: run.meta.started_millis,
            duration_millis: run.meta.duration_millis,
            jvms: run.meta.jvms.len() as u32,
            quality,
        };
        let (mut methods, mut threads) = (HashMap::new(), HashMap::<u32, ThreadTimes>::new());
        let mut of_thread = Vec::with_capacity(run.threads.len());
        for thread in &run.threads {
            let times = ThreadTimes {
                outside: convert(thread.outside),
                adjusted: convert(thread.adjusted),
            };
            let place = self.thread(thread);
            let to = threads.entry(place).or_default();
            to.outside += times.outside;
            to.adjusted += times.adjusted;
            of_thread.push(place);
        }
        let to = &mut self.profile;
        to.quality.add(&facts.quality);
        for (place, times) in &threads {
            to.threads[*place as usize].outside += times.outside;
            to.threads[*place as usize].adjusted += times.adjusted;
        }
        let mut of_method = Vec::with_capacity(run.methods.len());
        for method in run.methods {
            let counts = method.counts();
            let place = merge_method(to, &mut self.methods, method);
            methods.insert(place, counts);
            of_method.push(place);
        }
        let mut counts: BTreeMap<(u32, u32), u64> = BTreeMap::new();
        for count in &run.counts {
            let key = (of_thread[count.thread.0 as usize], of_method[count.method.0 as usize]);
            let sum = counts.entry(key).or_default();
            *sum = sum.saturating_add(count.calls);
        }
        to.meta.take_in(run.meta);
        let rate = (run.rate, to.rate);
        let nodes = graft(&mut self.tree, &run.tree, rate, |frame| match frame {
            Frame::Thread(thread) => frame::pack(frame::THREAD, of_thread[thread.0 as usize]),
            Frame::Method(method) => frame::pack(frame::METHOD, of_method[method.0 as usize]),
            Frame::Task(method) => frame::pack(frame::TASK, of_method[method.0 as usize]),
        });
        self.wait_shares.push(Part {
            facts,
            methods,
            threads,
            nodes,
            counts: thread_counts(counts),
        });
    }

    /// The place of a run's thread among the profile's.
    fn thread(&mut self, thread: &Thread) -> u32 {
        let threads = &mut self.profile.threads;
        let name = without_numbers(&thread.name);
        let next = threads.len() as u32;
        let place = *self.threads.entry((thread.jvm, name.clone())).or_insert(next);
        match threads.get_mut(place as usize) {
            Some(known) => {
                if known.name != thread.name {
                    known.name = name;
                }
                known.ended &= thread.ended;
            }
            None => {
                threads.push(Thread { outside: Ticks(0), adjusted: Ticks(0), ..thread.clone() })
            }
        }
        place
    }

    fn finish(self) -> Profile {
        let Self { mut profile, tree, wait_shares: parts, .. } = self;
        let order = tree_builder::preorder(&tree);
        let mut all: BTreeMap<(u32, u32), u64> = BTreeMap::new();
        let several = parts.len() > 1;
        let mut runs = Vec::with_capacity(parts.len());
        for part in parts {
            for count in &part.counts {
                let sum = all.entry((count.thread.0, count.method.0)).or_default();
                *sum = sum.saturating_add(count.calls);
            }
            let number = |ix: u32| part.nodes.get(ix as usize).copied().unwrap_or_default();
            let column = |of: fn(Numbers) -> u64| {
                order.iter().map(|(ix, _)| of(number(*ix))).collect::<Vec<u64>>()
            };
            let sparse =
                |column: Vec<u64>| if column.iter().all(|n| *n == 0) { Vec::new() } else { column };
            let places = |many: usize| 0..many as u32;
            runs.push(Run {
                methods: places(profile.methods.len())
                    .map(|at| part.methods.get(&at).copied().unwrap_or_default())
                    .collect(),
                threads: places(profile.threads.len())
                    .map(|at| part.threads.get(&at).copied().unwrap_or_default())
                    .collect(),
                calls: column(|numbers| numbers.calls),
                self_ticks: column(|numbers| numbers.self_ticks).into_iter().map(Ticks).collect(),
                counted: sparse(column(|numbers| numbers.counted)),
                notes: sparse(column(|numbers| numbers.notes)),
                throws: sparse(column(|numbers| numbers.throws)),
                counts: part.counts,
                facts: part.facts,
            });
        }
        profile.counts = thread_counts(all);
        profile.tree = Tree::new(tree_builder::columns(&tree, |frame| frame))
            .expect("columns written in preorder");
        if several {
            profile.runs = runs;
        }
        profile
    }
}

fn thread_counts(counts: BTreeMap<(u32, u32), u64>) -> Vec<ThreadCount> {
    let count = |((thread, method), calls)| ThreadCount {
        thread: ThreadIx(thread),
        method: MethodIx(method),
        calls,
    };
    counts.into_iter().map(count).collect()
}

/// Adds a run's tree to the sum of all, and gives its own numbers by node of that.
fn graft(
    sum: &mut TreeBuilder,
    tree: &Tree,
    rate: (TickRate, TickRate),
    frame: impl Fn(Frame) -> u32,
) -> Vec<Numbers> {
    let mut numbers: Vec<Numbers> = Vec::new();
    let mut path: Vec<u32> = Vec::new();
    for node in tree.nodes() {
        path.truncate(tree.depth(node) as usize);
        let at = sum.child(path.last().copied().unwrap_or(NONE), frame(tree.frame(node)));
        path.push(at);
        if numbers.len() <= at as usize {
            numbers.resize(sum.nodes.len(), Numbers::default());
        }
        let found = Numbers {
            calls: tree.calls(node),
            self_ticks: rate.0.convert(tree.self_time(node), rate.1).0,
            counted: tree.counted(node),
            notes: tree.notes(node),
            throws: tree.throws(node),
        };
        let own = &mut numbers[at as usize];
        let to = &mut sum.nodes[at as usize];
        for (to, found) in [
            (&mut own.calls, found.calls),
            (&mut own.self_ticks, found.self_ticks),
            (&mut own.counted, found.counted),
            (&mut own.notes, found.notes),
            (&mut own.throws, found.throws),
            (&mut to.calls, found.calls),
            (&mut to.self_ticks, found.self_ticks),
        ] {
            *to = to.saturating_add(found);
        }
        if found.counted | found.notes | found.throws != 0 {
            let to = sum.extra_mut(at);
            to.counted = to.counted.saturating_add(found.counted);
            to.notes = to.notes.saturating_add(found.notes);
            to.throws = to.throws.saturating_add(found.throws);
        }
    }
    numbers
}

/// A name with `#` for each number in it.
fn without_numbers(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for character in name.chars() {
        match character.is_ascii_digit() {
            true if text.ends_with('#') => {}
            true => text.push('#'),
            false => text.push(character),
        }
    }
    text
}
