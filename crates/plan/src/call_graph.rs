//! Call-graph algorithms.

use serde::{Deserialize, Serialize};

/// Which methods a virtual call can reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CallGraph {
    /// Rapid type analysis (Bacon and Sweeney, OOPSLA 1996): the methods of classes that the
    /// program can instantiate.
    #[default]
    Rta,
    /// Class hierarchy analysis (Dean, Grove and Chambers, ECOOP 1995): the methods of all classes.
    Cha,
}

impl CallGraph {
    /// `rta` or `cha`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rta => "rta",
            Self::Cha => "cha",
        }
    }
}

impl std::fmt::Display for CallGraph {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
