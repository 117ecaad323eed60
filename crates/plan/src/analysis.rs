//! The algorithm of a reachability analysis, what it took as given, and what it had to leave open.

use crate::MethodKey;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The methods whose instantiations virtual calls consider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectSource {
    /// The roots' own: each root is a `main`.
    Roots,
    /// Every method of the program: any may have run before a root.
    Program,
    /// These `main` methods and the roots. Jar manifests name them, or there is no other.
    Mains(Vec<MethodKey>),
    /// The entry points of the request and the roots.
    Entries(Vec<MethodKey>),
}

/// Methods that load classes by names of which no part is known. Calls of those classes may be
/// missing.
#[derive(Clone, Debug, Default)]
pub struct Unnamed {
    /// The methods.
    pub methods: Vec<MethodKey>,
    /// Classes of the program: any of them may be meant.
    pub classes: usize,
}

/// The part of profiles in a call subgraph.
#[derive(Clone, Debug, Default)]
pub struct ProfiledCalls {
    /// The profiles.
    pub profiles: Vec<PathBuf>,
    /// Methods with calls in the profiles that are in the inputs.
    pub called: usize,
    /// Methods with calls in the profiles that are not in the inputs.
    pub unknown: usize,
    /// Methods that the analysis does not find without the profiles.
    pub found_only: Vec<MethodKey>,
}

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
