//! When methods get probes.

use serde::{Deserialize, Serialize};

/// When the methods of a root's call subgraph get probes (JFluid's schemes).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Scheme {
    /// While the program runs: a method's callees at its first call.
    #[default]
    Lazy,
    /// While the program runs: a method's callees when the method's class is loaded.
    Eager,
    /// Before the program runs: the whole call subgraph.
    Static,
    /// Every method of the program, whatever the roots can call.
    Total,
}

impl Scheme {
    const ALL: [Self; 4] = [Self::Lazy, Self::Eager, Self::Static, Self::Total];

    /// `lazy`, `eager`, `static` or `total`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Lazy => "lazy",
            Self::Eager => "eager",
            Self::Static => "static",
            Self::Total => "total",
        }
    }

    /// The scheme of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scheme| scheme.as_str() == name)
    }
}

impl std::fmt::Display for Scheme {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
