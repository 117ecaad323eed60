//! Which slow call handed which task off, among those that are kept.

use std::collections::HashMap;

use jfathom_profile::{Activation, Profile, Ticks};

/// A hand-off by one of the slowest calls whose task is another one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandOffArrow {
    /// Place of the call that hands off, in [`jfathom_profile::Latencies::slowest`].
    pub from: usize,
    /// When it does, after its begin.
    pub after: Ticks,
    /// Place of the task.
    pub to: usize,
}

/// All of them, by their tasks.
pub fn hand_off_arrows(profile: &Profile) -> Vec<HandOffArrow> {
    let calls = &profile.latencies.slowest;
    let jvm = |call: &Activation| profile.threads.get(call.thread.0 as usize).map(|of| of.jvm);
    // By JVM and number: when, by whom, and how long after its begin.
    let mut made: HashMap<_, Vec<(u64, usize, Ticks)>> = HashMap::new();
    for (from, call) in calls.iter().enumerate() {
        for of in call.hand_offs.made.iter().filter(|of| of.number != 0) {
            let when = call.began.0.saturating_add(of.after.0);
            made.entry((jvm(call), of.number)).or_default().push((when, from, of.after));
        }
    }
    let arrow = |(to, task): (usize, &Activation)| {
        let before = made.get(&(jvm(task), task.hand_offs.task))?.iter();
        // A call within a kept one is kept, too: its hand-offs are in both. The inner one has it.
        let last = before
            .filter(|(when, ..)| *when <= task.began.0)
            .max_by_key(|(when, from, _)| (*when, calls.get(*from).map_or(0, |call| call.began.0)));
        last.map(|(_, from, after)| HandOffArrow { from: *from, after: *after, to })
    };
    calls.iter().enumerate().filter_map(arrow).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_profile::{Frame, HandOff, HandOffs, MethodIx, ThreadIx};
    use jfathom_testkit::small_profile;

    fn call(began: u64, task: u32, made: &[(u32, u64)]) -> Activation {
        let made =
            made.iter().map(|(number, after)| HandOff { number: *number, after: Ticks(*after) });
        Activation {
            path: vec![Frame::Method(MethodIx(0))],
            thread: ThreadIx(0),
            thread_id: 1,
            began: Ticks(began),
            duration: Ticks(100),
            records: 0,
            left_out: 0,
            hand_offs: HandOffs { task, made: made.collect() },
            events: Vec::new(),
            spans: Vec::new(),
        }
    }

    #[test]
    fn a_task_belongs_to_the_last_hand_off_of_its_number_before_it() {
        let mut profile = small_profile::profile();
        profile.latencies.slowest = vec![
            call(1_000, 0, &[(5, 10), (6, 20), (0, 30)]),
            call(2_000, 0, &[(5, 10)]),
            call(1_500, 5, &[]),
            call(2_500, 5, &[]),
            call(900, 6, &[]),
            call(3_000, 0, &[]),
        ];
        let arrow = |from, after, to| HandOffArrow { from, after: Ticks(after), to };
        assert_eq!(hand_off_arrows(&profile), [arrow(0, 10, 2), arrow(1, 10, 3)]);
        // Another JVM's numbers are its own.
        let mut other = profile.threads[0].clone();
        other.jvm += 1;
        profile.threads.push(other);
        let last = ThreadIx(profile.threads.len() as u32 - 1);
        profile.latencies.slowest[2].thread = last;
        assert_eq!(hand_off_arrows(&profile), [arrow(1, 10, 3)]);
    }

    #[test]
    fn of_two_calls_with_the_hand_off_the_inner_one_has_it() {
        let mut profile = small_profile::profile();
        profile.latencies.slowest =
            vec![call(1_000, 0, &[(5, 50)]), call(1_040, 0, &[(5, 10)]), call(1_050, 5, &[])];
        let arrow = HandOffArrow { from: 1, after: Ticks(10), to: 2 };
        assert_eq!(hand_off_arrows(&profile), [arrow]);
    }
}
