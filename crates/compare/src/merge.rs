//! Sums of profiles.

use jfathom_profile::{
    Allocation, Cpu, Frame, MethodIx, Profile, Quality, StackSamples, Thread, ThreadIx, TickRate,
    Ticks, Tree, TreeSum,
};
use std::collections::HashSet;

use crate::method_table::MethodTable;
use crate::tree_path::TreePath;

/// The sum of profiles of different JVMs. Methods are the same if key and digest are equal. Threads
/// stay separate. Runs are added up. Ticks become nanoseconds, unless all clocks have one rate.
/// None without profiles.
pub fn merge(profiles: Vec<Profile>) -> Option<Profile> {
    let rate = common_rate(&profiles)?;
    let first = profiles.first()?;
    let mut merge = Merge {
        profile: Profile {
            mounts: first.mounts,
            allocation: Allocation { source: first.allocation.source, ..Allocation::default() },
            cpu: Cpu { source: first.cpu.source, ..Cpu::default() },
            stack_samples: StackSamples {
                source: first.stack_samples.source,
                ..StackSamples::default()
            },
            events: first.events.sources(),
            ..Profile::without_records(rate, &first.meta)
        },
        methods: MethodTable::default(),
        trees: Vec::new(),
    };
    for profile in profiles {
        merge.add(profile);
    }
    Some(merge.finish())
}

/// The common rate of all profiles, or nanoseconds if they differ. None without profiles.
pub(crate) fn common_rate(profiles: &[Profile]) -> Option<TickRate> {
    let rate = profiles.first()?.rate;
    Some(if profiles.iter().all(|profile| profile.rate == rate) { rate } else { TickRate::NANOS })
}

/// A sum to which profiles are added.
struct Merge {
    profile: Profile,
    methods: MethodTable,
    /// One for each profile. Threads stay separate, and so do their trees.
    trees: Vec<Tree>,
}

impl Merge {
    fn add(&mut self, other: Profile) {
        let to = &mut self.profile;
        let (from_rate, to_rate) = (other.rate, to.rate);
        let convert = |ticks| from_rate.convert(ticks, to_rate);
        let (first_jvm, first_thread) = (to.meta.jvms.len() as u32, to.threads.len() as u32);
        to.mounts = to.mounts.and(other.mounts);
        to.allocation = to.allocation.and(other.allocation);
        to.cpu = to.cpu.and(other.cpu);
        to.events.add(other.events, convert);
        to.meta.merge(other.meta);
        to.quality.add(&Quality {
            gap_ticks: convert(other.quality.gap_ticks),
            excluded: convert(other.quality.excluded),
            ..other.quality
        });
        to.threads.extend(other.threads.into_iter().map(|thread| Thread {
            jvm: thread.jvm.saturating_add(first_jvm),
            unattributed: convert(thread.unattributed),
            excluded: convert(thread.excluded),
            ..thread
        }));
        let methods: Vec<MethodIx> = other
            .methods
            .into_iter()
            .map(|method| self.methods.add(&mut to.methods, method))
            .collect();
        let frame = |frame| match frame {
            Frame::Thread(thread) => Frame::Thread(ThreadIx(thread.0 + first_thread)),
            Frame::Method(method) => Frame::Method(methods[method.0 as usize]),
            Frame::Task(method) => Frame::Task(methods[method.0 as usize]),
        };
        to.latencies.add(other.latencies.mapped(frame, convert));
        to.stack_samples.add(&other.stack_samples, frame);
        to.stack_walks.add(&other.stack_walks, frame);
        let is_same = from_rate == to_rate
            && first_thread == 0
            && methods.iter().zip(0..).all(|(method, own)| method.0 == own);
        self.trees.push(if is_same {
            other.tree
        } else {
            mapped(other.tree, &methods, frame, convert)
        });
    }

    fn finish(self) -> Profile {
        let mut sum = Profile { tree: Tree::concat(self.trees), ..self.profile };
        // What one recording has not read must be among the same caller's bytes in all.
        sum.lift_unread_bytes();
        sum
    }
}

/// The tree with frames and self times of the sum. `methods` has the indices of the methods there.
fn mapped(
    tree: Tree,
    methods: &[MethodIx],
    frame: impl Fn(Frame) -> Frame,
    convert: impl Fn(Ticks) -> Ticks,
) -> Tree {
    if methods.iter().collect::<HashSet<_>>().len() == methods.len() {
        return tree.map(frame, convert);
    }
    // Siblings of several methods that are the same in the sum become one node.
    let mut sum = TreeSum::default();
    let mut path = TreePath::default();
    for node in tree.nodes() {
        let place =
            path.push(tree.depth(node), |parent| Some(sum.child(parent, frame(tree.frame(node)))));
        if let Some(place) = place {
            sum.add(place, &tree.numbers(node).map_times(&convert));
            sum.add_events(place, tree.events(node), &convert);
        }
    }
    sum.tree()
}
