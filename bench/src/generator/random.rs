//! Random numbers by seed (SplitMix64: Steele, Lea, Flood, OOPSLA 2014).

/// A stream of numbers that a seed, a name and a number choose.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of one program.
    pub fn new(seed: u64, name: &str, number: u64) -> Self {
        let mut random = Self(seed);
        for word in name.bytes().map(u64::from).chain([number]) {
            random.0 = random.next() ^ word;
        }
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from `low` to `high`, both included.
    pub fn within(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high - low + 1)
    }

    /// The same on a logarithmic scale, so that small sizes are as likely as large ones.
    pub fn size(&mut self, low: u64, high: u64) -> u64 {
        let ratio = high as f64 / low as f64;
        (low as f64 * ratio.powf(self.unit())).round() as u64
    }

    /// A number from 0 to 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// True once in `of` times.
    pub fn one_in(&mut self, of: u64) -> bool {
        self.within(1, of) == 1
    }

    /// One of these.
    pub fn one_of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        let at = self.within(0, choices.len() as u64 - 1);
        choices.get(at as usize).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_within_their_limits() {
        let mut random = Random::new(1, "x", 2);
        for _ in 0..1000 {
            assert!((3..=5).contains(&random.within(3, 5)));
            assert!((2..=900).contains(&random.size(2, 900)));
            assert!((0.0..1.0).contains(&random.unit()));
        }
    }
}
