//! The program's time beside what was recorded of it.

use super::cpu::CpuWindow;

/// The program's time is at most so many times what was recorded of it. Timing may take its share
/// of the program; what is recorded must not become another program by it.
pub(super) const MOST_OF_RECORDED: f64 = 5.0;
/// So many times what was recorded the program's time must be to count as more.
const CERTAINLY_MORE: f64 = 2.0;

/// The program's share of the time by the clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Share of the time in which a thread that could run did run.
    pub running_share: f64,
    /// The program's CPU time beside the self times. It is less where recorded threads wait: they
    /// have time by the clock, and take no CPU. It is more where the program does other things than
    /// what is recorded, as a server of whose requests some are.
    pub cpu_share: f64,
    /// Self times and probe costs since these shares were found, ns.
    pub self_nanos: f64,
    pub probe_nanos: f64,
}

impl Default for Pace {
    fn default() -> Self {
        Self { running_share: 1.0, cpu_share: 1.0, self_nanos: 0.0, probe_nanos: 0.0 }
    }
}

impl Pace {
    /// The shares of a window that has the times since the shares before.
    pub fn of(self, window: CpuWindow) -> Self {
        let program = window.program.as_nanos() as f64 - self.probe_nanos;
        let share = program / self.self_nanos.max(1.0);
        Self {
            running_share: window.running_share,
            cpu_share: match share < 1.0 {
                true => share.max(0.0),
                // Self times are too short where the correction takes too much.
                false => (share / CERTAINLY_MORE).clamp(1.0, MOST_OF_RECORDED),
            },
            ..Self::default()
        }
    }
}
