//! The clock that the user asks for.

/// Which clock times calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClockChoice {
    /// The best clock that the JVM and the machine have.
    #[default]
    Auto,
    /// The processor's time stamp counter.
    Tsc,
    /// `System.nanoTime`.
    Nano,
}

impl ClockChoice {
    /// `auto`, `tsc` or `nano`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Tsc => "tsc",
            Self::Nano => "nano",
        }
    }

    /// The clock of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Auto, Self::Tsc, Self::Nano].into_iter().find(|clock| clock.as_str() == name)
    }

    /// The name of a clock that was asked for; none where the JVM chooses.
    pub fn requested(self) -> Option<&'static str> {
        (self != Self::Auto).then(|| self.as_str())
    }
}
