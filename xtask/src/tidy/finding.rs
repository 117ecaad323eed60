//! What a check finds.

/// Something that is not as it should be.
pub struct Finding {
    /// Where: a path in the workspace, with a line where there is one.
    pub place: String,
    /// What, and what to do.
    pub what: String,
}

impl Finding {
    /// One at a place.
    pub fn new(place: impl Into<String>, what: impl Into<String>) -> Self {
        Self { place: place.into(), what: what.into() }
    }
}
