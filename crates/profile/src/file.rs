//! The profile file, `.jfp`.

use std::io::{Read, Write};

use crate::additions::Additions;
use crate::body::Body;
use crate::envelope::{self, Kind};
use crate::folded::Folded;
use crate::header;
use crate::joining::Joining;
use crate::parked::Parked;
use crate::profile::Stored;
use crate::stack_samples::StoredStackSamples;
use crate::stack_walks::StoredStackWalks;
use crate::stored_allocation::StoredAllocation;
use crate::stored_caught::StoredCaught;
use crate::stored_cpu::StoredCpu;
use crate::stored_events::StoredEvents;
use crate::stored_hand_offs::StoredHandOffs;
use crate::stored_handed_off::StoredHandedOff;
use crate::stored_latencies::{StoredActivation, StoredLatencies};
use crate::stored_slow_events::StoredSlowEvents;
use crate::{FileError, Limits, Meta, Profile, RunSplit};

const KIND: Kind = Kind { name: "jfathom profile", magic: *b"JFPROF\x1a\n", version: 14, level: 3 };

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
        let latencies = StoredLatencies::of(self);
        let more = Joining::from_profile(self);
        let limits = self.limits();
        let folded = Folded::of(self);
        let hand_offs = StoredHandOffs::of(self);
        let parked = Parked::of(self);
        let allocation = StoredAllocation::of(self);
        let cpu = StoredCpu::of(self);
        let splits = RunSplit::all(self.runs.iter().map(|run| &run.split));
        let stack_samples = StoredStackSamples::of(self);
        let events = StoredEvents::of(self);
        let stack_walks = StoredStackWalks::of(self);
        let slow_events = StoredSlowEvents::of(self);
        let caught = StoredCaught::of(self);
        let unread = self.unread_entries();
        let resuming = self.resuming_entries();
        let handed_off = StoredHandedOff::of(self);
        let has = [
            !latencies.is_empty(),
            self.slice.is_some(),
            !self.latencies.slowest.is_empty(),
            more != Joining::default(),
            !limits.is_empty(),
            !folded.is_empty(),
            !hand_offs.is_empty(),
            parked != Parked::default(),
            self.trust.is_some(),
            allocation != StoredAllocation::default(),
            cpu != StoredCpu::default(),
            !splits.is_empty(),
            stack_samples != StoredStackSamples::default(),
            events != StoredEvents::default(),
            stack_walks != StoredStackWalks::default(),
            !slow_events.is_empty(),
            caught != StoredCaught::default(),
            !unread.is_empty(),
            !handed_off.is_empty(),
            !resuming.is_empty(),
        ];
        let parts = has.iter().rposition(|has| *has).map_or(0, |last| last + 1);
        let mut body = body;
        if parts > 0 {
            body = postcard::to_extend(&latencies, body)?;
        }
        if parts > 1 {
            body = postcard::to_extend(&self.slice, body)?;
        }
        if parts > 2 {
            body = postcard::to_extend(&StoredActivation::all(self), body)?;
        }
        if parts > 3 {
            body = postcard::to_extend(&more, body)?;
        }
        if parts > 4 {
            body = postcard::to_extend(&limits, body)?;
        }
        if parts > 5 {
            body = postcard::to_extend(&folded, body)?;
        }
        if parts > 6 {
            body = postcard::to_extend(&hand_offs, body)?;
        }
        if parts > 7 {
            body = postcard::to_extend(&parked, body)?;
        }
        if parts > 8 {
            body = postcard::to_extend(&self.trust, body)?;
        }
        if parts > 9 {
            body = postcard::to_extend(&allocation, body)?;
        }
        if parts > 10 {
            body = postcard::to_extend(&cpu, body)?;
        }
        if parts > 11 {
            body = postcard::to_extend(&splits, body)?;
        }
        if parts > 12 {
            body = postcard::to_extend(&stack_samples, body)?;
        }
        if parts > 13 {
            body = postcard::to_extend(&events, body)?;
        }
        if parts > 14 {
            body = postcard::to_extend(&stack_walks, body)?;
        }
        if parts > 15 {
            body = postcard::to_extend(&slow_events, body)?;
        }
        if parts > 16 {
            body = postcard::to_extend(&caught, body)?;
        }
        if parts > 17 {
            body = postcard::to_extend(&unread, body)?;
        }
        if parts > 18 {
            body = postcard::to_extend(&handed_off, body)?;
        }
        if parts > 19 {
            body = postcard::to_extend(&resuming, body)?;
        }
        Ok(body)
    }

    /// Reads a `.jfp` file, and checks it ([`Profile::check`]). Memory grows with the bytes of the
    /// file, never with announced lengths.
    pub fn read(input: &mut dyn Read) -> Result<Self, FileError> {
        let file = envelope::read(&KIND, input)?;
        let mut body = file.body()?;
        let mut profile = Stored::read(&mut body)?;
        body.value::<Additions>()?.add_to(&mut profile);
        Self::read_parts(&mut body, &mut profile)?;
        body.end()?;
        profile.check().map_err(FileError::Content)?;
        header::read(&file.more, &mut profile.meta);
        Ok(profile)
    }

    /// Reads what only some profiles have, in the order in which [`Profile::body`] writes it.
    fn read_parts(body: &mut Body, profile: &mut Self) -> Result<(), FileError> {
        type Part = fn(&mut Body, &mut Profile) -> Result<(), FileError>;
        let parts: [Part; 20] = [
            StoredLatencies::read,
            |body, profile| {
                profile.slice = body.value()?;
                Ok(())
            },
            |body, profile| {
                StoredActivation::read(body.value()?, profile).map_err(FileError::Content)
            },
            |body, profile| {
                body.value::<Joining>()?.add_to(profile);
                Ok(())
            },
            |body, profile| {
                profile.set_limits(body.value()?);
                Ok(())
            },
            |body, profile| body.value::<Folded>()?.add_to(profile).map_err(FileError::Content),
            |body, profile| {
                body.value::<StoredHandOffs>()?.add_to(profile).map_err(FileError::Content)
            },
            |body, profile| body.value::<Parked>()?.add_to(profile).map_err(FileError::Content),
            |body, profile| {
                profile.trust = body.value()?;
                Ok(())
            },
            |body, profile| {
                body.value::<StoredAllocation>()?.add_to(profile).map_err(FileError::Content)
            },
            |body, profile| body.value::<StoredCpu>()?.add_to(profile).map_err(FileError::Content),
            |body, profile| {
                let of_runs = profile.runs.iter_mut().map(|run| &mut run.split);
                RunSplit::add_all(body.value()?, of_runs).map_err(FileError::Content)
            },
            |body, profile| {
                body.value::<StoredStackSamples>()?.add_to(profile).map_err(FileError::Content)
            },
            |body, profile| {
                body.value::<StoredEvents>()?.add_to(profile).map_err(FileError::Content)
            },
            |body, profile| {
                body.value::<StoredStackWalks>()?.add_to(profile).map_err(FileError::Content)
            },
            |body, profile| {
                body.value::<StoredSlowEvents>()?.add_to(profile).map_err(FileError::Content)
            },
            |body, profile| {
                body.value::<StoredCaught>()?.add_to(profile).map_err(FileError::Content)
            },
            |body, profile| profile.set_unread(body.value()?).map_err(FileError::Content),
            |body, profile| {
                body.value::<StoredHandedOff>()?.add_to(profile);
                Ok(())
            },
            |body, profile| profile.set_resuming(body.value()?).map_err(FileError::Content),
        ];
        for part in parts {
            if body.is_at_end() {
                break;
            }
            part(body, profile)?;
        }
        Ok(())
    }

    /// Reads the origin of a `.jfp` file alone, with its labels: a small part of the work of
    /// [`Profile::read`]. The checksum is held against the file.
    pub fn read_meta(input: &mut dyn Read) -> Result<Meta, FileError> {
        let file = envelope::read(&KIND, input)?;
        let mut meta = file.body()?.value()?;
        header::read(&file.more, &mut meta);
        Ok(meta)
    }

    /// By JVM: what it could use at most. Empty if nothing is known.
    fn limits(&self) -> Vec<Limits> {
        let has_any = self.meta.jvms.iter().any(|jvm| !jvm.limits.is_empty());
        self.meta.jvms.iter().filter(|_| has_any).map(|jvm| jvm.limits).collect()
    }

    fn set_limits(&mut self, limits: Vec<Limits>) {
        for (jvm, limits) in self.meta.jvms.iter_mut().zip(limits) {
            jvm.limits = limits;
        }
    }

    /// Indices in the method table of methods that have not read what they allocate.
    fn unread_entries(&self) -> Vec<u32> {
        let methods = (0..).zip(&self.methods);
        methods.filter(|(_, method)| method.is_unread).map(|(index, _)| index).collect()
    }

    fn set_unread(&mut self, entries: Vec<u32>) -> Result<(), String> {
        for index in entries {
            let method = self.methods.get_mut(index as usize);
            let method = method
                .ok_or_else(|| format!("method {index}, which has not read, is not there"))?;
            method.is_unread = true;
        }
        Ok(())
    }

    /// Indices in the method table of methods that coroutines enter again.
    fn resuming_entries(&self) -> Vec<u32> {
        let methods = (0..).zip(&self.methods);
        methods.filter(|(_, method)| method.info.resumes).map(|(index, _)| index).collect()
    }

    fn set_resuming(&mut self, entries: Vec<u32>) -> Result<(), String> {
        for index in entries {
            let method = self.methods.get_mut(index as usize);
            let method =
                method.ok_or_else(|| format!("method {index}, which is resumed, is not there"))?;
            method.info.resumes = true;
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
