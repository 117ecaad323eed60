//! Scheduling of the recorded threads by the kernel.

use jfathom_profile::{Profile, Scheduling};
use jfathom_session::{Process, ThreadTimes};
use jfathom_trace::ThreadInfo;
use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

/// Time between two looks, at least.
const PERIOD: Duration = Duration::from_millis(20);
/// The time between two looks is at least this many times the duration of the last.
const SHARE: u32 = 50;

/// The threads of one JVM. A look opens one file per thread, and another per thread that ran, one
/// after another.
#[derive(Debug)]
pub(crate) struct SchedulingWatch {
    /// None if the process is not known.
    process: Option<Process>,
    /// Whether the JVM's threads have other ids here than in its own `/proc`, as in a container.
    has_inner_ids: bool,
    /// By thread number.
    threads: HashMap<u64, Watched>,
    last: Instant,
    took: Duration,
}

/// A thread since the first look at it.
#[derive(Clone, Copy, Debug)]
struct Watched {
    kernel_id: u32,
    begun: Instant,
    first: Look,
    latest: Look,
    latest_at: Instant,
    ended: bool,
}

#[derive(Clone, Copy, Debug)]
struct Look {
    times: ThreadTimes,
    involuntary: u64,
}

impl SchedulingWatch {
    /// The watch of a JVM that calls itself `own_pid`.
    pub(crate) fn new(process: Option<Process>, own_pid: u64) -> Self {
        let has_inner_ids = process.is_some_and(|process| u64::from(process.pid()) != own_pid);
        let (threads, took) = Default::default();
        Self { process, has_inner_ids, threads, last: Instant::now(), took }
    }

    /// Watches more threads from now on.
    pub(crate) fn add(&mut self, begun: Vec<ThreadInfo>) {
        let Some(process) = self.process.filter(|_| !begun.is_empty()) else { return };
        let by_inner_id = self.has_inner_ids.then(|| process.threads_by_inner_id());
        let id_here = |id: u32| match &by_inner_id {
            Some(ids) => ids.get(&id).copied(),
            None => Some(id),
        };
        for thread in begun {
            let id = u32::try_from(thread.kernel_id).ok().filter(|id| *id != 0).and_then(id_here);
            let Some((kernel_id, first)) = id.and_then(|id| Some((id, look(process, id, None)?)))
            else {
                continue;
            };
            // The kernel gives the id of a thread that has ended to another one.
            for known in self.threads.values_mut().filter(|known| known.kernel_id == kernel_id) {
                known.ended = true;
            }
            let now = Instant::now();
            let watched = Watched {
                kernel_id,
                begun: now,
                first,
                latest: first,
                latest_at: now,
                ended: false,
            };
            self.threads.insert(thread.sequence, watched);
        }
    }

    /// Looks at all threads if it is time.
    pub(crate) fn look_if_due(&mut self) {
        let Some(process) = self.process else { return };
        if self.last.elapsed() < PERIOD.max(self.took.saturating_mul(SHARE)) {
            return;
        }
        let begun = Instant::now();
        for watched in self.threads.values_mut().filter(|watched| !watched.ended) {
            match look(process, watched.kernel_id, Some(watched.latest)) {
                Some(latest) if latest.times.ran >= watched.latest.times.ran => {
                    (watched.latest, watched.latest_at) = (latest, Instant::now());
                }
                _ => watched.ended = true,
            }
        }
        self.last = Instant::now();
        self.took = self.last - begun;
    }

    /// Observed scheduling, by thread number.
    pub(crate) fn observed(self) -> HashMap<u64, Scheduling> {
        let of = |(number, watched): (u64, Watched)| {
            let observed = watched.latest_at - watched.begun;
            (!observed.is_zero()).then(|| (number, watched.scheduling(observed)))
        };
        self.threads.into_iter().filter_map(of).collect()
    }
}

impl Watched {
    fn scheduling(&self, observed: Duration) -> Scheduling {
        let nanos = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let (first, latest) = (self.first.times, self.latest.times);
        Scheduling {
            observed_nanos: nanos(observed),
            ran_nanos: nanos(latest.ran.saturating_sub(first.ran)),
            queued_nanos: nanos(latest.queued.saturating_sub(first.queued)),
            involuntary_switches: self.latest.involuntary.saturating_sub(self.first.involuntary),
        }
    }
}

/// One look at a thread; none if it has ended, or if the kernel does not show its times.
fn look(process: Process, id: u32, before: Option<Look>) -> Option<Look> {
    let times = process.thread_times(id)?;
    let involuntary = match before.filter(|before| before.times.switches == times.switches) {
        Some(before) => before.involuntary,
        None => process.involuntary_switches(id)?,
    };
    Some(Look { times, involuntary })
}

/// Puts what was observed into a JVM's profile.
pub(crate) fn add_to(profile: &mut Profile, observed: &HashMap<u64, Scheduling>) {
    for thread in &mut profile.threads {
        thread.scheduling = observed.get(&thread.sequence).copied();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own() -> Process {
        Process::find(std::process::id()).unwrap()
    }

    fn this_thread() -> u64 {
        let thread = std::fs::read_link("/proc/thread-self").unwrap();
        thread.file_name().unwrap().to_str().unwrap().parse().unwrap()
    }

    fn thread(sequence: u64, kernel_id: u64) -> ThreadInfo {
        ThreadInfo { sequence, thread_id: sequence, kernel_id, name: String::new() }
    }

    #[test]
    fn a_thread_that_runs_is_observed() {
        let mut watch = SchedulingWatch::new(Some(own()), u64::from(own().pid()));
        watch.add(vec![thread(7, this_thread()), thread(8, 0)]);
        let ran = |watch: &SchedulingWatch| watch.threads[&7].latest.times.ran;
        let first = ran(&watch);
        while ran(&watch) == first {
            watch.look_if_due();
        }
        let observed = watch.observed();
        assert_eq!(observed.keys().collect::<Vec<_>>(), [&7]);
        let found = observed[&7];
        assert!(found.ran_nanos > 0 && found.observed_nanos >= found.ran_nanos / 2, "{found:?}");
    }

    #[test]
    fn threads_with_inner_ids_are_looked_up() {
        // The ids of both namespaces are equal here, and those of no thread are left out.
        let mut watch = SchedulingWatch::new(Some(own()), u64::from(own().pid()) + 1);
        watch.add(vec![thread(7, this_thread()), thread(8, u64::from(u32::MAX))]);
        assert_eq!(watch.threads.keys().collect::<Vec<_>>(), [&7]);
        let mut unknown = SchedulingWatch::new(None, 1);
        unknown.add(vec![thread(7, this_thread())]);
        assert!(unknown.observed().is_empty());
    }
}
