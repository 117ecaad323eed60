//! Texts that are not of the form that they must have.

/// A text that is not of the form that it must have: the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {0}")]
pub struct FormError(pub &'static str);
