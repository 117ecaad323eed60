//! Stacks of calls as a session has had them walked.

use crate::{
    chunk::Event,
    chunk_reader::ChunkReader,
    error::Problem,
    metadata::Metadata,
    samples::{SampleEvents, Samples},
};

/// The event, and its fields.
const EVENT: &str = "jfathom.Stack";
const FIELDS: [&str; 3] = ["method", "number", "stackTrace"];

/// The stack of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackWalk {
    /// The id of the called method in the session.
    pub method: u64,
    /// How many walks the method was due so far, with this one.
    pub number: u64,
    /// The place of its stack in [`Samples::stacks`]; none if the file does not have it.
    pub stack: Option<u32>,
}

/// Reads the events of a chunk.
#[derive(Debug)]
pub(crate) struct StackWalkEvents {
    of: Option<u64>,
}

impl StackWalkEvents {
    pub fn new(metadata: &Metadata) -> Self {
        Self { of: metadata.find(EVENT) }
    }

    /// `stacks` reads the same chunk's.
    pub fn add(
        &mut self,
        chunk: &mut ChunkReader,
        event: &Event,
        stacks: &mut SampleEvents,
        samples: &mut Samples,
        into: &mut Vec<StackWalk>,
    ) -> Result<(), Problem> {
        if self.of != Some(event.of) {
            return Ok(());
        }
        let [method, number, key] = chunk.numbers(event, FIELDS)?;
        // The runtime writes one with the number 0, of no call.
        if number > 0 {
            let stack = stacks.stack(key, chunk.constants, samples);
            into.push(StackWalk { method, number, stack });
        }
        Ok(())
    }
}
