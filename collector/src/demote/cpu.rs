//! CPU time of the collector and of the program.

use jfathom_session::{Process, ThreadTimes};
use rustix::time::{ClockId, clock_gettime};
use std::{collections::HashMap, time::Duration};

/// CPU time of the draining thread, which the collector's records cost.
#[derive(Debug, Default)]
pub(super) struct CollectorCpu {
    last: Duration,
    nanos_per_record: f64,
}

impl CollectorCpu {
    /// CPU time of the calling thread per record since the last call.
    pub fn nanos_per_record(&mut self, records: u64) -> f64 {
        let now = thread_cpu();
        if records != 0 {
            self.nanos_per_record = (now - self.last).as_nanos() as f64 / records as f64;
        }
        self.last = now;
        self.nanos_per_record
    }
}

fn thread_cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// What HotSpot's threads that run no Java code are called, of which Linux shows 15 bytes:
/// compilers, garbage collectors, and the rest.
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

/// CPU time of the recorded process in threads that run Java code.
#[derive(Debug)]
pub(super) struct ProgramCpu {
    process: Option<Process>,
    threads: HashMap<u32, ThreadState>,
    last: Duration,
}

#[derive(Clone, Copy, Debug)]
struct ThreadState {
    is_vm: bool,
    times: ThreadTimes,
}

/// CPU time in a window.
#[derive(Clone, Copy, Debug)]
pub(super) struct CpuWindow {
    /// CPU time in threads that run Java code; none if it is unknown.
    pub program: Option<Duration>,
    /// Share of the time in which a thread that could run did run; 1 if it is unknown.
    pub running_share: f64,
}

impl ProgramCpu {
    pub fn of(process: Option<Process>) -> Self {
        Self { process, threads: HashMap::new(), last: Duration::ZERO }
    }

    /// The window since the last call.
    pub fn window(&mut self) -> CpuWindow {
        let unknown = CpuWindow { program: None, running_share: 1.0 };
        let Some(process) = self.process else { return unknown };
        let Some(now) = process.cpu_time() else { return unknown };
        let (mut ran, mut queued, mut vm) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
        for id in process.thread_ids() {
            let Some(times) = process.thread_times(id) else { continue };
            let is_vm = match self.threads.get(&id) {
                Some(state) => state.is_vm,
                None => process
                    .thread_name(id)
                    .is_some_and(|name| VM_THREADS.iter().any(|vm| name.starts_with(vm))),
            };
            let before = self.threads.insert(id, ThreadState { is_vm, times });
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
        let spent = now.saturating_sub(self.last) + Process::CPU_TIME_STEP;
        self.last = now;
        let could_run = (ran + queued).as_secs_f64();
        CpuWindow {
            program: Some(spent.saturating_sub(vm)),
            running_share: if could_run > 0.0 { ran.as_secs_f64() / could_run } else { 1.0 },
        }
    }
}
