//! Sums of profiles.

use jfathom_profile::{Frame, MethodIx, Profile, Quality, Thread, ThreadIx, TickRate, TreeSum};

use crate::method_table::MethodTable;
use crate::tree_path::TreePath;

/// The sum of profiles of different JVMs. Methods are the same if key and digest are equal. Threads
/// stay separate. Runs are added up. Ticks become nanoseconds, unless all clocks have one rate.
/// None without profiles.
pub fn merge(profiles: Vec<Profile>) -> Option<Profile> {
    let rate = common_rate(&profiles)?;
    let mut merge = Merge {
        profile: Profile::without_records(rate, &profiles.first()?.meta),
        methods: MethodTable::default(),
        tree: TreeSum::default(),
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
    tree: TreeSum,
}

impl Merge {
    fn add(&mut self, other: Profile) {
        let to = &mut self.profile;
        let (from_rate, to_rate) = (other.rate, to.rate);
        let convert = |ticks| from_rate.convert(ticks, to_rate);
        let (first_jvm, first_thread) = (to.meta.jvms.len() as u32, to.threads.len() as u32);
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
        let thread = |thread: ThreadIx| ThreadIx(thread.0 + first_thread);
        let method = |method: MethodIx| methods[method.0 as usize];
        let mut path = TreePath::default();
        for node in other.tree.nodes() {
            let depth = other.tree.depth(node);
            let place = match other.tree.frame(node) {
                Frame::Thread(of) => path.push(depth, |_| Some(self.tree.add_thread(thread(of)))),
                Frame::Method(of) => path
                    .push(depth, |parent| Some(self.tree.child(parent, Frame::Method(method(of))))),
                Frame::Task(of) => path
                    .push(depth, |parent| Some(self.tree.child(parent, Frame::Task(method(of))))),
            };
            if let Some(place) = place {
                let mut numbers = other.tree.numbers(node);
                numbers.self_time = convert(numbers.self_time);
                self.tree.add(place, &numbers);
            }
        }
    }

    fn finish(self) -> Profile {
        Profile { tree: self.tree.tree(), ..self.profile }
    }
}
