//! Limits and how they are written.

/// What may grow by how much.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// The calls of each method.
    pub calls: Option<CallLimit>,
    /// The time of each root, as a part of the base's: 0.05 is five per cent.
    pub time: Option<f64>,
}

/// By how much calls may grow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CallLimit {
    /// By this part of the base's: 0.05 is five per cent.
    Share(f64),
    /// By this number.
    Number(u64),
}

impl CallLimit {
    /// Whether calls may grow from `base` to `new`.
    pub fn allows(self, base: u64, new: u64) -> bool {
        match self {
            Self::Number(more) => new <= base.saturating_add(more),
            // Whole numbers below 2⁵³ are exact, and growth by nothing is compared as such.
            Self::Share(share) => new <= base || (new - base) as f64 <= share * base as f64,
        }
    }
}

impl std::str::FromStr for CallLimit {
    type Err = String;

    /// `+5%` is a share, `+5` a number; the sign may be left out.
    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.trim().trim_start_matches('+');
        let wrong =
            || format!("‘{text}’ is no limit: a number of calls (+10) or a share (+5%) is wanted");
        match digits.strip_suffix('%') {
            Some(share) => Limits::share(share).map(Self::Share).ok_or_else(wrong),
            None => digits.parse().map(Self::Number).map_err(|_| wrong()),
        }
    }
}

impl Limits {
    /// A limit of time: `+5%`; the sign may be left out.
    ///
    /// # Errors
    /// Where the text is no share.
    pub fn time_of(text: &str) -> Result<f64, String> {
        let share = text.trim().trim_start_matches('+').strip_suffix('%').and_then(Self::share);
        share.ok_or_else(|| format!("‘{text}’ is no limit: a share (+5%) is wanted"))
    }

    fn share(text: &str) -> Option<f64> {
        let share = text.trim().parse::<f64>().ok()?;
        (share.is_finite() && share >= 0.0).then_some(share / 100.0)
    }
}
