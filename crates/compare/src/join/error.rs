//! Why profiles are not joined.

use std::fmt;

/// Why profiles are not joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JoinError {
    /// There is none.
    Nothing,
    /// The profile at this place is no slice of a recording.
    NoSlice(usize),
    /// The profile at this place is of another recording than the first.
    OtherRecording(usize),
    /// The profile at this place is the same slice as an earlier one.
    Twice(usize),
    /// Together they say what cannot be.
    Contradiction(String),
}

impl fmt::Display for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("there is no profile"),
            Self::NoSlice(_) => f.write_str(
                "is no slice of a recording (record --every); `jfathom merge` adds up others",
            ),
            Self::OtherRecording(_) => f.write_str("is of another recording than the first"),
            Self::Twice(_) => f.write_str("is a slice that was given before"),
            Self::Contradiction(what) => write!(f, "the slices contradict each other: {what}"),
        }
    }
}

impl std::error::Error for JoinError {}

impl JoinError {
    /// The place of the profile that it is about; none if it is about all.
    pub fn place(&self) -> Option<usize> {
        match self {
            Self::Nothing | Self::Contradiction(_) => None,
            Self::NoSlice(at) | Self::OtherRecording(at) | Self::Twice(at) => Some(*at),
        }
    }
}
