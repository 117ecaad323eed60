//! How many of a method's timed calls are flushed: counted records are written at their entries and
//! exits. The others have their times all the same. What is counted in them belongs to the nearest
//! flushed call above.

use jfathom_plan::MethodId;
use jfathom_trace::layout;

/// The part of the budget that flushes may take.
pub(super) const FLUSH_SHARE: f64 = 0.25;

/// What flushes take for a method's calls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Flushing {
    pub method: MethodId,
    /// Its cost, as a share of the program's time.
    pub cost_share: f64,
    /// One of two to the power of this number of calls is flushed.
    pub shift: u8,
}

/// The methods that are to be flushed more seldom for flushes to take at most `most`, a share of
/// the program's time: those of the highest cost. Their cost is what it would have been.
pub(super) fn more_seldom(all: &[Flushing], most: f64) -> Vec<Flushing> {
    let sum = |all: &[Flushing]| all.iter().map(|of| of.cost_share).sum::<f64>();
    let mut cap = all.iter().map(|of| of.cost_share).fold(0.0, f64::max);
    let mut now = all.to_vec();
    let can_change = |of: &Flushing| u32::from(of.shift) < layout::FLUSH_MAX;
    while sum(&now) > most && cap > 0.0 && now.iter().any(can_change) {
        cap /= 2.0;
        for of in now.iter_mut().filter(|of| can_change(of) && of.cost_share > cap) {
            of.shift += 1;
            of.cost_share /= 2.0;
        }
    }
    let changed = now.into_iter().zip(all).filter(|(now, before)| now.shift != before.shift);
    changed.map(|(now, _)| now).collect()
}

/// The methods that can be flushed twice as often for at most `room`: those of the lowest cost.
pub(super) fn more_often(mut all: Vec<Flushing>, room: f64) -> Vec<Flushing> {
    all.retain(|of| of.shift > 0);
    all.sort_by(|a, b| a.cost_share.total_cmp(&b.cost_share));
    let mut left = room;
    let fits = |of: &Flushing| {
        left -= of.cost_share;
        left >= 0.0
    };
    let more = |of: Flushing| Flushing { shift: of.shift - 1, ..of };
    all.into_iter().take_while(fits).map(more).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: u32, cost_share: f64, shift: u8) -> Flushing {
        Flushing { method: MethodId::new(value).unwrap(), cost_share, shift }
    }

    fn shifts(of: &[Flushing]) -> Vec<(u32, u8)> {
        of.iter().map(|of| (of.method.get(), of.shift)).collect()
    }

    #[test]
    fn what_takes_most_is_flushed_more_seldom() {
        let all = [of(1, 0.08, 0), of(2, 0.01, 0), of(3, 0.02, 3)];
        assert_eq!(shifts(&more_seldom(&all, 0.2)), []);
        assert_eq!(shifts(&more_seldom(&all, 0.1)), [(1, 1)]);
        assert_eq!(shifts(&more_seldom(&all, 0.04)), [(1, 3), (3, 4)]);
        // The bits end there.
        let least = more_seldom(&all, 0.0);
        assert!(least.iter().all(|of| u32::from(of.shift) == layout::FLUSH_MAX), "{least:?}");
    }

    #[test]
    fn what_takes_least_is_flushed_more_often() {
        let all = vec![of(1, 0.02, 2), of(2, 0.01, 1), of(3, 0.001, 0)];
        assert_eq!(shifts(&more_often(all.clone(), 0.005)), []);
        assert_eq!(shifts(&more_often(all.clone(), 0.01)), [(2, 0)]);
        assert_eq!(shifts(&more_often(all, 0.031)), [(2, 0), (1, 1)]);
    }
}
