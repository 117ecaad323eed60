//! The thread that consumes one JVM's records.

use crate::agent_samples::ThreadIds;
use crate::drain::{
    checkpoint::Checkpoints,
    cpu::CpuWatch,
    demote::Demoter,
    modes::InitialModes,
    progress::Progress,
    scheduling::SchedulingWatch,
    slices::{Cutter, so_far},
};
use jfathom_clock::{ClockReport, ClockWatch};
use jfathom_profile::{BuilderSink, Cpu, Scheduling, SessionCounts, Ticks};
use jfathom_session::Process;
use jfathom_trace::{ClockKind, LiveState, SessionFile};
use std::{
    collections::HashMap,
    io,
    path::PathBuf,
    sync::{Arc, atomic::Ordering, mpsc::Receiver},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// All that was consumed of a JVM.
#[derive(Debug)]
pub(crate) struct Drained {
    pub file: Box<SessionFile>,
    pub feeder: BuilderSink,
    /// Whether the recording ended while the JVM ran on.
    pub stopped: bool,
    /// How the processor's counter ran meanwhile; none if it is not the JVM's clock.
    pub clock: Option<ClockReport>,
    /// What the JVM has counted: in the last slice, if there are any.
    pub counted: SessionCounts,
    /// The ids of its threads.
    pub threads: ThreadIds,
    /// How its threads were scheduled then, by thread number.
    pub scheduling: HashMap<u64, Scheduling>,
    /// What was counted of context switches then.
    pub cpu: Cpu,
}

/// The longest sleep while many records come: a thread that records at full speed fills a ring in
/// about 3 ms.
const NAP: Duration = Duration::from_millis(1);
/// The longest sleep if so many did not come at once for [`CALM`].
const SLEEP: Duration = Duration::from_millis(4);
const CALM: Duration = Duration::from_secs(1);
/// What are many records at once: this part of a ring.
const MANY: u64 = 16;
/// How often an idle drainer looks whether its JVM runs.
const LIFE_CHECK: Duration = Duration::from_millis(20);

/// How often the processor's counter is held against the kernel's clock.
const OBSERVATION: Duration = Duration::from_secs(1);

/// What there is to drain: a session file until the JVM has ended, until its classes are restored,
/// or until [`Progress::stop`] is set.
pub(crate) struct Job {
    pub file: Box<SessionFile>,
    /// Where it is.
    pub path: PathBuf,
    /// None if the JVM had ended before.
    pub process: Option<Process>,
    pub progress: Arc<Progress>,
    pub demoter: Demoter,
    /// The modes of the manifests that the JVM has named.
    pub manifests: Receiver<InitialModes>,
    /// None if the recording is one profile.
    pub cutter: Option<Cutter>,
    /// How many of the slowest calls are kept.
    pub slowest: usize,
    /// How many bytes the tree may take; none for no bound.
    pub max_memory: Option<u64>,
    /// The length in ns from which on calls are kept by time, for what is joined to them; none if
    /// nothing is.
    pub timeline_from: Option<u64>,
    /// None if nobody asks when threads ran.
    pub cpu: Option<CpuWatch>,
}

impl Job {
    /// Drains on a thread of its own.
    ///
    /// # Errors
    /// No thread can be started: a container has a limit of processes.
    pub(crate) fn start(self) -> io::Result<JoinHandle<Drained>> {
        thread::Builder::new().spawn(move || self.run())
    }

    /// Drains here.
    pub(crate) fn run(self) -> Drained {
        drain(self)
    }
}

/// Memory of the calls that are kept by time; when it is full, short ones are dropped.
const TIMELINE_BYTES: usize = 128 << 20;

fn drain(job: Job) -> Drained {
    let Job { mut file, path, process, progress, mut demoter, manifests, .. } = job;
    let (mut cutter, mut cpu) = (job.cutter, job.cpu);
    // By the thread that detaches: a JVM must not wait for a reader that is gone.
    file.attach(std::process::id());
    let mut checkpoints = Checkpoints::new(&path);
    let mut feeder = BuilderSink::new();
    feeder.builder_mut().keep_slowest(job.slowest);
    if job.slowest > 0 {
        file.number_hand_offs();
    }
    if let Some(cpu) = &cpu {
        cpu.begin_split(&mut feeder);
    }
    if let Some(nanos) = job.timeline_from {
        let hz = u128::from(file.header().clock.hz);
        let ticks = (hz * u128::from(nanos)).div_ceil(1_000_000_000);
        let resolution = Ticks(u64::try_from(ticks).unwrap_or(u64::MAX));
        feeder.builder_mut().keep_timeline(resolution, TIMELINE_BYTES);
    }
    if let Some(bytes) = job.max_memory {
        feeder.builder_mut().set_max_memory(bytes);
    }
    if let Some(cutter) = &cutter {
        cutter.begin(&mut feeder);
    }
    Demoter::begin(&file, feeder.builder_mut());
    if cutter.is_some() {
        checkpoints.write_first(&file, &feeder);
    }
    let is_counter = file.header().clock.kind == ClockKind::Tsc;
    let mut watch = is_counter.then(ClockWatch::start).flatten();
    let mut scheduling = SchedulingWatch::new(process, file.header().pid);
    let mut threads = ThreadIds::default();
    let mut last_observed = Instant::now();
    let mut last_many = Instant::now();
    let many = file.header().ring_bytes / size_of::<u64>() as u64 / MANY;
    let mut last_life_check = None::<Instant>;
    let mut nap = Duration::from_micros(50);
    let mut idle = true;
    // Records of earlier slices.
    let mut in_slices = 0;
    loop {
        // Before the rings are read: a record that is not there then will never be.
        let stopped = progress.stop.load(Ordering::Acquire);
        let ended = idle && last_life_check.is_none_or(|at| at.elapsed() >= LIFE_CHECK) && {
            last_life_check = Some(Instant::now());
            !process.is_some_and(Process::is_alive)
        };
        let restored = file.live_state() == LiveState::Restored;
        file.heartbeat();
        let mut taken = take(&mut file, &mut feeder, &mut cpu);
        if ended || stopped || restored {
            file.detach();
            while taken > 0 {
                taken = take(&mut file, &mut feeder, &mut cpu);
            }
            match &mut cpu {
                Some(cpu) => file.drain_offline(&mut cpu.sink(&mut feeder)),
                None => file.drain_offline(&mut feeder),
            };
            threads.add(&feeder.take_begun());
            demoter.finish(&file, feeder.builder_mut());
            publish(&progress, &feeder, in_slices);
            let clock = watch.and_then(ClockWatch::finish);
            let stopped = stopped && !ended && !restored;
            let counted = match feeder.builder().slice_start() {
                Some(start) => so_far(&file).since(&start.before),
                None => so_far(&file),
            };
            scheduling.look_at_all();
            let scheduling = scheduling.take_observed();
            let cpu = cpu.as_mut().map(CpuWatch::take_counts).unwrap_or_default();
            return Drained { file, feeder, stopped, clock, counted, threads, scheduling, cpu };
        }
        idle = taken == 0;
        // Few records are left to become more: a round looks at each ring.
        if taken < many.max(1) {
            let is_calm = last_many.elapsed() > CALM;
            thread::sleep(nap);
            nap = (nap * 2).min(if is_calm { SLEEP } else { NAP });
        } else {
            last_many = Instant::now();
            nap = Duration::from_micros(50);
        }
        if let Some(watch) = watch.as_mut().filter(|_| last_observed.elapsed() >= OBSERVATION) {
            watch.observe();
            last_observed = Instant::now();
        }
        for known in manifests.try_iter() {
            demoter.learn(known, &file, feeder.builder_mut());
        }
        demoter.sweep_if_due(&file, feeder.builder_mut());
        let begun = feeder.take_begun();
        threads.add(&begun);
        scheduling.add(begun);
        scheduling.look_if_due();
        publish(&progress, &feeder, in_slices);
        if let Some(cutter) = &mut cutter
            && cutter.is_due()
        {
            demoter.end_slice(&file, feeder.builder_mut());
            in_slices += feeder.builder().record_count();
            let cpu = cpu.as_mut().map(CpuWatch::take_counts).unwrap_or_default();
            cutter.cut(&file, &mut feeder, &mut scheduling, cpu);
            checkpoints.end_slice();
        }
        // Before a slice is on a disk, only the last checkpoint has its records.
        if progress.unwritten.load(Ordering::Acquire) == 0 {
            checkpoints.take_if_due(&file, &feeder);
        }
    }
}

/// Consumes what the JVM has written, and the switches before it.
fn take(file: &mut SessionFile, feeder: &mut BuilderSink, cpu: &mut Option<CpuWatch>) -> u64 {
    match cpu {
        Some(cpu) => file.drain(&mut cpu.sink(feeder)),
        None => file.drain(feeder),
    }
}

/// Shows how far it is, after so many records of earlier slices.
fn publish(progress: &Progress, feeder: &BuilderSink, in_slices: u64) {
    let builder = feeder.builder();
    progress.records.store(in_slices + builder.record_count(), Ordering::Relaxed);
    progress.threads.store(builder.thread_count() as u64, Ordering::Relaxed);
    progress.nodes.store(builder.node_count() as u64, Ordering::Relaxed);
}
