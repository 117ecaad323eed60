//! The profile file, `.jfp`.

use std::io::{Read, Write};

use crate::Profile;
use crate::additions::Additions;
use crate::envelope::{self, FileError, Kind};
use crate::header;
use crate::profile::Stored;

const KIND: Kind =
    Kind { name: "jfathom profile", magic: *b"JFPROF\x1a\n", version: 11, oldest: 10, level: 3 };

impl Profile {
    /// Writes the profile as a `.jfp` file.
    pub fn write(&self, out: &mut dyn Write) -> Result<(), FileError> {
        let body = postcard::to_stdvec(&Stored::from_profile(self))
            .and_then(|body| postcard::to_extend(&Additions::from_profile(self), body))
            .map_err(|error| FileError::Content(error.to_string()))?;
        envelope::write(&KIND, &header::write(&self.meta), &body, out)
    }

    /// Reads a `.jfp` file, and checks it ([`Profile::check`]). Memory grows with the bytes of the
    /// file, never with announced lengths.
    pub fn read(input: &mut dyn Read) -> Result<Self, FileError> {
        let content = |error: postcard::Error| FileError::Content(error.to_string());
        let (version, more, body) = envelope::read(&KIND, input)?;
        let (stored, rest) = postcard::take_from_bytes::<Stored>(&body).map_err(content)?;
        let mut profile = stored.profile().map_err(FileError::Content)?;
        if version > 10 {
            postcard::from_bytes::<Additions>(rest).map_err(content)?.add_to(&mut profile);
        }
        profile.check().map_err(FileError::Content)?;
        header::read(&more, &mut profile.meta);
        Ok(profile)
    }

    /// As [`Profile::read`], for an input that has nothing but the profile: bytes behind it are an
    /// error, as the checksum does not cover them.
    pub fn read_whole(input: &mut dyn Read) -> Result<Self, FileError> {
        let profile = Self::read(input)?;
        envelope::require_end(input)?;
        Ok(profile)
    }
}
