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
/// A thread is looked at again after this part of the time since the first look, but after
/// [`LONGEST`] at the latest: what it does after its last look is missing.
const PART: u32 = 200;
const LONGEST: Duration = Duration::from_secs(1);

/// The threads of one JVM. A look opens one file per thread, and another per thread that ran, one
/// after another.
#[derive(Debug)]
pub(crate) struct SchedulingWatch {
    /// None if the process is not known.
    process: Option<Process>,
    /// Whether the JVM's threads have other ids here than in its own `/proc`, as in a container.
    has_inner_ids: bool,
    /// The threads that run, by thread number.
    running: HashMap<u64, Watched>,
    /// The numbers of those threads by their ids in the kernel.
    by_kernel_id: HashMap<u32, u64>,
    /// What was observed of threads that have ended, by thread number.
    ended: HashMap<u64, Scheduling>,
    last: Instant,
    took: Duration,
}

/// A thread since the first look at it.
#[derive(Clone, Copy, Debug)]
struct Watched {
    kernel_id: u32,
    /// When it was looked at first, in whichever slice.
    met: Instant,
    begun: Instant,
    first: Look,
    latest: Look,
    latest_at: Instant,
    /// Whether it is to be shown though there was no second look: an earlier slice shows it.
    is_shown: bool,
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
        let (running, by_kernel_id, ended, took) = Default::default();
        let last = Instant::now();
        Self { process, has_inner_ids, running, by_kernel_id, ended, last, took }
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
            if let Some(before) = self.by_kernel_id.insert(kernel_id, thread.sequence) {
                self.end(before);
            }
            let now = Instant::now();
            let watched = Watched {
                kernel_id,
                met: now,
                begun: now,
                first,
                latest: first,
                latest_at: now,
                is_shown: false,
            };
            self.running.insert(thread.sequence, watched);
        }
    }

    /// A thread has ended: what was observed of it stays.
    fn end(&mut self, thread: u64) {
        let Some(watched) = self.running.remove(&thread) else { return };
        if self.by_kernel_id.get(&watched.kernel_id) == Some(&thread) {
            self.by_kernel_id.remove(&watched.kernel_id);
        }
        self.ended.extend(watched.scheduling().map(|of| (thread, of)));
    }

    /// Looks at those threads for which it is time.
    pub(crate) fn look_if_due(&mut self) {
        if self.last.elapsed() >= PERIOD.max(self.took.saturating_mul(SHARE)) {
            self.look(Watched::is_due);
        }
    }

    /// Looks at all threads.
    pub(crate) fn look_at_all(&mut self) {
        self.look(|_, _| true);
    }

    fn look(&mut self, is_due: impl Fn(&Watched, Instant) -> bool) {
        let Some(process) = self.process else { return };
        let begun = Instant::now();
        let mut ended = Vec::new();
        for (thread, watched) in &mut self.running {
            if !is_due(watched, begun) {
                continue;
            }
            match look(process, watched.kernel_id, Some(watched.latest)) {
                Some(latest) if latest.times.ran >= watched.latest.times.ran => {
                    (watched.latest, watched.latest_at) = (latest, Instant::now());
                }
                _ => ended.push(*thread),
            }
        }
        ended.into_iter().for_each(|thread| self.end(thread));
        self.last = Instant::now();
        self.took = self.last - begun;
    }

    /// Scheduling that was observed since the last call, by thread number. Threads that have ended
    /// are forgotten.
    pub(crate) fn take_observed(&mut self) -> HashMap<u64, Scheduling> {
        let mut observed = std::mem::take(&mut self.ended);
        for (thread, watched) in &mut self.running {
            observed.extend(watched.scheduling().map(|of| (*thread, of)));
            watched.go_on();
        }
        observed
    }
}

impl Watched {
    fn is_due(&self, now: Instant) -> bool {
        let pause = now.saturating_duration_since(self.met) / PART;
        now.saturating_duration_since(self.latest_at) >= pause.min(LONGEST)
    }

    /// What was observed; none if there was one look alone.
    fn scheduling(&self) -> Option<Scheduling> {
        let observed = self.latest_at - self.begun;
        if observed.is_zero() && !self.is_shown {
            return None;
        }
        let nanos = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let (first, latest) = (self.first.times, self.latest.times);
        Some(Scheduling {
            observed_nanos: nanos(observed),
            ran_nanos: nanos(latest.ran.saturating_sub(first.ran)),
            queued_nanos: nanos(latest.queued.saturating_sub(first.queued)),
            involuntary_switches: self.latest.involuntary.saturating_sub(self.first.involuntary),
        })
    }

    /// What comes is observed from the latest look on.
    fn go_on(&mut self) {
        self.is_shown |= self.latest_at > self.begun;
        (self.begun, self.first) = (self.latest_at, self.latest);
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
        let ran = |watch: &SchedulingWatch| watch.running[&7].latest.times.ran;
        let first = ran(&watch);
        while ran(&watch) == first {
            watch.look_if_due();
        }
        let observed = watch.take_observed();
        assert_eq!(observed.keys().collect::<Vec<_>>(), [&7]);
        let found = observed[&7];
        assert!(found.ran_nanos > 0 && found.observed_nanos >= found.ran_nanos / 2, "{found:?}");
    }

    #[test]
    fn looks_at_a_thread_become_rarer() {
        let (met, ids) = (Instant::now(), u64::from(own().pid()));
        let mut watch = SchedulingWatch::new(Some(own()), ids);
        watch.add(vec![thread(7, this_thread())]);
        let watched = watch.running[&7];
        let is_due = |age: u64, ago: u64| {
            let now = met + Duration::from_millis(age);
            let latest_at = now - Duration::from_millis(ago);
            Watched { met, latest_at, ..watched }.is_due(now)
        };
        assert!(is_due(1_000, 5) && !is_due(1_000, 4));
        assert!(is_due(20_000, 100) && !is_due(20_000, 99));
        assert!(is_due(86_400_000, 1_000) && !is_due(86_400_000, 999));
        // Whoever ends a recording looks at it nevertheless.
        watch.running.get_mut(&7).unwrap().met = met - Duration::from_secs(60);
        let before = watch.running[&7].latest_at;
        watch.look_if_due();
        assert_eq!(watch.running[&7].latest_at, before);
        watch.look_at_all();
        assert!(watch.running[&7].latest_at > before);
    }

    #[test]
    fn each_slice_has_its_own_part_and_no_thread_of_the_past() {
        let mut watch = SchedulingWatch::new(Some(own()), u64::from(own().pid()));
        watch.add(vec![thread(7, this_thread())]);
        let look = |watch: &mut SchedulingWatch| {
            let before = watch.running[&8].latest.times.ran;
            while watch.running[&8].latest.times.ran == before {
                watch.look_if_due();
            }
        };
        // The kernel gives the id to the next thread.
        watch.add(vec![thread(8, this_thread())]);
        assert_eq!(watch.running.keys().collect::<Vec<_>>(), [&8]);
        look(&mut watch);
        let begun = Instant::now();
        let first = watch.take_observed();
        assert_eq!(first.keys().collect::<Vec<_>>(), [&8]);
        assert_eq!(watch.take_observed()[&8], Scheduling::default());
        look(&mut watch);
        let second = watch.take_observed()[&8];
        let most = begun.elapsed() + watch.took + PERIOD;
        assert!(second.ran_nanos > 0 && u128::from(second.observed_nanos) <= most.as_nanos());
        // Who has ended is not there twice.
        watch.end(8);
        assert_eq!(watch.take_observed().len(), 1);
        assert!(watch.take_observed().is_empty() && watch.by_kernel_id.is_empty());
    }

    #[test]
    fn threads_with_inner_ids_are_looked_up() {
        // The ids of both namespaces are equal here, and those of no thread are left out.
        let mut watch = SchedulingWatch::new(Some(own()), u64::from(own().pid()) + 1);
        watch.add(vec![thread(7, this_thread()), thread(8, u64::from(u32::MAX))]);
        assert_eq!(watch.running.keys().collect::<Vec<_>>(), [&7]);
        let mut unknown = SchedulingWatch::new(None, 1);
        unknown.add(vec![thread(7, this_thread())]);
        assert!(unknown.take_observed().is_empty());
    }
}
