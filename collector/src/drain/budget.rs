//! The budget of a recording.

use std::{fmt, num::ParseFloatError, str::FromStr};

/// The largest share of the program's time that timing its calls may take: the probes of timed
/// calls, the records of counted ones, and the collector. The program's time is what its recorded
/// methods would take without probes. Methods are demoted while more is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Budget {
    /// No limit: no method is demoted.
    #[default]
    Unlimited,
    /// A share: 0.05 is a twentieth of the program's time.
    Share(f64),
}

/// Error of a text that is no budget.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BudgetError {
    /// Neither a number nor `none`.
    #[error("{0}: expected a share such as 0.05, or none")]
    NotANumber(ParseFloatError),
    /// A number that is not from 0 to 1000.
    #[error("{0} is not from 0 to 1000")]
    OutOfRange(f64),
}

impl Budget {
    /// The text of [`Budget::Unlimited`].
    pub const NONE: &str = "none";
    /// The budget if none is given. `docs/decisions/0015-budget.md` says why.
    pub const DEFAULT: Self = Self::Share(0.05);
    const LARGEST: f64 = 1000.0;

    /// The share; none without a limit.
    pub fn share(self) -> Option<f64> {
        match self {
            Self::Unlimited => None,
            Self::Share(share) => Some(share),
        }
    }
}

impl FromStr for Budget {
    type Err = BudgetError;

    /// `none`, or a number from 0 to 1000.
    fn from_str(text: &str) -> Result<Self, BudgetError> {
        if text == Self::NONE {
            return Ok(Self::Unlimited);
        }
        let share: f64 = text.parse().map_err(BudgetError::NotANumber)?;
        match (0.0..=Self::LARGEST).contains(&share) {
            true => Ok(Self::Share(share)),
            false => Err(BudgetError::OutOfRange(share)),
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unlimited => f.write_str(Self::NONE),
            Self::Share(share) => share.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_and_written() {
        for (text, budget) in [("none", Budget::Unlimited), ("0.05", Budget::DEFAULT)] {
            assert_eq!(text.parse(), Ok(budget));
            assert_eq!(budget.to_string(), text);
        }
        for wrong in ["-0.1", "nan", "inf", "1001", "None", ""] {
            assert!(wrong.parse::<Budget>().is_err(), "{wrong}");
        }
    }
}
