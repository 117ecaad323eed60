//! A recording in the format of the JDK's JFR, version 2.1: chunks with events, tables of
//! constants, and a description of all types.
//!
//! The events are jfathom's own. `jfathom.Context` is a call path: its stack, calls and self time.
//! It never poses as a sample of the JVM's. `jfathom.Recording` says what was recorded.

mod chunk;
mod constants;
mod encoding;
mod metadata;
mod types;

use crate::{
    contexts::{Contexts, callers},
    notes::Notes,
};
use chunk::Chunk;
use constants::Constants;
use jfathom_profile::Profile;
use std::io::{self, Write};
use types::TypeId;

/// Stacks of a chunk, in bytes: what is held in memory.
const CHUNK_BYTES: usize = 32 << 20;

pub(crate) fn write(
    profile: &Profile,
    contexts: &Contexts,
    notes: &Notes,
    out: &mut impl Write,
) -> io::Result<()> {
    write_chunks(profile, contexts, notes, CHUNK_BYTES, out)
}

/// [`write`] with chunks of about `chunk_bytes`.
pub(crate) fn write_chunks(
    profile: &Profile,
    contexts: &Contexts,
    notes: &Notes,
    chunk_bytes: usize,
    out: &mut impl Write,
) -> io::Result<()> {
    let constants = Constants::of(contexts);
    let mut chunk = Chunk::default();
    chunk.event(TypeId::Recording, |event| {
        event.string(&notes.tool).string(&notes.command).string(&notes.quality);
        event.string(&notes.times);
    });
    let callers: Vec<Vec<Option<usize>>> =
        contexts.threads.iter().map(|thread| callers(&thread.contexts)).collect();
    for (thread, at) in by_self_time(contexts) {
        let all = &contexts.threads[thread].contexts;
        let context = all[at];
        let stack = chunk.stack(|out| {
            out.byte(0).number(u64::from(context.depth) + 1);
            let path = std::iter::successors(Some(at), |at| callers[thread][*at]);
            path.for_each(|at| constants.frame(all[at].frame, out));
        });
        chunk.event(TypeId::Context, |event| {
            event.number(thread as u64 + 1).number(stack);
            event.number(context.calls).number(context.self_nanos);
        });
        if chunk.len() > chunk_bytes {
            std::mem::take(&mut chunk).write(profile, &constants, out)?;
        }
    }
    if !chunk.is_empty() {
        chunk.write(profile, &constants, out)?;
    }
    Ok(())
}

/// The threads and places of all call paths with a time or calls, those with the most self time
/// first: `jfr view jfathom.Context` shows them in the order of the file.
fn by_self_time(contexts: &Contexts) -> Vec<(usize, usize)> {
    let threads = contexts.threads.iter().enumerate();
    let mut all: Vec<(usize, usize)> = threads
        .flat_map(|(thread, of)| (0..of.contexts.len()).map(move |at| (thread, at)))
        .collect();
    let context = |(thread, at): (usize, usize)| contexts.threads[thread].contexts[at];
    all.retain(|place| !context(*place).is_empty());
    all.sort_by_key(|place| {
        let of = context(*place);
        std::cmp::Reverse((of.self_nanos, of.calls))
    });
    all
}
