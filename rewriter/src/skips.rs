//! Skips, with the class and the method.

use classfile_writer::{ClassFile, Error, ErrorKind};
use jfathom_plan::{Skip, SkipReason};

/// Modified UTF-8 as a string. Lone surrogates become U+FFFD, which matches no selector.
pub(crate) fn text(bytes: &[u8]) -> String {
    classfile_writer::mutf8::decode_lossy(bytes).into_owned()
}

/// The skip of a class that cannot be read. It has the class's name if only the version is unknown.
#[cold]
pub(crate) fn class_skip(bytes: &[u8], error: &Error) -> Skip {
    let name =
        |bytes: &[u8]| ClassFile::parse(bytes).ok().and_then(|class| class.name().ok().map(text));
    let class = match error.kind() {
        ErrorKind::UnsupportedVersion { .. } => {
            let mut known = bytes.to_vec();
            if let Some(major) = known.get_mut(6..8) {
                major.copy_from_slice(&classfile_writer::KNOWN_MAJOR.to_be_bytes());
            }
            name(&known)
        }
        _ => name(bytes),
    };
    Skip {
        class: class.unwrap_or_default(),
        method: None,
        reason: reason(error.kind()),
        detail: Some(error.to_string()),
    }
}

/// The skip reason for an error of the class file layer.
pub(crate) fn reason(kind: ErrorKind) -> SkipReason {
    match kind {
        ErrorKind::UnsupportedVersion { .. } => SkipReason::Version,
        ErrorKind::PoolFull | ErrorKind::Utf8TooLong(_) => SkipReason::PoolFull,
        ErrorKind::CodeTooLarge(_) | ErrorKind::StackTooDeep(_) | ErrorKind::TooManyLocals(_) => {
            SkipReason::CodeTooLarge
        }
        ErrorKind::ExceptionTableTooLong(_)
        | ErrorKind::TooManyFrames(_)
        | ErrorKind::TooManyAttributes => SkipReason::TableFull,
        ErrorKind::BadFrame(_)
        | ErrorKind::BadVerificationType(_)
        | ErrorKind::BadFramePosition => SkipReason::Frames,
        _ => SkipReason::Malformed,
    }
}
