//! The profile file, `.jfp`.

use std::io::{Read, Write};

use crate::additions::Additions;
use crate::envelope::{self, Kind};
use crate::header;
use crate::profile::Stored;
use crate::stored_latencies::StoredLatencies;
use crate::{FileError, FittedConstants, Meta, Profile};

const KIND: Kind =
    Kind { name: "jfathom profile", magic: *b"JFPROF\x1a\n", version: 11, oldest: 10, level: 3 };

impl Profile {
    /// Whether a file begins as profiles do, of any version.
    pub fn is_profile(input: &mut dyn Read) -> bool {
        let mut begin = [0; KIND.magic.len()];
        input.read_exact(&mut begin).is_ok() && begin == KIND.magic
    }

    /// Writes the profile as a `.jfp` file.
    pub fn write(&self, out: &mut dyn Write) -> Result<(), FileError> {
        let body = self.body().map_err(|error| FileError::Content(error.to_string()))?;
        envelope::write(&KIND, &header::write(&self.meta), &body, out)
    }

    /// Body of the file. What only some profiles have stands at its end, up to the last part that
    /// this one has.
    fn body(&self) -> postcard::Result<Vec<u8>> {
        let body = postcard::to_stdvec(&Stored::from_profile(self))?;
        let body = postcard::to_extend(&Additions::from_profile(self), body)?;
        let (constants, uncounted) = (self.constants(), self.uncounted_entries());
        let latencies = StoredLatencies::of(self);
        let parts = match (constants.is_empty(), uncounted.is_empty(), latencies.is_empty()) {
            (_, _, false) => 3,
            (_, false, true) => 2,
            (false, true, true) => 1,
            (true, true, true) => 0,
        };
        let mut body = body;
        if parts > 0 {
            body = postcard::to_extend(&constants, body)?;
        }
        if parts > 1 {
            body = postcard::to_extend(&uncounted, body)?;
        }
        if parts > 2 {
            body = postcard::to_extend(&latencies, body)?;
        }
        Ok(body)
    }

    /// Reads a `.jfp` file, and checks it ([`Profile::check`]). Memory grows with the bytes of the
    /// file, never with announced lengths.
    pub fn read(input: &mut dyn Read) -> Result<Self, FileError> {
        let file = envelope::read(&KIND, input)?;
        let mut body = file.body()?;
        let mut profile = Stored::read(&mut body)?;
        if file.version > 10 {
            body.value::<Additions>()?.add_to(&mut profile);
            if !body.is_at_end() {
                profile.set_constants(body.value()?);
                if !body.is_at_end() {
                    profile.set_uncounted(body.value()?).map_err(FileError::Content)?;
                    if !body.is_at_end() {
                        StoredLatencies::read(&mut body, &mut profile)?;
                    }
                }
            }
        }
        body.end()?;
        profile.check().map_err(FileError::Content)?;
        header::read(&file.more, &mut profile.meta);
        Ok(profile)
    }

    /// Reads the origin of a `.jfp` file alone, with its labels: a small part of the work of
    /// [`Profile::read`]. The checksum is held against the file.
    pub fn read_meta(input: &mut dyn Read) -> Result<Meta, FileError> {
        let file = envelope::read(&KIND, input)?;
        let mut meta = file.body()?.value()?;
        header::read(&file.more, &mut meta);
        Ok(meta)
    }

    /// By JVM: the constants that were fitted on its machine. Empty if there are none: readers that
    /// know nothing of them ignore what stands here.
    fn constants(&self) -> Vec<&Option<FittedConstants>> {
        let has_any = self.meta.jvms.iter().any(|jvm| jvm.constants.is_some());
        self.meta.jvms.iter().filter(|_| has_any).map(|jvm| &jvm.constants).collect()
    }

    fn set_constants(&mut self, constants: Vec<Option<FittedConstants>>) {
        for (jvm, constants) in self.meta.jvms.iter_mut().zip(constants) {
            jvm.constants = constants;
        }
    }

    /// Uncounted methods: index in the method table, and since when. Empty if there are none.
    fn uncounted_entries(&self) -> Vec<(u32, u64)> {
        self.uncounted().map(|(method, since)| (method.0, since)).collect()
    }

    fn set_uncounted(&mut self, entries: Vec<(u32, u64)>) -> Result<(), String> {
        for (index, since) in entries {
            let method = self.methods.get_mut(index as usize);
            let method = method
                .ok_or_else(|| format!("method {index}, which is uncounted, is not there"))?;
            method.uncounted_since = Some(since);
        }
        Ok(())
    }

    /// As [`Profile::read`], for an input that has nothing but the profile: bytes behind it are an
    /// error, as the checksum does not cover them.
    pub fn read_whole(input: &mut dyn Read) -> Result<Self, FileError> {
        let profile = Self::read(input)?;
        envelope::require_end(input)?;
        Ok(profile)
    }
}
