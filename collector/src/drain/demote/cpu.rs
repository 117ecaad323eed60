//! CPU time of the collector and of the program.

use jfathom_session::{Process, ThreadTimes};
use rustix::time::{ClockId, clock_gettime};
use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

/// CPU time of the draining thread, which the collector's records cost.
#[derive(Debug)]
pub(super) struct CollectorCpu {
    pub(super) last: Duration,
    last_look: Instant,
    /// Share of a processor that the thread takes where no records come: it looks for them. The
    /// least so far.
    idle_share: f64,
    /// CPU time beyond that, ns.
    spent_nanos: f64,
    records: u64,
}

impl Default for CollectorCpu {
    fn default() -> Self {
        Self {
            last: Duration::ZERO,
            last_look: Instant::now(),
            idle_share: 1.0,
            spent_nanos: 0.0,
            records: 0,
        }
    }
}

/// Records that count as read before the first, at [`FIRST_NANOS`] each.
const FIRST_RECORDS: u64 = 200_000;
const FIRST_NANOS: f64 = 30.0;

impl CollectorCpu {
    /// CPU time of the calling thread per record so far, `records` of them since the last call.
    /// Without what the thread takes anyhow, which no demotion saves.
    pub fn nanos_per_record(&mut self, records: u64) -> f64 {
        let now = thread_cpu();
        let elapsed = self.last_look.elapsed().as_nanos() as f64;
        if records != 0 && elapsed > 0.0 {
            let ran = now.saturating_sub(self.last).as_nanos() as f64;
            self.idle_share = self.idle_share.min(ran / elapsed);
            self.spent_nanos += ran - self.idle_share * elapsed;
            self.records += records;
        }
        (self.last, self.last_look) = (now, Instant::now());
        let spent = self.spent_nanos + FIRST_RECORDS as f64 * FIRST_NANOS;
        spent / (self.records + FIRST_RECORDS) as f64
    }
}

fn thread_cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// Names of HotSpot's threads that run no Java code: compilers, garbage collectors, and the rest.
/// Linux shows 15 bytes.
const VM_THREADS: [&str; 13] = [
    "C1 CompilerThre",
    "C2 CompilerThre",
    "JVMCI",
    "Sweeper thread",
    "GC Thread#",
    "G1 ",
    "ZWorker",
    "ZDirector",
    "ZDriver",
    "XWorker",
    "Shenandoah GC",
    "VM Thread",
    "VM Periodic Tas",
];

/// Time between two looks at the threads, at least: long beside the step in which the kernel counts
/// the CPU time of processes.
const PERIOD: Duration = Duration::from_millis(100);
/// The time between two looks is at least this many times the duration of the first.
const SHARE: u32 = 50;

/// CPU time of the recorded process in threads that run Java code.
#[derive(Debug)]
pub(super) struct ProgramCpu {
    process: Option<Process>,
    threads: HashMap<u32, ThreadState>,
    spent: Duration,
    last: Instant,
    took: Duration,
}

#[derive(Clone, Copy, Debug)]
struct ThreadState {
    is_vm: bool,
    times: ThreadTimes,
}

/// CPU use of a process between two looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct CpuWindow {
    /// CPU time in threads that run Java code.
    pub program: Duration,
    /// Share of the time in which a thread that could run did run; 1 if it is unknown.
    pub running_share: f64,
}

impl ProgramCpu {
    pub fn of(process: Option<Process>) -> Self {
        let (spent, took) = Default::default();
        Self { process, threads: HashMap::new(), spent, last: Instant::now(), took }
    }

    /// The window since the last look, if it is time for another. None if there is no process.
    pub fn look_if_due(&mut self) -> Option<CpuWindow> {
        if self.last.elapsed() < PERIOD.max(self.took.saturating_mul(SHARE)) {
            return None;
        }
        let begun = Instant::now();
        let window = self.look(self.process?);
        self.last = Instant::now();
        self.took = self.last - begun;
        window
    }

    fn look(&mut self, process: Process) -> Option<CpuWindow> {
        let now = process.cpu_time()?;
        let known = std::mem::take(&mut self.threads);
        let (mut ran, mut queued, mut vm) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
        for id in process.thread_ids() {
            let Some(times) = process.thread_times(id) else { continue };
            let before = known.get(&id).copied();
            let is_vm = before.map_or_else(|| is_vm_thread(process, id), |state| state.is_vm);
            self.threads.insert(id, ThreadState { is_vm, times });
            let before = before.map(|state| state.times).unwrap_or_default();
            let new_ran = times.ran.saturating_sub(before.ran);
            if is_vm {
                vm += new_ran;
            } else {
                ran += new_ran;
                queued += times.queued.saturating_sub(before.queued);
            }
        }
        // Ended threads that ran Java code are in the process's time only. It may be one step late.
        let spent = now.saturating_sub(self.spent) + Process::CPU_TIME_STEP;
        self.spent = now;
        let could_run = (ran + queued).as_secs_f64();
        Some(CpuWindow {
            program: spent.saturating_sub(vm),
            running_share: if could_run > 0.0 { ran.as_secs_f64() / could_run } else { 1.0 },
        })
    }
}

fn is_vm_thread(process: Process, id: u32) -> bool {
    let name = process.thread_name(id).unwrap_or_default();
    VM_THREADS.iter().any(|vm| name.starts_with(vm))
}
