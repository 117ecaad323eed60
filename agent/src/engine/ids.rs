//! The numbers of methods, for as long as the JVM lives.

/// Method key → id. An id is never given to another method.
#[derive(Debug, Default)]
pub struct IdTable {}

impl IdTable {
    /// How many methods can have ids.
    pub const LIMIT: u32 = 262_144;
}
