//! How the processor's counter runs beside the kernel's clocks (clock_gettime(2)): at which rate,
//! how evenly, and whether the machine was suspended.

use crate::now;
use rustix::time::{ClockId, clock_gettime};

/// A counter that is held against `CLOCK_MONOTONIC`, from the first sample to the last.
#[derive(Clone, Debug)]
pub struct ClockWatch {
    samples: Vec<Sample>,
    /// Of so many samples one is kept.
    stride: u32,
    /// Samples since the last one that was kept.
    skipped: u32,
}

/// What a watch has found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClockReport {
    /// Ticks per second.
    pub hz: f64,
    /// The largest distance of a sample from the line through the first and the last one, in ns.
    pub deviation_nanos: f64,
    /// How long the machine was suspended, in ns.
    pub suspended_nanos: i64,
}

/// The counter and the kernel's clock at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The counter, in ticks.
    pub ticks: i64,
    /// `CLOCK_MONOTONIC`, in ns.
    pub nanos: i64,
    /// The two readings are at most so many ns apart.
    pub distance_nanos: i64,
}

impl Moment {
    /// The present; none where no counter is known. Of some tries the one in which the two reads of
    /// the kernel's clock around the counter are closest.
    pub fn now() -> Option<Self> {
        let tries = (0..TRIES).filter_map(|_| {
            let before = nanos(ClockId::Monotonic);
            let ticks = now()?;
            let distance_nanos = nanos(ClockId::Monotonic) - before;
            Some(Self { ticks, nanos: before + distance_nanos / 2, distance_nanos })
        });
        tries.min_by_key(|moment| moment.distance_nanos)
    }
}

/// The clocks at one moment. Nanoseconds as the kernel counts them.
#[derive(Clone, Copy, Debug)]
struct Sample {
    ticks: i64,
    monotonic: i64,
    /// As `monotonic`, and the time of suspensions.
    boot: i64,
}

/// With more samples every second one is forgotten: one a second for hours takes 100 kB.
const SAMPLES_MAX: usize = 4096;
/// Tries for one sample: the processor may be given to another process between two reads.
const TRIES: u32 = 4;
/// A watch of fewer nanoseconds finds no rate.
const SHORTEST_NANOS: i64 = 10_000_000;

impl ClockWatch {
    /// A watch with its first sample. None if no counter is known.
    pub fn start() -> Option<Self> {
        Some(Self { samples: vec![Sample::take()?], stride: 1, skipped: 0 })
    }

    /// Takes a sample.
    pub fn observe(&mut self) {
        self.skipped += 1;
        if self.skipped < self.stride {
            return;
        }
        self.skipped = 0;
        self.samples.extend(Sample::take());
        if self.samples.len() > SAMPLES_MAX {
            let mut place = 0;
            self.samples.retain(|_| {
                place += 1;
                place % 2 == 1
            });
            self.stride = self.stride.saturating_mul(2);
        }
    }

    /// Takes the last sample. None after less than 10 ms.
    pub fn finish(mut self) -> Option<ClockReport> {
        self.samples.extend(Sample::take());
        report(&self.samples)
    }
}

fn report(samples: &[Sample]) -> Option<ClockReport> {
    let (first, last) = (samples.first()?, samples.last()?);
    let nanos = last.monotonic - first.monotonic;
    if nanos < SHORTEST_NANOS {
        return None;
    }
    let rate = (last.ticks - first.ticks) as f64 / nanos as f64;
    let deviation = |sample: &Sample| {
        let expected = (sample.monotonic - first.monotonic) as f64 * rate;
        (((sample.ticks - first.ticks) as f64 - expected) / rate).abs()
    };
    Some(ClockReport {
        hz: rate * 1e9,
        deviation_nanos: samples.iter().map(deviation).fold(0.0, f64::max),
        suspended_nanos: (last.boot - last.monotonic) - (first.boot - first.monotonic),
    })
}

impl Sample {
    fn take() -> Option<Self> {
        let Moment { ticks, nanos: monotonic, .. } = Moment::now()?;
        let boot = nanos(ClockId::Boottime) + (monotonic - nanos(ClockId::Monotonic));
        Some(Self { ticks, monotonic, boot })
    }
}

fn nanos(clock: ClockId) -> i64 {
    let time = clock_gettime(clock);
    time.tv_sec.saturating_mul(1_000_000_000).saturating_add(time.tv_nsec)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(ticks: i64, monotonic: i64, boot: i64) -> Sample {
        Sample { ticks, monotonic, boot }
    }

    #[test]
    fn an_even_counter_has_a_rate_alone() {
        let samples: Vec<Sample> = (0..10)
            .map(|at| sample(5 + at * 260_000_000, at * 100_000_000, at * 100_000_000))
            .collect();
        let found = report(&samples).unwrap();
        assert!((found.hz - 2.6e9).abs() < 1.0, "{found:?}");
        assert!(found.deviation_nanos < 1.0, "{found:?}");
        assert_eq!(found.suspended_nanos, 0);
    }

    #[test]
    fn a_jump_and_a_suspension_are_seen() {
        let second = 1_000_000_000;
        // The counter runs on by five seconds while the machine is suspended.
        let samples = [
            sample(0, 0, 0),
            sample(second, second, second),
            sample(7 * second, 2 * second, 7 * second),
            sample(8 * second, 3 * second, 8 * second),
        ];
        let found = report(&samples).unwrap();
        assert_eq!(found.suspended_nanos, 5 * second);
        assert!(found.deviation_nanos > 4e8, "{found:?}");
    }

    #[test]
    fn a_real_watch_finds_the_rate() {
        let mut watch = ClockWatch::start().unwrap();
        for _ in 0..20 {
            std::thread::sleep(std::time::Duration::from_millis(1));
            watch.observe();
        }
        let found = watch.finish().unwrap();
        assert!(found.hz > 1e6, "{found:?}");
    }

    #[test]
    fn memory_is_bounded() {
        let mut watch = ClockWatch::start().unwrap();
        for _ in 0..20_000 {
            watch.observe();
        }
        assert!(watch.samples.len() <= SAMPLES_MAX + 1);
        assert!(watch.stride > 1);
    }
}
