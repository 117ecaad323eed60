//! Method keys: names of methods that hold in all runs and builds.

use serde::{Deserialize, Serialize};

/// A method by class, name and descriptor, as in the class file (JVMS 4.2).
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
    /// `com.acme.Engine::run(I)V`, as a selector, without escapes: for files and programs.
    pub fn selector(&self) -> String {
        format!("{}::{}{}", self.class.replace('/', "."), self.name, self.descriptor)
    }
}

impl std::fmt::Display for MethodKey {
    /// [`MethodKey::selector`], with unprintable characters escaped.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&crate::printable(&self.selector()))
    }
}
