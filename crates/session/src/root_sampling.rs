//! Which calls of roots are recorded, as the user writes it.

use crate::form::FormError;
use std::{fmt, num::NonZeroU32, str::FromStr};

/// Which outermost calls of roots are recorded, each with all below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootSampling {
    /// One in so many, chosen at random.
    OneIn(NonZeroU32),
    /// About so many a second.
    PerSecond(NonZeroU32),
}

/// The largest number of either kind: what the runtime takes.
const MOST: u32 = 1_000_000_000;

impl RootSampling {
    const FORM: &str = "1/N, such as 1/100 or N/s, such as 50/s";

    /// The number that the runtime takes: above zero for one in so many, below for a rate.
    pub fn number(self) -> i32 {
        // Both are below 2³¹.
        match self {
            Self::OneIn(number) => number.get().min(MOST) as i32,
            Self::PerSecond(number) => -(number.get().min(MOST) as i32),
        }
    }
}

impl FromStr for RootSampling {
    type Err = FormError;

    /// Reads `1/N` or `N/s`.
    fn from_str(text: &str) -> Result<Self, FormError> {
        let number = |digits: &str| {
            let number = digits.parse::<NonZeroU32>().ok();
            number.filter(|number| number.get() <= MOST).ok_or(FormError(Self::FORM))
        };
        match (text.strip_prefix("1/"), text.strip_suffix("/s")) {
            (_, Some(rate)) => number(rate).map(Self::PerSecond),
            (Some(share), None) => number(share).map(Self::OneIn),
            (None, None) => Err(FormError(Self::FORM)),
        }
    }
}

/// `1/100` or `50/s`.
impl fmt::Display for RootSampling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OneIn(number) => write!(f, "1/{number}"),
            Self::PerSecond(number) => write!(f, "{number}/s"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_rates_are_read_as_they_are_written() {
        for (text, number) in
            [("1/100", 100), ("1/1", 1), ("50/s", -50), ("1/1000000000", 1_000_000_000)]
        {
            let sampling: RootSampling = text.parse().unwrap();
            assert_eq!((sampling.number(), sampling.to_string()), (number, text.to_owned()));
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "1/0", "0/s", "2/100", "100", "1/-3", "1/2/s", "1/1000000001", "1/x"] {
            assert_eq!(text.parse::<RootSampling>(), Err(FormError(RootSampling::FORM)), "{text}");
        }
    }
}
