//! When a request is sent again.

use std::{
    hash::{BuildHasher, RandomState},
    time::{Duration, Instant},
};

/// The first pause; each one after it is twice as long.
const FIRST: Duration = Duration::from_millis(500);
/// No pause that we choose is longer, but for the quarter.
const LONGEST: Duration = Duration::from_secs(30);

/// How long a server that does not answer is tried again: from its first failure, and anew after
/// each answer.
#[derive(Debug)]
pub struct Patience {
    time: Duration,
    /// None while the server answers.
    until: Option<Instant>,
    pause: Duration,
}

/// Nobody waits longer.
const YEAR: Duration = Duration::from_secs(365 * 86_400);

impl Patience {
    /// Patience for so long.
    pub fn new(time: Duration) -> Self {
        Self { time: time.min(YEAR), until: None, pause: FIRST }
    }

    /// How long to wait before the next try, with up to a quarter more or less, so that many
    /// senders do not come together; at least what the server `asked` for. None if patience ends
    /// before.
    pub fn next(&mut self, asked: Option<Duration>) -> Option<Duration> {
        let jitter = RandomState::new().hash_one(0) % 501;
        let pause = self.pause * (750 + jitter as u32) / 1_000;
        let pause = pause.max(asked.unwrap_or_default());
        self.pause = (self.pause * 2).min(LONGEST);
        let now = Instant::now();
        let until = *self.until.get_or_insert(now + self.time);
        (pause <= until.saturating_duration_since(now)).then_some(pause)
    }

    /// Begins anew: the server answered.
    pub fn renew(&mut self) {
        (self.until, self.pause) = (None, FIRST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_within_a_quarter_until_patience_ends() {
        let mut patience = Patience::new(Duration::from_secs(3_600));
        for expected in [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000] {
            let pause = patience.next(None).unwrap().as_millis();
            assert!((expected * 3 / 4..=expected * 5 / 4).contains(&pause), "{pause}");
        }
        assert_eq!(patience.next(Some(Duration::from_secs(99))), Some(Duration::from_secs(99)));
        assert_eq!(patience.next(Some(Duration::from_secs(4_000))), None);
        assert_eq!(Patience::new(Duration::ZERO).next(None), None);
        assert!(Patience::new(Duration::MAX).next(None).is_some());
    }
}
