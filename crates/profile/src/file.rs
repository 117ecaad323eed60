//! The profile file, `.jfp`.

use std::io::{Read, Write};

use crate::Profile;
use crate::envelope::{self, FileError, Kind};
use crate::header;
use crate::profile::Stored;

const KIND: Kind = Kind { name: "jfathom profile", magic: *b"JFPROF\x1a\n", version: 10, level: 3 };

impl Profile {
    /// Writes the profile as a `.jfp` file.
    pub fn write(&self, out: &mut dyn Write) -> Result<(), FileError> {
        let body = postcard::to_stdvec(&Stored::from_profile(self))
            .map_err(|error| FileError::Content(error.to_string()))?;
        envelope::write(&KIND, &header::write(&self.meta), &body, out)
    }

    /// Reads a `.jfp` file, and checks it ([`Profile::check`]). Memory grows with the bytes of the
    /// file, never with announced lengths.
    pub fn read(input: &mut dyn Read) -> Result<Self, FileError> {
        let (more, body) = envelope::read(&KIND, input)?;
        let stored: Stored =
            postcard::from_bytes(&body).map_err(|error| FileError::Content(error.to_string()))?;
        let mut profile = stored.profile().map_err(FileError::Content)?;
        header::read(&more, &mut profile.meta);
        Ok(profile)
    }
}
