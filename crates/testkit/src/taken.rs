//! Time that interrupts and hosts take from threads, for tests of running times.

use std::fs;

/// What `/proc/stat` counts in, in ns.
const UNIT: u64 = 10_000_000;

/// Measures the time that interrupts and a virtual machine's host take from all processors: `irq`,
/// `softirq` and `steal` of `proc(5)`, `/proc/stat`. The scheduler's counts of running times leave
/// it out, and no switch belongs to it: clocks that ought to agree differ by up to as much.
#[derive(Clone, Copy, Debug)]
pub struct TakenTime(u64);

impl TakenTime {
    /// Begins to measure.
    pub fn start() -> Self {
        TakenTime(units())
    }

    /// The ns that were taken since the start, at most: units that have begun count later.
    pub fn at_most(self) -> u64 {
        (units() - self.0 + 3) * UNIT
    }
}

/// Units taken since the system started.
fn units() -> u64 {
    let text = fs::read_to_string("/proc/stat").expect("/proc/stat can be read");
    let line = text.lines().next().expect("a line of all processors");
    let units = line.split_whitespace().skip(6).take(3);
    units.map(|word| word.parse::<u64>().expect("a number of units")).sum()
}
