//! How much of a thread's time was excluded, by record, for calls that are open.

/// What was excluded up to some records. With it the time of the program becomes that of the clock.
#[derive(Clone, Debug, Default)]
pub(in crate::build::builder) struct Exclusions {
    /// From this record on, so many ticks; ascending. Empty before the first exclusion.
    steps: Vec<(u64, u64)>,
    /// Records whose times lie in excluded time, and what turns each one's time of the program into
    /// that of the clock; ascending.
    late: Vec<(u64, u64)>,
}

impl Exclusions {
    /// From the thread's record `record` on, `after` ticks are excluded, and `before` until then.
    /// `innermost` is the record of the innermost open call.
    pub fn add(&mut self, record: u64, before: u64, after: u64, innermost: Option<u64>) {
        if self.steps.is_empty() {
            self.steps.push((0, before));
        }
        // A step after which no open call began is not needed any more: the number of steps is
        // bounded by that of open calls.
        while self.steps.len() > 1
            && self.steps.last().is_some_and(|last| innermost.is_none_or(|call| call < last.0))
        {
            self.steps.pop();
        }
        self.steps.push((record, after));
    }

    /// The time of an entry lies in excluded time: with `ticks` more, the time of the program is
    /// that of the clock. `innermost` is the record of the innermost call that is open before.
    pub fn add_late(&mut self, record: u64, ticks: u64, innermost: Option<u64>) {
        let is_over = |last: &(u64, u64)| innermost.is_none_or(|call| call < last.0);
        while self.late.last().is_some_and(is_over) {
            self.late.pop();
        }
        self.late.push((record, ticks));
    }

    /// What was excluded before this record; `now` if nothing was excluded in its thread's time.
    pub fn at(&self, record: u64, now: u64) -> u64 {
        if let Ok(at) = self.late.binary_search_by_key(&record, |late| late.0) {
            return self.late.get(at).map_or(now, |late| late.1);
        }
        let after = self.steps.partition_point(|(from, _)| *from <= record);
        after.checked_sub(1).and_then(|at| self.steps.get(at)).map_or(now, |step| step.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_calls_have_what_was_excluded_before_them() {
        let mut all = Exclusions::default();
        assert_eq!(all.at(5, 3), 3);
        all.add(10, 0, 7, Some(5));
        all.add(20, 7, 9, Some(15));
        assert_eq!([5, 15, 25].map(|record| all.at(record, 9)), [0, 7, 9]);
        // No open call began after the last two.
        all.add(30, 9, 12, Some(5));
        assert_eq!([5, 35].map(|record| all.at(record, 12)), [0, 12]);
        assert_eq!(all.steps.len(), 2);
    }
}
