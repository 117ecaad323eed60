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

impl MethodKey {
    /// `com.acme.Engine::run(I)V`, the form that selectors take, with every character as it is: for
    /// files and programs.
    pub fn selector(&self) -> String {
        format!("{}::{}{}", self.class.replace('/', "."), self.name, self.descriptor)
    }
}

impl std::fmt::Display for MethodKey {
    /// [`MethodKey::selector`] for people.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&crate::printable(&self.selector()))
    }
}
