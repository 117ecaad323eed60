//! The clock that the user asks for.

use crate::form::FormError;
use crate::names::{CLOCK_NAME_NANO, CLOCK_NAME_TSC};
use std::{fmt, str::FromStr};

/// Which clock times calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClockChoice {
    /// The best clock that the JVM and the machine have.
    #[default]
    Auto,
    /// `System.nanoTime`.
    Nano,
    /// The processor's time stamp counter.
    Tsc,
}

impl ClockChoice {
    /// All choices, in the order in which messages list them.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Nano, Self::Tsc];
    /// The names of all choices, for error messages.
    pub const FORM: &str = "auto, nano or tsc";

    /// `auto`, `nano` or `tsc`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Nano => CLOCK_NAME_NANO,
            Self::Tsc => CLOCK_NAME_TSC,
        }
    }

    /// The clock's name for the JVM; none if the JVM chooses.
    pub fn requested(self) -> Option<&'static str> {
        (self != Self::Auto).then(|| self.as_str())
    }
}

impl FromStr for ClockChoice {
    type Err = FormError;

    fn from_str(name: &str) -> Result<Self, FormError> {
        Self::ALL.into_iter().find(|clock| clock.as_str() == name).ok_or(FormError(Self::FORM))
    }
}

impl fmt::Display for ClockChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_again() {
        for clock in ClockChoice::ALL {
            assert_eq!(clock.to_string().parse(), Ok(clock));
            assert!(ClockChoice::FORM.contains(clock.as_str()));
        }
        assert_eq!("Nano".parse::<ClockChoice>(), Err(FormError(ClockChoice::FORM)));
        assert_eq!(ClockChoice::ALL.map(ClockChoice::requested), [None, Some("nano"), Some("tsc")]);
    }
}
