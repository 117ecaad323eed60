//! The profile file, `.jfp`.

use std::io::{Read, Write};

use crate::store::envelope::{self, Kind};
use crate::{FileError, Meta, Profile, store::sections};

const KIND: Kind = Kind { name: "jfathom profile", magic: *b"JFPROF\x1a\n", version: 15, level: 3 };

impl Profile {
    /// Whether a file begins as profiles do, of any version.
    pub fn is_profile(input: &mut dyn Read) -> bool {
        let mut begin = [0; KIND.magic.len()];
        input.read_exact(&mut begin).is_ok() && begin == KIND.magic
    }

    /// Writes the profile as a `.jfp` file.
    pub fn write(&self, out: &mut dyn Write) -> Result<(), FileError> {
        let body =
            sections::write(self).map_err(|error| FileError::Content(error.to_string().into()))?;
        envelope::write(&KIND, &body, out)
    }

    /// Reads a `.jfp` file, and checks it ([`Profile::check`]). Memory grows with the bytes of the
    /// file, never with announced lengths.
    pub fn read(input: &mut dyn Read) -> Result<Self, FileError> {
        let file = envelope::read(&KIND, input)?;
        let mut body = file.body()?;
        let profile = sections::read(&mut body)?;
        body.end()?;
        profile.check().map_err(FileError::Content)?;
        Ok(profile)
    }

    /// Reads the origin of a `.jfp` file alone: a small part of the work of [`Profile::read`]. The
    /// checksum is held against the file.
    pub fn read_meta(input: &mut dyn Read) -> Result<Meta, FileError> {
        let file = envelope::read(&KIND, input)?;
        sections::read_meta(&mut file.body()?)
    }

    /// As [`Profile::read`], for an input that has nothing but the profile: bytes behind it are an
    /// error, as the checksum does not cover them.
    pub fn read_whole(input: &mut dyn Read) -> Result<Self, FileError> {
        let profile = Self::read(input)?;
        envelope::require_end(input)?;
        Ok(profile)
    }
}
