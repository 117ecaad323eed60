//! What is wrong with something, where no caller tells one from another.

use std::borrow::Cow;

/// What is wrong with something, as part of a sentence: the caller says with what.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Problem(Cow<'static, str>);

impl<T: Into<Cow<'static, str>>> From<T> for Problem {
    fn from(text: T) -> Self {
        Self(text.into())
    }
}
