//! All that is read of a file: one pass over its chunks, each kind of event by its own reader.

use crate::{
    chunk::Chunk,
    chunk_reader::ChunkReader,
    clock::{ClockEvents, ClockReading},
    constants::Constants,
    error::{JfrError, Problem},
    layout::Layouts,
    metadata::Metadata,
    samples::{SampleEvents, Samples},
    stack_walks::{StackWalk, StackWalkEvents},
    thread_events::{ThreadEventReader, ThreadEvents},
    threads::Threads,
};
use std::io::Read;

/// The type of the metadata event.
const METADATA: u64 = 0;
/// The type of events with constants.
const CONSTANTS: u64 = 1;

/// What is read of a recording.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// The samples of stacks.
    pub samples: Samples,
    /// The session's clock, if a session was beside it.
    pub clock: Vec<ClockReading>,
    /// The threads that events name.
    pub threads: Threads,
    /// Why threads did not run, and what they threw.
    pub thread_events: ThreadEvents,
    /// Stacks of calls that a session had walked. Their methods and frames are those of `samples`.
    pub stack_walks: Vec<StackWalk>,
    /// Ticks of JFR in a second; none without a chunk that says it.
    pub ticks_per_second: Option<u64>,
}

impl Recording {
    /// Reads a file.
    ///
    /// # Errors
    /// Fails if the file is no recording, or a damaged one.
    pub fn read(input: &mut dyn Read) -> Result<Self, JfrError> {
        let mut recording = Self::default();
        let mut at = 0;
        while let Some(chunk) = Chunk::read(input, at)? {
            recording
                .add(&chunk)
                .map_err(|(within, problem)| JfrError { at: at + within as u64, problem })?;
            at += chunk.len();
            if chunk.is_unfinished {
                // Only the last chunk can be unfinished, and its length is not yet the file's.
                recording.samples.unfinished_chunks += 1;
                break;
            }
        }
        match at {
            0 => Err(JfrError { at, problem: Problem::NoChunk }),
            _ => Ok(recording),
        }
    }

    fn add(&mut self, chunk: &Chunk) -> Result<(), (usize, Problem)> {
        let (mut described, mut constant_events) = (None, Vec::new());
        chunk.events(&mut |event| {
            match event.of {
                METADATA => described = Some(event.fields),
                CONSTANTS => constant_events.push(event.fields),
                _ => {}
            }
            Ok(())
        })?;
        let Some(described) = described else {
            return match chunk.is_unfinished {
                true => Ok(()),
                false => Err((0, Problem::NoMetadata)),
            };
        };
        let start = described.start;
        let metadata = Metadata::read(&mut chunk.bytes(described)).map_err(|p| (start, p))?;
        let mut layouts = Layouts::new(&metadata);
        let mut constants = Constants::default();
        for fields in constant_events {
            let start = fields.start;
            let added = constants.add(&mut chunk.bytes(fields), &metadata, &mut layouts);
            added.map_err(|problem| (start, problem))?;
        }
        self.ticks_per_second = self.ticks_per_second.or(chunk.ticks_per_second());
        let mut reader = ChunkReader { chunk, constants: &constants, layouts };
        let Self { samples, clock, threads, thread_events, stack_walks, .. } = self;
        // A further kind of event has its reader here.
        let mut sample_events = SampleEvents::new(&metadata);
        let mut clock_events = ClockEvents::new(&metadata);
        let mut of_threads = ThreadEventReader::new(&metadata);
        let mut of_walks = StackWalkEvents::new(&metadata);
        chunk.events(&mut |event| {
            sample_events.add(&mut reader, &event, samples, threads)?;
            let mut stack =
                |key: u64, constants: &Constants| sample_events.stack(key, constants, samples);
            of_threads.add(&mut reader, &event, thread_events, threads, &mut stack)?;
            of_walks.add(&mut reader, &event, &mut sample_events, samples, stack_walks)?;
            clock_events.add(&mut reader, &event, clock)
        })
    }
}
