//! Flags as words, from a command line or from text.

use super::{Piece, argument_file, pieces};
use std::{ffi::OsString, os::unix::ffi::OsStrExt};

/// The words of a text: blanks separate them, quotes enclose them.
pub(crate) fn split(text: Vec<u8>) -> Vec<OsString> {
    argument_file::split(text)
}

/// The options that stand alone in a command line of `java`, as those of the JVM do.
pub(crate) fn of_options(arguments: &[OsString]) -> Vec<OsString> {
    let alone = |piece: Piece| piece.lead.is_none().then_some(piece.value);
    let is_option = |word: &OsString| word.as_bytes().starts_with(b"-");
    pieces(arguments).0.into_iter().filter_map(alone).filter(is_option).collect()
}
