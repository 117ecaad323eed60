//! Builder to profile.

use std::collections::BTreeSet;

use jfathom_plan::{MethodId, Problem};

use super::Builder;
use super::method_sums::MethodSums;
use crate::build::id_table::{IdNumbers, IdTable};
use crate::build::tree_builder::{self, BETWEEN, NONE, SUMMARY};
use crate::model::latency::sum_latencies;
use crate::{
    Allocation, Bytes, Cpu, CpuSource, Events, Latencies, Meta, Method, MethodInfo, MethodIx,
    MethodNames, Metric, Mode, Mounts, OWN_CLOCK_ERROR_NANOS, Profile, Quality, StackSamples,
    StackWalks, Thread, TickRate, Ticks, Tree, UnsampledCalls, model::frame,
};

/// What a builder does not know of its JVM.
#[derive(Clone, Debug)]
pub struct Context<'a> {
    /// Origin of the profile. If it has exactly one JVM, that JVM gets the budget.
    pub meta: Meta,
    /// Rate of the JVM's clock.
    pub rate: TickRate,
    /// Names of the JVM's methods.
    pub names: &'a MethodNames,
    /// Calls on virtual threads by method.
    pub virtual_calls: &'a [(MethodId, u64)],
}

/// The name of constructors (JVMS 2.9.1).
const CONSTRUCTOR: &str = "<init>";

impl Builder {
    /// The profile of the whole recording.
    pub fn finish(mut self, context: Context<'_>) -> Profile {
        self.settle(true);
        // Counted calls that calls are placed below are none of the open ones.
        let open = self.open_call_ids();
        let spans = self.slow_spans();
        let joined = self.place_calls(context.names);
        if context.names.know_calls() {
            self.latencies.slowest.show_counted(&self.tree, spans, &joined);
        }
        self.latencies.follow_paths(&self.tree);
        self.latencies.give_longest(&mut self.tree);
        self.profile(context, &open)
    }

    /// The profile of the records so far, with open calls. Takes time and memory in proportion to
    /// the tree. [`Builder::checkpoint`] is cheap enough to be taken every second.
    pub fn snapshot(&self, context: Context<'_>) -> Profile {
        self.clone().finish(context)
    }

    /// The profile. `open` has the method of each open call.
    fn profile(&self, context: Context<'_>, open: &[u32]) -> Profile {
        let Context { mut meta, rate, names, virtual_calls } = context;
        let mut quality = self.quality.clone();
        let mut counts = self.methods.map(Counts::of);
        let is_off = |id: &MethodId| self.modes.get(&id.get()) == Some(&Mode::Off);
        for (id, calls) in virtual_calls.iter().filter(|(id, _)| !is_off(id)) {
            let sum = &mut counts.row(id.get()).virtual_calls;
            *sum = sum.saturating_add(*calls);
        }
        for (id, ..) in self.latencies.all_unsampled() {
            counts.row(id).is_root = true;
        }
        // Of a call that began in an earlier slice, some methods were called there alone.
        let frames = self.latencies.slowest.frames();
        for frame in frames.filter(|frame| frame::kind(*frame) != frame::FOLDED) {
            counts.row(frame::value(frame)).is_root = true;
        }
        self.count_entries(&mut counts);
        open.iter().for_each(|id| counts.row(*id).open += 1);
        quality.open_frames += open.len() as u64;
        let folded = self.sign_id(SUMMARY, &mut counts);
        let between = self.sign_id(BETWEEN, &mut counts);
        let signs = [(folded, MethodInfo::folded()), (between, MethodInfo::between())];
        let (methods, indices) = self.method_table(&counts, names, &signs, &mut quality);
        let sign = |of: Option<MethodId>| of.and_then(|id| indices.get(id.get()).checked_sub(1));
        let in_profile = |frame| match frame::kind(frame) {
            frame::THREAD => Some(frame),
            frame::FOLDED if frame == BETWEEN => sign(between),
            frame::FOLDED => sign(folded),
            kind => {
                let index = indices.get(frame::value(frame)).checked_sub(1);
                index.map(|index| frame::pack(kind, index))
            }
        };
        let tree = tree_builder::columns(&self.tree, |frame| {
            in_profile(frame).expect("the method of a node was called")
        });
        let unsampled = self.latencies.all_unsampled().filter_map(|(id, calls, time)| {
            let method = MethodIx(indices.get(id).checked_sub(1)?);
            Some(UnsampledCalls { method, calls, time })
        });
        let latencies = Latencies {
            // Calls that stood apart may be below one counted method.
            paths: sum_latencies(self.latencies.recorded().filter_map(|of| of.latency(in_profile))),
            unwatched: self.latencies.unwatched(),
            unsampled: unsampled.collect(),
            slowest: self.latencies.slowest.activations(in_profile),
            most_slowest: self.latencies.slowest.most(),
            slowest_without_spans: self.latencies.slowest.without_spans(),
        };
        let threads = self.threads.iter().map(|state| Thread {
            jvm: 0,
            sequence: state.sequence,
            thread_id: state.thread_id,
            name: state.name.clone(),
            ended: state.ended,
            unattributed: Ticks(self.tree.nodes[state.root as usize].self_ticks),
            excluded: Ticks(state.clock.excluded.saturating_sub(state.excluded_before)),
            scheduling: None,
        });
        let threads = threads.collect();
        if let [jvm] = meta.jvms.as_mut_slice() {
            jvm.budget = self.budget;
        }
        let tree = Tree::new(tree).expect("columns written in preorder");
        meta.notices.extend(self.folding.notice(&tree));
        Profile {
            meta,
            rate,
            methods,
            threads,
            tree,
            quality,
            anchor: None,
            runs: Vec::new(),
            latencies,
            slice: self.slice.as_ref().map(|begin| begin.slice(&self.tree)),
            mounts: Mounts::default(),
            trust: None,
            allocation: Allocation {
                unattributed: self.unattributed_bytes(),
                ..Allocation::default()
            },
            cpu: Cpu {
                source: match (self.has_cpu, self.own_clock) {
                    (false, _) => CpuSource::Unasked,
                    (true, None) => CpuSource::Perf,
                    (true, Some(_)) => CpuSource::ThreadClock,
                },
                switch_error_nanos: self.own_clock.map_or(0, |_| OWN_CLOCK_ERROR_NANOS),
                ..Cpu::default()
            },
            stack_samples: StackSamples::default(),
            stack_walks: StackWalks::default(),
            events: Events::default(),
        }
    }

    /// Bytes that threads have allocated between their outermost recorded calls.
    fn unattributed_bytes(&self) -> Bytes {
        self.threads.iter().map(|state| Bytes(self.tree.extra(state.root)[Metric::Allocated])).sum()
    }

    /// The id of the method that stands for a frame which is no method's: one that no method has;
    /// none if there is no such frame. It gets a row.
    fn sign_id(&self, frame: u32, counts: &mut IdTable<Counts>) -> Option<MethodId> {
        let mut frames = self.tree.nodes.iter().map(|node| node.frame);
        let is_there =
            frames.any(|of| of == frame) || self.latencies.slowest.frames().any(|of| of == frame);
        if !is_there {
            return None;
        }
        let used: BTreeSet<u32> = counts.iter().map(|(id, _)| id).collect();
        let free = (0..=MethodId::MAX.get()).rev().find(|id| !used.contains(id));
        let free = MethodId::new(free?)?;
        counts.row(free.get()).is_root = true;
        Some(free)
    }

    fn count_entries(&self, counts: &mut IdTable<Counts>) {
        for (ix, node) in (0..).zip(&self.tree.nodes).skip(1) {
            match frame::kind(node.frame) {
                frame::METHOD => {
                    let counts = counts.row(node.frame);
                    counts.entries = counts.entries.saturating_add(node.calls);
                    counts.counted =
                        counts.counted.saturating_add(self.tree.extra(ix)[Metric::Counted]);
                }
                frame::TASK => counts.row(frame::value(node.frame)).is_root = true,
                _ => {}
            }
        }
    }

    /// The method of each open call, by id.
    fn open_call_ids(&self) -> Vec<u32> {
        let mut all = Vec::new();
        for state in self.states() {
            let mut at = state.current;
            while at != state.root && at != NONE {
                let node = &self.tree.nodes[at as usize];
                if frame::kind(node.frame) == frame::METHOD {
                    all.push(node.frame);
                }
                at = node.parent;
            }
        }
        all
    }

    /// Checks that each method has as many exits as entries. An error names the method.
    pub(super) fn check_counts(&self) -> Result<(), Problem> {
        let mut counts = self.methods.map(Counts::of);
        self.count_entries(&mut counts);
        self.open_call_ids().into_iter().for_each(|id| counts.row(id).open += 1);
        let wrong = counts.iter().find(|(_, counts)| {
            let MethodSums { returns, throws, inferred, .. } = counts.sums;
            let exits =
                [returns, throws, inferred, counts.open].into_iter().fold(0, u64::saturating_add);
            counts.entries != exits
        });
        wrong.map_or(Ok(()), |(id, _)| {
            Err(format!("entries and exits of method {id} do not fit").into())
        })
    }
}

/// All counts of a method id.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    sums: MethodSums,
    entries: u64,
    open: u64,
    virtual_calls: u64,
    counted: u64,
    is_root: bool,
}

impl Counts {
    fn of(sums: &MethodSums) -> Self {
        Self { sums: *sums, ..Self::default() }
    }

    fn was_met(&self) -> bool {
        self.entries != 0
            || self.counted != 0
            || self.virtual_calls != 0
            || self.is_root
            || self.sums != MethodSums::default()
    }
}

impl Builder {
    /// The methods that were called, ascending by id, and by id one plus the index in that table.
    fn method_table(
        &self,
        counts: &IdTable<Counts>,
        names: &MethodNames,
        signs: &[(Option<MethodId>, MethodInfo)],
        quality: &mut Quality,
    ) -> (Vec<Method>, IdNumbers) {
        let mut methods = Vec::new();
        let mut indices = IdNumbers::default();
        for (id, counts) in counts.iter().filter(|(_, counts)| counts.was_met()) {
            let Some(id) = MethodId::new(id) else { continue };
            *indices.get_mut(id.get()) = methods.len() as u32 + 1;
            let (info, named) = match signs.iter().find(|(sign, _)| *sign == Some(id)) {
                Some((_, info)) => (info.clone(), true),
                None => names.or_unnamed(id),
            };
            if !named {
                quality.unnamed_methods += 1;
            }
            if info.key.name == CONSTRUCTOR {
                quality.inferred_exits = quality.inferred_exits.saturating_sub(counts.sums.unwound);
                quality.constructor_exits += counts.sums.unwound;
            }
            let demotion = self.demotions.get(&id.get()).copied();
            let from_start = self.modes.get(&id.get()).copied().unwrap_or_default();
            methods.push(Method {
                id,
                info,
                entries: counts.entries,
                returns: counts.sums.returns,
                throws: counts.sums.throws,
                inferred: counts.sums.inferred,
                open: counts.open,
                unmatched_exits: counts.sums.unmatched,
                caught: counts.sums.caught,
                virtual_calls: counts.virtual_calls,
                counted: counts.counted,
                mode: if demotion.is_some() { Mode::Count } else { from_start },
                demotion,
                since: None,
                is_unread: false,
            });
        }
        (methods, indices)
    }
}
