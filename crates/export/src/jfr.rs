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

use crate::{contexts::Contexts, notes::Notes};
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
        let left_out = contexts.left_out_nanos.round() as u64;
        event.string(&notes.tool).string(&notes.command).string(&notes.quality);
        event.string(&notes.times).number(left_out);
    });
    for (thread, at) in contexts.threads.iter().zip(1..) {
        let mut path: Vec<u32> = Vec::new();
        for context in &thread.contexts {
            path.truncate(context.depth as usize);
            path.push(context.frame);
            if context.is_empty() {
                continue;
            }
            let stack = chunk.stack(|out| {
                out.byte(0).number(path.len() as u64);
                for frame in path.iter().rev() {
                    constants.frame(*frame, out);
                }
            });
            chunk.event(TypeId::Context, |event| {
                event.number(at).number(stack).number(context.calls).number(context.self_nanos);
            });
            if chunk.len() > chunk_bytes {
                std::mem::take(&mut chunk).write(profile, &constants, out)?;
            }
        }
    }
    if !chunk.is_empty() {
        chunk.write(profile, &constants, out)?;
    }
    Ok(())
}
