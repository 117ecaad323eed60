//! Run series from several recordings of one program.

use std::collections::HashMap;

use jfathom_profile::{
    Allocation, Cpu, Frame, MethodCounts, MethodIx, Metric, NodeNumbers, PackedNumbers, PerMetric,
    Profile, Quality, Run, RunInfo, Runs, SampleSource, Scheduling, StackSamples, SumNode, Thread,
    ThreadIx, ThreadTimes, TickRate, Ticks, Tree, TreeSum,
};

use crate::merge::common_rate;
use crate::method_table::MethodTable;
use crate::tree_path::TreePath;

/// One profile with the runs of all profiles. None without profiles.
///
/// Methods are the same if key and digest are equal. Threads whose names differ only in numbers
/// (`worker-1`, `worker-2`) are one thread of the profile, because their work is distributed
/// differently in each run. Ticks become nanoseconds, unless all clocks have one rate.
pub fn into_series(profiles: Vec<Profile>) -> Option<Profile> {
    let rate = common_rate(&profiles)?;
    let sample_source = profiles.first()?.stack_samples.source;
    let mut series: Option<Series> = None;
    for profile in profiles {
        for run in (0..profile.run_count()).filter_map(|run| profile.run(run)) {
            series.get_or_insert_with(|| Series::new(rate, &run, sample_source)).add(run);
        }
        let Some(series) = &mut series else { continue };
        if !profile.runs.is_empty() {
            series.add_longest(&profile);
        }
        series.add_samples(&profile);
    }
    series.map(Series::finish)
}

/// The numbers of a run, by index in the series' tables, which grow while runs are added.
struct RunNumbers {
    info: RunInfo,
    cpu: Cpu,
    methods: HashMap<MethodIx, MethodCounts>,
    threads: HashMap<ThreadIx, ThreadTimes>,
    /// By index of the node in the sum. Shorter if the run has none of the later nodes.
    nodes: Vec<NodeNumbers>,
}

/// A profile to which runs are added.
struct Series {
    profile: Profile,
    methods: MethodTable,
    /// By index of the JVM in its run, and name without numbers.
    threads: HashMap<(u32, String), ThreadIx>,
    tree: TreeSum,
    runs: Vec<RunNumbers>,
}

impl Series {
    fn new(rate: TickRate, first: &Profile, sample_source: SampleSource) -> Self {
        Self {
            profile: Profile {
                mounts: first.mounts,
                allocation: Allocation { source: first.allocation.source, ..Allocation::default() },
                cpu: Cpu { source: first.cpu.source, ..Cpu::default() },
                stack_samples: StackSamples { source: sample_source, ..StackSamples::default() },
                events: first.events.sources(),
                ..Profile::without_records(rate, &first.meta)
            },
            methods: MethodTable::default(),
            threads: HashMap::new(),
            tree: TreeSum::default(),
            runs: Vec::new(),
        }
    }

    fn add(&mut self, run: Profile) {
        let (from, to) = (run.rate, self.profile.rate);
        let convert = |ticks| from.convert(ticks, to);
        let quality = Quality {
            gap_ticks: convert(run.quality.gap_ticks),
            excluded: convert(run.quality.excluded),
            ..run.quality.clone()
        };
        let info = RunInfo {
            started_millis: run.meta.started_millis,
            duration_millis: run.meta.duration_millis,
            jvms: run.meta.jvms.len() as u32,
            quality,
        };
        self.profile.quality.add(&info.quality);
        self.profile.mounts = self.profile.mounts.and(run.mounts);
        self.profile.allocation = self.profile.allocation.and(run.allocation);
        self.profile.cpu = self.profile.cpu.and(run.cpu);
        self.profile.events.add(run.events, convert);
        let mut threads = HashMap::<ThreadIx, ThreadTimes>::new();
        let mut thread_places = Vec::with_capacity(run.threads.len());
        for thread in &run.threads {
            let place = self.add_thread(thread);
            let sum = &mut self.profile.threads[place.0 as usize];
            let of_run = threads.entry(place).or_default();
            for (unattributed, excluded, scheduling) in [
                (&mut sum.unattributed, &mut sum.excluded, &mut sum.scheduling),
                (&mut of_run.unattributed, &mut of_run.excluded, &mut of_run.scheduling),
            ] {
                *unattributed += convert(thread.unattributed);
                *excluded += convert(thread.excluded);
                *scheduling = Scheduling::sum(*scheduling, thread.scheduling);
            }
            thread_places.push(place);
        }
        let mut methods = HashMap::new();
        let mut method_places = Vec::with_capacity(run.methods.len());
        for method in run.methods {
            let counts = method.counts();
            let place = self.methods.add(&mut self.profile.methods, method);
            methods.insert(place, counts);
            method_places.push(place);
        }
        self.profile.meta.merge(run.meta);
        let frame = |frame| placed(frame, &thread_places, &method_places);
        self.profile.latencies.add(run.latencies.mapped(frame, convert));
        let nodes = add_tree(&mut self.tree, &run.tree, convert, frame);
        self.runs.push(RunNumbers { info, cpu: run.cpu, methods, threads, nodes });
    }

    /// Adds what a series has of its calls' durations, which its runs do not have. They were added.
    fn add_longest(&mut self, added: &Profile) {
        let (from, to) = (added.rate, self.profile.rate);
        let convert = |ticks| from.convert(ticks, to);
        let (threads, methods) = self.places(added);
        let frame = |frame| placed(frame, &threads, &methods);
        self.profile.latencies.add(added.latencies.mapped(frame, convert));
        let tree = &added.tree;
        let mut path = TreePath::default();
        for node in tree.nodes() {
            let place = path.push(tree.depth(node), |parent| {
                Some(self.tree.child(parent, frame(tree.frame(node))))
            });
            let longest = convert(tree.longest(node));
            if let Some(place) = place {
                self.tree.add(place, &NodeNumbers::of(&[(Metric::Longest, longest.0)]));
            }
        }
    }

    /// Adds the samples and walks of a profile whose runs were added: runs do not keep theirs.
    fn add_samples(&mut self, added: &Profile) {
        let (threads, methods) = self.places(added);
        let frame = |frame| placed(frame, &threads, &methods);
        self.profile.stack_samples.add(&added.stack_samples, frame);
        self.profile.stack_walks.add(&added.stack_walks, frame);
    }

    /// Where the threads and methods of a profile are whose runs were added.
    fn places(&mut self, added: &Profile) -> (Vec<ThreadIx>, Vec<MethodIx>) {
        let methods = added.methods.iter();
        let methods = methods.map(|method| self.methods.find(method).unwrap_or(MethodIx(0)));
        let methods = methods.collect();
        (added.threads.iter().map(|thread| self.add_thread(thread)).collect(), methods)
    }

    /// The index of a run's thread in the series. A new thread is added without times.
    fn add_thread(&mut self, thread: &Thread) -> ThreadIx {
        let threads = &mut self.profile.threads;
        let name = without_numbers(&thread.name);
        let next = ThreadIx(threads.len() as u32);
        let place = *self.threads.entry((thread.jvm, name.clone())).or_insert(next);
        match threads.get_mut(place.0 as usize) {
            Some(known) => {
                if known.name != thread.name {
                    known.name = name;
                }
                known.ended &= thread.ended;
            }
            None => threads.push(Thread {
                unattributed: Ticks(0),
                excluded: Ticks(0),
                scheduling: None,
                ..thread.clone()
            }),
        }
        place
    }

    fn finish(self) -> Profile {
        let Self { mut profile, tree, runs, .. } = self;
        let order = tree.preorder();
        if runs.len() > 1 {
            let size = (profile.methods.len() as u32, profile.threads.len() as u32);
            profile.runs = runs.into_iter().map(|run| run.columns(&order, size)).collect();
        }
        profile.tree = tree.tree();
        profile.lift_unread_bytes();
        profile
    }
}

impl RunNumbers {
    /// The run with a value for each node, method and thread of the series; `size` is the number of
    /// its methods and threads.
    fn columns(self, order: &[SumNode], (methods, threads): (u32, u32)) -> Run {
        let numbers = |node: &SumNode| self.nodes.get(node.index()).copied().unwrap_or_default();
        let column = |metric: Metric| -> PackedNumbers {
            let column: PackedNumbers = order.iter().map(|node| numbers(node)[metric]).collect();
            if column.is_zero() { PackedNumbers::default() } else { column }
        };
        Run {
            methods: (0..methods)
                .map(|at| self.methods.get(&MethodIx(at)).copied().unwrap_or_default())
                .collect(),
            threads: (0..threads)
                .map(|at| self.threads.get(&ThreadIx(at)).copied().unwrap_or_default())
                .collect(),
            numbers: PerMetric::new(|metric| match metric.info().runs {
                Runs::Own => column(metric),
                Runs::Sum | Runs::Shared => PackedNumbers::default(),
            }),
            cpu: self.cpu,
            info: self.info,
        }
    }
}

/// A frame of an added profile by the places that its threads and methods have in the series.
fn placed(frame: Frame, threads: &[ThreadIx], methods: &[MethodIx]) -> Frame {
    match frame {
        Frame::Thread(of) => Frame::Thread(threads[of.0 as usize]),
        Frame::Method(of) => Frame::Method(methods[of.0 as usize]),
        Frame::Task(of) => Frame::Task(methods[of.0 as usize]),
    }
}

/// Adds a run's tree to the sum of all runs. Returns the run's own numbers by index of the node in
/// the sum.
fn add_tree(
    sum: &mut TreeSum,
    tree: &Tree,
    convert: impl Fn(Ticks) -> Ticks,
    frame: impl Fn(Frame) -> Frame,
) -> Vec<NodeNumbers> {
    let mut of_run: Vec<NodeNumbers> = Vec::new();
    let mut path = TreePath::default();
    for node in tree.nodes() {
        let place =
            path.push(tree.depth(node), |parent| Some(sum.child(parent, frame(tree.frame(node)))));
        let Some(place) = place else { continue };
        let numbers = tree.numbers(node).map_times(&convert);
        sum.add(place, &numbers);
        sum.add_events(place, tree.events(node), &convert);
        if of_run.len() <= place.index() {
            of_run.resize(sum.len(), NodeNumbers::default());
        }
        of_run[place.index()].add(&numbers);
    }
    of_run
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
