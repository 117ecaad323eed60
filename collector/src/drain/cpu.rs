//! When the threads of one JVM run: the kernel's context switches, on the clock of their records.

mod tick_clock;

use jfathom_plan::MethodId;
use jfathom_profile::{
    BuilderSink, Cpu, CpuSource, OWN_CLOCK_ERROR_NANOS, OffCpu, OffCpuSpan, Ticks,
};
use jfathom_session::Process;
use jfathom_switches::{Interval, Nanos, OffCpu as State, SwitchError, SwitchWatch, Tid};
use jfathom_trace::{Counter, Header, RingIx, Sink, ThreadInfo, TraceError};
use std::{
    collections::{HashMap, VecDeque},
    time::{Duration, Instant},
};
use tick_clock::TickClock;

/// What the kernel does between the two records of a switch, in ns: it is in no thread's running
/// time, whereas the kernel's own count of CPU time gives it to the thread that comes. Measured as
/// what the two differ by (docs/lab/cpu.md).
const SWITCH_NANOS: u64 = 2_000;
/// So many threads that record nothing are known; of more, nothing is known before their next
/// switch.
const MOST_OTHERS: usize = 1 << 16;
/// How often both clocks are read where no thread switches: an interval may begin long before its
/// end.
const LOOK: Duration = Duration::from_secs(1);
/// Rounds for which intervals of threads are kept that do not record: a ring may be found in the
/// round after the one that missed it.
const ROUNDS_KEPT: u64 = 2;

/// The switches of one JVM.
#[derive(Debug)]
pub(crate) struct CpuWatch {
    process: Option<Process>,
    /// Whether the JVM's threads have other ids here than in its own `/proc`, as in a container.
    has_inner_ids: bool,
    /// None if the kernel tells none.
    watch: Option<SwitchWatch>,
    clock: TickClock,
    looked: Instant,
    /// Threads that record.
    rings: HashMap<Tid, RingIx>,
    tids: HashMap<RingIx, Tid>,
    /// Since when something is known of a thread.
    known_since: HashMap<Tid, Nanos>,
    /// Intervals of threads that do not record, each with its round.
    recent: VecDeque<(u64, Interval)>,
    round: u64,
    cpu: Cpu,
    /// Ticks per second, if the threads' own clocks tell it.
    own_clock: Option<u64>,
}

/// Fills in the error of a switch where a recording has not ended with one: without the doubt of
/// its clock, which nobody has noted.
pub(crate) fn add_switch_error(cpu: &mut Cpu) {
    if cpu.source == CpuSource::Perf && cpu.switch_error_nanos == 0 {
        cpu.switch_error_nanos = SWITCH_NANOS;
    }
}

impl CpuWatch {
    /// Watches a JVM from now on. Where the kernel refuses, nothing is known of its threads; the
    /// error says why, for the user.
    pub(crate) fn start(process: Option<Process>, header: &Header) -> (Self, Option<SwitchError>) {
        let has_inner_ids = process.is_some_and(|of| u64::from(of.pid()) != header.pid);
        let clock = TickClock::new(&header.clock, process.map(Process::pid));
        let started = process.map(|process| SwitchWatch::start(process.pid()));
        let (watch, error) = match started {
            Some(Ok(watch)) => (Some(watch), None),
            Some(Err(error)) => (None, Some(error)),
            None => (None, None),
        };
        let has_clock = clock.is_some();
        let watch = watch.filter(|_| has_clock);
        let source = if watch.is_some() { CpuSource::Perf } else { CpuSource::Refused };
        let watch = Self {
            process,
            has_inner_ids,
            watch,
            clock: clock.unwrap_or_default(),
            looked: Instant::now(),
            rings: HashMap::new(),
            tids: HashMap::new(),
            known_since: HashMap::new(),
            recent: VecDeque::new(),
            round: 0,
            cpu: Cpu { source, ..Cpu::default() },
            own_clock: None,
        };
        (watch, error)
    }

    /// The threads' own clocks tell it, and nobody watches. Where the JVM could not read them,
    /// nothing is known.
    pub(crate) fn of_own_clocks(header: &Header) -> Self {
        let own_clock = header.has_thread_clock.then_some(header.clock.hz);
        let source = match own_clock {
            Some(_) => CpuSource::ThreadClock,
            None => CpuSource::Refused,
        };
        let (watch, _) = Self::start(None, header);
        Self { own_clock, cpu: Cpu { source, ..Cpu::default() }, ..watch }
    }

    /// Has a builder split the times.
    pub(crate) fn begin_split(&self, feeder: &mut BuilderSink) {
        match self.own_clock {
            Some(hz) => feeder.builder_mut().record_own_clocks(hz),
            None => feeder.builder_mut().record_cpu(),
        }
    }

    /// Threads of which nothing is known, and why that is so of the last one.
    pub(crate) fn missed(&self) -> Option<(usize, &SwitchError)> {
        self.watch.as_ref()?.missed()
    }

    /// What was counted since the last call.
    pub(crate) fn take_counts(&mut self) -> Cpu {
        let source = self.cpu.source;
        let counted = std::mem::replace(&mut self.cpu, Cpu { source, ..Cpu::default() });
        let switch_error_nanos = match self.own_clock {
            Some(_) => OWN_CLOCK_ERROR_NANOS,
            None => SWITCH_NANOS.saturating_add(2 * self.clock.error_nanos()),
        };
        Cpu { switch_error_nanos, ..counted }
    }

    /// The sink for records of the JVM: each finds the switches before it.
    pub(crate) fn sink<'a>(&'a mut self, feeder: &'a mut BuilderSink) -> CpuSink<'a> {
        CpuSink { cpu: self, feeder }
    }

    fn poll(&mut self, feeder: &mut BuilderSink) {
        let Some(watch) = &mut self.watch else { return };
        let polled = watch.poll();
        self.cpu.switches = self.cpu.switches.saturating_add(polled.switches);
        self.cpu.lost = self.cpu.lost.saturating_add(polled.lost);
        // After the poll, so that all that it has found lies before.
        if !polled.intervals.is_empty() || self.looked.elapsed() >= LOOK {
            self.clock.look();
            self.looked = Instant::now();
        }
        for interval in polled.intervals {
            // Before its first switch nothing is known of a thread.
            let since = if interval.start == Nanos(0) { interval.end } else { interval.start };
            self.known_since.entry(interval.tid).or_insert(since);
            match self.rings.get(&interval.tid) {
                Some(ring) => feeder.add_off_cpu(*ring, self.span(&interval)),
                None => self.recent.push_back((self.round, interval)),
            }
        }
    }

    fn span(&self, interval: &Interval) -> OffCpuSpan {
        let start = match interval.start {
            Nanos(0) => 0,
            start => self.clock.ticks(start),
        };
        let end = self.clock.ticks(interval.end).max(start);
        let time = Ticks(end - start);
        let parts = match interval.state {
            State::Preempted => OffCpu { preempted: time, switches: 1, ..OffCpu::default() },
            State::Blocked => OffCpu { blocked: time, switches: 1, ..OffCpu::default() },
            State::Unknown => OffCpu { unknown: time, ..OffCpu::default() },
        };
        OffCpuSpan { start: Ticks(start), end: Ticks(end), parts }
    }

    /// A thread begins to record: it gets what is known of it so far.
    fn begin(&mut self, ring: RingIx, thread: &ThreadInfo, feeder: &mut BuilderSink) {
        let Some(tid) = self.tid_here(thread) else { return };
        // The id of a thread that has ended was given to this one.
        if let Some(before) = self.rings.insert(tid, ring) {
            self.tids.remove(&before);
        }
        self.tids.insert(ring, tid);
        let Some(since) = self.known_since.get(&tid) else { return };
        let before = Interval { tid, start: Nanos(0), end: *since, state: State::Unknown };
        feeder.add_off_cpu(ring, self.span(&before));
        for (_, interval) in self.recent.iter().filter(|(_, of)| of.tid == tid) {
            if interval.start >= *since {
                feeder.add_off_cpu(ring, self.span(interval));
            }
        }
        self.recent.retain(|(_, of)| of.tid != tid);
    }

    /// The id of a thread, as this process sees it.
    fn tid_here(&self, thread: &ThreadInfo) -> Option<Tid> {
        let id = u32::try_from(thread.kernel_id).ok().filter(|id| *id != 0)?;
        if !self.has_inner_ids {
            return Some(Tid(id));
        }
        self.process?.threads_by_inner_id().get(&id).copied().map(Tid)
    }

    fn end(&mut self, ring: RingIx) {
        if let Some(tid) = self.tids.remove(&ring) {
            self.rings.remove(&tid);
        }
    }

    fn end_round(&mut self) {
        self.round += 1;
        let kept = self.round.saturating_sub(ROUNDS_KEPT);
        while self.recent.front().is_some_and(|(round, _)| *round < kept) {
            self.recent.pop_front();
        }
        if self.known_since.len() > MOST_OTHERS + self.rings.len() {
            let Self { known_since, rings, .. } = self;
            known_since.retain(|tid, _| rings.contains_key(tid));
        }
    }
}

/// Gives a builder records, and before each of them the switches that came before it.
#[derive(Debug)]
pub(crate) struct CpuSink<'a> {
    cpu: &'a mut CpuWatch,
    feeder: &'a mut BuilderSink,
}

impl Sink for CpuSink<'_> {
    fn begin(&mut self, ring: RingIx, thread: &ThreadInfo, lost: u64) {
        self.feeder.begin(ring, thread, lost);
        self.cpu.poll(self.feeder);
        self.cpu.begin(ring, thread, self.feeder);
    }

    fn records(&mut self, ring: RingIx, words: &[u64]) {
        // The records are there, so the switches before them are, too.
        self.cpu.poll(self.feeder);
        self.feeder.records(ring, words);
    }

    fn counted(&mut self, ring: RingIx, counters: &[(MethodId, Counter)]) {
        self.feeder.counted(ring, counters);
    }

    fn end(&mut self, ring: RingIx) {
        self.cpu.end(ring);
        self.feeder.end(ring);
    }

    fn round(&mut self) {
        // A JVM that records nothing switches all the same.
        self.cpu.poll(self.feeder);
        self.cpu.end_round();
        self.feeder.round();
    }

    fn damaged(&mut self, ring: RingIx, error: TraceError) {
        self.feeder.damaged(ring, error);
    }
}
