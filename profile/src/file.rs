//! The profile file, `.jfp`.

use std::io::{Read, Write};
use std::num::NonZeroU64;

use crate::Profile;
use crate::envelope::{self, FileError, Kind};
use crate::profile::Stored;

const KIND: Kind = Kind { name: "jfathom profile", magic: *b"JFPROF\x1a\n", version: 5, level: 3 };

impl Profile {
    /// Writes the profile as a `.jfp` file.
    pub fn write(&self, out: &mut dyn Write) -> Result<(), FileError> {
        let body = postcard::to_stdvec(&Stored::of(self)).map_err(|error| FileError::Content(error.to_string()))?;
        let in_turn = self.meta.in_turn.map(|id| id.get().to_le_bytes());
        envelope::write(&KIND, in_turn.as_ref().map_or(&[], |id| id), &body, out)
    }

    /// Reads a `.jfp` file. Memory grows with what is in the file, not with what it claims; the content is checked
    /// ([`Profile::check`]).
    pub fn read(input: &mut dyn Read) -> Result<Self, FileError> {
        let (more, body) = envelope::read(&KIND, input)?;
        let stored: Stored = postcard::from_bytes(&body).map_err(|error| FileError::Content(error.to_string()))?;
        let mut profile = stored.profile().map_err(FileError::Content)?;
        profile.meta.in_turn = more.first_chunk().and_then(|id| NonZeroU64::new(u64::from_le_bytes(*id)));
        Ok(profile)
    }
}
