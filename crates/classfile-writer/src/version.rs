//! The versions that are read (JVMS §4.1, table 4.1-A).

/// The oldest major version that is read (JDK 1.0.2 and 1.1).
pub const MIN_MAJOR: u16 = 45;
/// The newest major version that is read (Java 25).
pub const MAX_MAJOR: u16 = 69;
