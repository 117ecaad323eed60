//! The versions that are read (JVMS §4.1, table 4.1-A).

/// The oldest major version that is read (JDK 1.0.2 and 1.1).
pub const MIN_MAJOR: u16 = 45;
/// The newest major version whose preview features are known (Java 25).
pub const KNOWN_MAJOR: u16 = 69;

/// The minor version of class files that depend on preview features (JVMS §4.1).
const PREVIEW: u16 = 0xFFFF;

/// Whether class files of this version are read.
///
/// A new version has kept the layout so far, and adds to it what is then unknown here and an error
/// by itself. Preview features may change what is known.
pub(crate) fn is_read(major: u16, minor: u16) -> bool {
    major >= MIN_MAJOR && (major <= KNOWN_MAJOR || minor != PREVIEW)
}
