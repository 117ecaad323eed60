//! How long a recording waits for JVMs that may still join.

use std::time::Duration;

/// How long a recording goes on after its command's end while no JVM that has joined runs, and a
/// process of the command does, which may become one or start one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// At most so long. Zero: nor for JVMs that have joined and still run.
    AtMost(Duration),
    /// As long as there is such a process.
    Forever,
}

impl Default for Wait {
    /// Long enough for a start script that looks at its machine before it runs `java`.
    fn default() -> Self {
        Self::AtMost(Duration::from_secs(30))
    }
}

impl Wait {
    /// Waits for nothing that outlives the command.
    pub const NONE: Self = Self::AtMost(Duration::ZERO);

    /// Whether it is over after this time.
    pub(crate) fn is_over(self, waited: Duration) -> bool {
        matches!(self, Self::AtMost(most) if waited >= most)
    }
}

impl std::fmt::Display for Wait {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::AtMost(most) => write!(f, "{} s", most.as_secs_f64()),
            Self::Forever => f.write_str("as long as it runs"),
        }
    }
}
