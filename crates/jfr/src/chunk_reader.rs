//! One chunk while its events are read.

use crate::{
    bytes::Bytes,
    chunk::{Chunk, Event},
    constants::Constants,
    error::Problem,
    layout::{Layouts, numbers},
    threads::JfrThread,
};

/// What all kinds of events need of their chunk.
pub(crate) struct ChunkReader<'a> {
    pub chunk: &'a Chunk,
    pub constants: &'a Constants,
    pub layouts: Layouts<'a>,
}

impl<'a> ChunkReader<'a> {
    /// The values of an event's fields that are numbers, keys or truth values; zero for a field
    /// that the event does not have.
    pub fn numbers<const N: usize>(
        &mut self,
        event: &Event,
        fields: [&str; N],
    ) -> Result<[u64; N], Problem> {
        let layout = self.layouts.get(event.of)?;
        let wanted = fields.map(|field| layout.place(field));
        numbers(&mut self.bytes(event), &layout.parts, wanted)
    }

    /// The thread with this key; unknown if the chunk does not have it.
    pub fn thread(&self, key: u64) -> JfrThread {
        self.constants.threads.get(&key).copied().unwrap_or_default()
    }

    /// The bytes of an event's fields.
    pub fn bytes(&self, event: &Event) -> Bytes<'a> {
        self.chunk.bytes(event.fields.clone())
    }
}
