//! What a chooser needs to know of a class.

use jfathom_plan::{ClassSurvey, Skip, SkipReason};

/// Whether a survey takes the digests of methods, which costs about as much as everything else in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Digests {
    /// Take them.
    Take,
    /// Leave them zero.
    Leave,
}

/// Reads names, flags, annotations, lines and, where asked, digests of one class file.
///
/// # Errors
/// The class file is malformed or of an unknown version; the skip names the class where the name could be read.
pub fn survey(bytes: &[u8], digests: Digests) -> Result<ClassSurvey, Skip> {
    let _ = (bytes, digests);
    Err(Skip { class: String::new(), method: None, reason: SkipReason::Malformed, detail: None })
}

/// The module's name in a `module-info.class` (JVMS 4.7.25); none where the class file has no Module attribute.
///
/// # Errors
/// As [`survey`].
pub fn module_name(bytes: &[u8]) -> Result<Option<String>, Skip> {
    let _ = bytes;
    Ok(None)
}
