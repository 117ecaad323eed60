//! Pseudo-random choices, the same in every run.

use jfathom_plan::{LineRange, LinesRelation};

/// A linear congruential generator.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) as usize % bound.max(1)
    }

    /// Up to four regions of a method with these lines: apart, nested or equal.
    pub fn regions(&mut self, lines: &[u16]) -> Vec<LineRange> {
        let mut found: Vec<LineRange> = Vec::new();
        if lines.is_empty() {
            return found;
        }
        for _ in 0..self.below(4) + 1 {
            let (a, b) = (self.below(lines.len()), self.below(lines.len()));
            let Some(lines) = LineRange::new(lines[a.min(b)], lines[a.max(b)]) else { continue };
            let overlaps = |other: &LineRange| other.relation(lines) == LinesRelation::Overlap;
            if !found.iter().any(overlaps) {
                found.push(lines);
            }
        }
        found
    }
}
