//! A value of a column, and how certain it is.

/// How certain a value is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Certainty {
    /// It is the number.
    Exact,
    /// It may be off by so much.
    Within(f64),
    /// It may be much more: a part is not known. What is known may be off by so much.
    AtLeast(f64),
    /// There is no number: it was not recorded here, or these calls have not read it.
    NotRead,
}

/// A value of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// The number, in the column's unit; zero where it was not read.
    pub number: f64,
    /// How certain it is.
    pub certainty: Certainty,
}

impl Value {
    /// No number.
    pub const NOT_READ: Self = Self { number: 0.0, certainty: Certainty::NotRead };

    /// A number that is exact.
    pub const fn exact(number: f64) -> Self {
        Self { number, certainty: Certainty::Exact }
    }

    /// The number, where there is one.
    pub fn known(self) -> Option<f64> {
        (self.certainty != Certainty::NotRead).then_some(self.number)
    }

    /// By how much it may be off, as far as that is known.
    pub const fn bar(self) -> f64 {
        match self.certainty {
            Certainty::Exact | Certainty::NotRead => 0.0,
            Certainty::Within(bar) | Certainty::AtLeast(bar) => bar,
        }
    }

    /// Whether it may be much more.
    pub const fn is_least(self) -> bool {
        matches!(self.certainty, Certainty::AtLeast(_))
    }

    /// A value of what not all recordings have: an exact one is a lower bound.
    pub(super) fn of_a_part(self) -> Self {
        match self.certainty {
            Certainty::Exact => Self { certainty: Certainty::AtLeast(0.0), ..self },
            Certainty::Within(_) | Certainty::AtLeast(_) | Certainty::NotRead => self,
        }
    }

    /// The sum of two values, as certain as the less certain one.
    #[must_use]
    pub(crate) fn plus(self, other: Self) -> Self {
        let bars = self.bar() + other.bar();
        let certainty = match (self.certainty, other.certainty) {
            (Certainty::NotRead, _) | (_, Certainty::NotRead) => return Self::NOT_READ,
            (Certainty::AtLeast(_), _) | (_, Certainty::AtLeast(_)) => Certainty::AtLeast(bars),
            (Certainty::Within(_), _) | (_, Certainty::Within(_)) => Certainty::Within(bars),
            (Certainty::Exact, Certainty::Exact) => Certainty::Exact,
        };
        Self { number: self.number + other.number, certainty }
    }

    /// The value of one of so many runs, which have it together.
    #[must_use]
    pub(crate) fn per(self, runs: usize) -> Self {
        let runs = runs.max(1) as f64;
        let certainty = match self.certainty {
            Certainty::Exact | Certainty::NotRead => self.certainty,
            Certainty::Within(bar) => Certainty::Within(bar / runs),
            Certainty::AtLeast(bar) => Certainty::AtLeast(bar / runs),
        };
        Self { number: self.number / runs, certainty }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_is_as_certain_as_its_least_certain_part() {
        let [within, least] = [Certainty::Within(2.0), Certainty::AtLeast(4.0)]
            .map(|certainty| Value { number: 10.0, certainty });
        let exact = Value::exact(10.0);
        assert_eq!(exact.plus(exact).per(2), exact);
        assert_eq!(exact.plus(within).per(2).certainty, Certainty::Within(1.0));
        assert_eq!(within.plus(least).per(2).certainty, Certainty::AtLeast(3.0));
        assert_eq!(exact.plus(Value::NOT_READ).known(), None);
    }

    #[test]
    fn what_not_all_recordings_have_is_a_lower_bound() {
        assert!(Value::exact(1.0).of_a_part().is_least());
        assert_eq!(Value::NOT_READ.of_a_part(), Value::NOT_READ);
    }
}
