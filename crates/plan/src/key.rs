//! Method keys: names of methods that hold in all runs and builds.

use crate::selector::quote::{quoted_class, quoted_descriptor, quoted_name};
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
    /// `com.acme.Engine::run(I)V`: a selector that selects this method alone.
    pub fn selector(&self) -> String {
        let (class, name) = (quoted_class(&self.class), quoted_name(&self.name));
        format!("{class}::{name}{}", quoted_descriptor(&self.descriptor))
    }
}

impl std::fmt::Display for MethodKey {
    /// [`MethodKey::selector`].
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.selector())
    }
}
