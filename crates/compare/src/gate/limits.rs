//! Limits, and their text form.

use super::ratio_limit::RatioLimit;
use crate::Column;
use jfathom_plan::Problem;

/// Limits of a gate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// The calls of each method.
    pub calls: Option<CallLimit>,
    /// Growth of each root's time, relative to the baseline: 0.05 is five per cent.
    pub time: Option<f64>,
    /// Growth of a column of each root, relative to the baseline; each column once.
    pub columns: Vec<(&'static Column, f64)>,
    /// Calls per call of another method, in the candidate.
    pub ratios: Vec<RatioLimit>,
    /// Whether an inconclusive verdict fails the gate.
    pub strict: bool,
}

/// Allowed growth of calls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CallLimit {
    /// Relative to the baseline: 0.05 is five per cent.
    Share(f64),
    /// A number of calls.
    Number(u64),
}

impl CallLimit {
    /// Whether calls may grow from `base` to `new`.
    pub fn allows(self, base: u64, new: u64) -> bool {
        match self {
            Self::Number(more) => new <= base.saturating_add(more),
            // Whole numbers below 2⁵³ are exact, so a limit of 0 is exact too.
            Self::Share(share) => new <= base || (new - base) as f64 <= share * base as f64,
        }
    }
}

impl std::fmt::Display for CallLimit {
    /// As it is read: `+5%`, `+10`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Share(share) => f.write_str(&Limits::share_text(*share)),
            Self::Number(more) => write!(f, "+{more}"),
        }
    }
}

impl std::str::FromStr for CallLimit {
    type Err = Problem;

    /// `+5%` is relative, `+5` a number of calls. The sign is optional.
    fn from_str(text: &str) -> Result<Self, Problem> {
        let digits = text.trim().trim_start_matches('+');
        let wrong = || {
            format!("‘{text}’ is no limit: a number of calls (+10) or a share (+5%) is wanted")
                .into()
        };
        match digits.strip_suffix('%') {
            Some(share) => Limits::share(share).map(Self::Share).ok_or_else(wrong),
            None => digits.parse().map(Self::Number).map_err(|_| wrong()),
        }
    }
}

impl Limits {
    /// The limit of a column.
    pub fn of_column(&self, column: &Column) -> Option<f64> {
        self.columns.iter().find(|(of, _)| *of == column).map(|(_, limit)| *limit)
    }

    /// A limit of time or of a column: `+5%`. The sign is optional.
    ///
    /// # Errors
    /// Fails if the text is no percentage.
    pub fn time_of(text: &str) -> Result<f64, Problem> {
        let share = text.trim().trim_start_matches('+').strip_suffix('%').and_then(Self::share);
        share.ok_or_else(|| format!("‘{text}’ is no limit: a share (+5%) is wanted").into())
    }

    /// A share as [`Limits::time_of`] reads it, to a thousandth of a per cent: `+5%`.
    pub fn share_text(share: f64) -> String {
        format!("+{}%", (share * 1e5).round() / 1e3)
    }

    fn share(text: &str) -> Option<f64> {
        let share = text.trim().parse::<f64>().ok()?;
        (share.is_finite() && share >= 0.0).then_some(share / 100.0)
    }
}
