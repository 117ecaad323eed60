//! Why a comparison ends early.

use crate::finding::Fault;

/// Why a comparison ends early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// Something differs.
    Fault(Fault),
    /// Something is not known well enough to be compared.
    NotChecked(String),
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}
