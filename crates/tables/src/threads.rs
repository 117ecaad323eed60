//! The table of threads.

use crate::{
    cells::{Cells, Rows},
    key::{RunId, count, nanos},
};
use jfathom_calibration::Times;
use jfathom_profile::{Frame, NodeIx, Profile, Thread};
use jfathom_views::Shown;
use std::ops::Range;

/// The threads of a profile, in its order.
pub(crate) struct ThreadRows<'a> {
    run: RunId,
    profile: &'a Profile,
    is_corrected: bool,
    /// By thread: its node and its times.
    roots: Vec<(NodeIx, Times)>,
}

impl<'a> ThreadRows<'a> {
    pub fn new(profile: &'a Profile, shown: &Shown) -> Self {
        let mut roots = vec![(NodeIx(0), Times::default()); profile.threads.len()];
        for root in &shown.roots {
            if let Frame::Thread(at) = shown.tree.frame(*root)
                && let Some(place) = roots.get_mut(at.0 as usize)
            {
                *place = (*root, shown.times_or_measured(*root));
            }
        }
        Self { run: RunId::of(profile), profile, is_corrected: shown.is_corrected(), roots }
    }

    fn pid(&self, thread: &Thread) -> u64 {
        self.profile.meta.jvms.get(thread.jvm as usize).map_or(0, |jvm| jvm.pid)
    }
}

impl Rows for ThreadRows<'_> {
    fn len(&self) -> usize {
        self.roots.len()
    }

    fn columns(&self, rows: Range<usize>) -> Vec<Cells> {
        let threads = || self.profile.threads[rows.clone()].iter();
        let roots = || self.roots[rows.clone()].iter();
        let bar = |times: &Times| self.is_corrected.then(|| nanos(times.total_error_nanos));
        vec![
            Cells::int64s(threads().map(|_| self.run.0)),
            Cells::int32s(rows.clone().map(|at| at as i32)),
            Cells::texts(threads().map(|thread| &*thread.name)),
            Cells::int64s(threads().map(|thread| count(thread.sequence))),
            Cells::int64s(threads().map(|thread| count(thread.thread_id))),
            Cells::int64s(threads().map(|thread| count(self.pid(thread)))),
            Cells::int32s(roots().map(|(node, _)| node.0 as i32)),
            Cells::bools(threads().map(|thread| thread.ended)),
            Cells::int64s(roots().map(|(_, times)| nanos(times.total_nanos))),
            Cells::optional_int64s(roots().map(|(_, times)| bar(times))),
            Cells::optional_int64s(
                threads().map(|thread| Some(count(thread.scheduling?.ran_nanos))),
            ),
            Cells::optional_int64s(
                threads().map(|thread| Some(count(thread.scheduling?.queued_nanos))),
            ),
        ]
    }
}
