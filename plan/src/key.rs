//! The name of a method across runs and builds.

use serde::{Deserialize, Serialize};

/// A method by its names, as the class file has them (JVMS 4.2).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MethodKey {
    /// Binary class name in internal form: `com/acme/Engine`.
    pub class: String,
    /// Unqualified name: `run`, `<init>`.
    pub name: String,
    /// Method descriptor: `(I)V`.
    pub descriptor: String,
}

impl std::fmt::Display for MethodKey {
    /// `com.acme.Engine::run(I)V`, the form that selectors take.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}::{}{}", self.class.replace('/', "."), self.name, self.descriptor)
    }
}
