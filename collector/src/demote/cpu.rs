//! CPU time of the collector and of the program.

use jfathom_session::Process;
use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

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

/// CPU time of the recorded process, with its compilers and collectors of garbage.
#[derive(Debug)]
pub(super) struct ProgramCpu {
    process: Option<Process>,
    last: Duration,
}

impl ProgramCpu {
    pub fn of(process: Option<Process>) -> Self {
        Self { process, last: Duration::ZERO }
    }

    /// The program's time since the last call, of which `program_nanos` were seen by the clock and
    /// `probe_nanos` are its probes'. Threads that wait have time by the clock and take no CPU, so
    /// it is at most the CPU time that is left.
    pub fn limit(&mut self, program_nanos: f64, probe_nanos: f64) -> f64 {
        let Some(now) = self.process.and_then(Process::cpu_time) else { return program_nanos };
        // What the kernel reports may be one tick late.
        let spent = now.saturating_sub(self.last) + Process::CPU_TIME_STEP;
        self.last = now;
        program_nanos.min((spent.as_nanos() as f64 - probe_nanos).max(0.0))
    }
}
