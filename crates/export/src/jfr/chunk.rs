//! A chunk: a header, events, the constants, and the metadata.

use super::{
    constants::Constants,
    encoding::{Encoder, bounded},
    metadata,
    types::TypeId,
};
use jfathom_profile::Profile;
use std::io::{self, Write};

/// What a chunk has so far.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    events: Encoder,
    stacks: Encoder,
    stack_count: u64,
    event: Encoder,
}

const HEADER_BYTES: usize = 68;

impl Chunk {
    /// Bytes of events and stacks.
    pub fn len(&self) -> usize {
        self.events.bytes.len() + self.stacks.bytes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.events.bytes.is_empty()
    }

    /// Adds an event; `fill` writes its fields after the time, which is that of the chunk.
    pub fn event(&mut self, of: TypeId, fill: impl FnOnce(&mut Encoder)) {
        self.event.bytes.clear();
        self.event.number(of as u64).number(0);
        fill(&mut self.event);
        self.events.event(&self.event);
    }

    /// Adds a stack, and returns its key.
    pub fn stack(&mut self, fill: impl FnOnce(&mut Encoder)) -> u64 {
        self.stack_count += 1;
        self.stacks.number(self.stack_count);
        fill(&mut self.stacks);
        self.stack_count
    }

    /// Writes the whole chunk.
    pub fn write(
        self,
        profile: &Profile,
        constants: &Constants,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let mut tail = Encoder::default();
        tail.event(&constants.checkpoint(self.stack_count, &self.stacks));
        let constants_at = HEADER_BYTES + self.events.bytes.len();
        let metadata_at = constants_at + tail.bytes.len();
        tail.event(&metadata::event());
        let size = constants_at + tail.bytes.len();
        out.write_all(&header(profile, size, constants_at, metadata_at))?;
        out.write_all(&self.events.bytes)?;
        out.write_all(&tail.bytes)
    }
}

/// The numbers of the header are big-endian and not compressed.
fn header(profile: &Profile, size: usize, constants_at: usize, metadata_at: usize) -> Vec<u8> {
    const MILLI: u64 = 1_000_000;
    const TICKS_PER_SECOND: u64 = 1_000_000_000;
    let meta = &profile.meta;
    let mut header = Vec::with_capacity(HEADER_BYTES);
    header.extend(b"FLR\0");
    header.extend([0, 2, 0, 1]);
    for number in [
        size as u64,
        constants_at as u64,
        metadata_at as u64,
        meta.started_millis.saturating_mul(MILLI),
        meta.duration_millis.saturating_mul(MILLI),
        // Ticks at the start: events have the same.
        0,
        TICKS_PER_SECOND,
    ] {
        header.extend(bounded(number).to_be_bytes());
    }
    // The chunk is complete, and its numbers are compressed.
    header.extend([0, 0, 0, 1]);
    header
}
