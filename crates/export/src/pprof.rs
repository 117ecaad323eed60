//! pprof's profile: the message `perftools.profiles.Profile`, compressed by gzip.
//!
//! pprof adds the values of a stack's samples up to get the total of each frame. So there is one
//! type of time, and its values are self times.

use crate::{
    contexts::{Context, Contexts, ThreadContexts},
    frame::FrameFacts,
    notes::Notes,
    protobuf::Message,
    strings::Strings,
};
use flate2::{Compression, write::GzEncoder};
use jfathom_plan::printable;
use jfathom_profile::Profile;
use std::io::{self, Write};

/// Fields of `Profile`.
pub(crate) mod field {
    pub const SAMPLE_TYPE: u32 = 1;
    pub const SAMPLE: u32 = 2;
    pub const MAPPING: u32 = 3;
    pub const LOCATION: u32 = 4;
    pub const FUNCTION: u32 = 5;
    pub const STRING_TABLE: u32 = 6;
    pub const TIME_NANOS: u32 = 9;
    pub const DURATION_NANOS: u32 = 10;
    pub const PERIOD_TYPE: u32 = 11;
    pub const PERIOD: u32 = 12;
    pub const COMMENT: u32 = 13;
    pub const DEFAULT_SAMPLE_TYPE: u32 = 14;
}

pub(crate) fn write(
    profile: &Profile,
    contexts: &Contexts,
    notes: &Notes,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut out = GzEncoder::new(out, Compression::fast());
    let mut strings = Strings::default();
    let mut message = Message::new();
    // pprof shows nothing of a type that is zero everywhere.
    let default = if contexts.have_times() { "wall" } else { "calls" };
    let wall = value_type(&mut strings, "wall", "nanoseconds");
    message
        .message(field::SAMPLE_TYPE, &value_type(&mut strings, "calls", "count"))
        .message(field::SAMPLE_TYPE, &wall)
        .message(field::PERIOD_TYPE, &wall)
        .uint(field::PERIOD, 1)
        .uint(field::TIME_NANOS, profile.meta.started_millis.saturating_mul(1_000_000))
        .uint(field::DURATION_NANOS, profile.meta.duration_millis.saturating_mul(1_000_000))
        .uint(field::DEFAULT_SAMPLE_TYPE, strings.place(default));
    let comments: Vec<u64> = notes.lines().iter().map(|line| strings.place(line)).collect();
    message.packed(field::COMMENT, comments.iter().copied());
    message.message(field::MAPPING, &mapping(&mut strings, profile));
    add_frames(&mut message, &mut strings, &contexts.frames);
    for thread in &contexts.threads {
        let labels = labels(&mut strings, thread);
        let mut path: Vec<u64> = Vec::new();
        let mut sample = Message::new();
        for context in &thread.contexts {
            path.truncate(context.depth as usize);
            path.push(u64::from(context.frame) + 1);
            if context.is_empty() {
                continue;
            }
            sample.clear();
            sample.packed(1, path.iter().rev().copied()).packed(2, values(context));
            labels.iter().for_each(|label| {
                sample.message(3, label);
            });
            message.message(field::SAMPLE, &sample);
            if message.bytes().len() > 1 << 16 {
                out.write_all(message.bytes())?;
                message.clear();
            }
        }
    }
    strings.texts().iter().for_each(|text| {
        message.text(field::STRING_TABLE, text);
    });
    out.write_all(message.bytes())?;
    out.finish()?;
    Ok(())
}

/// Adds a function and a location for each frame, with its place plus one as their id.
pub(crate) fn add_frames(message: &mut Message, strings: &mut Strings, frames: &[FrameFacts]) {
    for (facts, id) in frames.iter().zip(1..) {
        let mut function = Message::new();
        function
            .uint(1, id)
            .uint(2, strings.place(&facts.name))
            .uint(3, strings.place(&facts.system_name()))
            .uint(4, strings.place(facts.file.as_deref().unwrap_or_default()))
            .uint(5, u64::from(facts.line));
        let mut line = Message::new();
        line.uint(1, id).uint(2, u64::from(facts.line));
        let mut location = Message::new();
        location.uint(1, id).uint(2, MAPPING_ID).message(4, &line);
        message.message(field::FUNCTION, &function).message(field::LOCATION, &location);
    }
}

fn values(context: &Context) -> impl Iterator<Item = u64> + Clone {
    [context.calls, context.self_nanos].into_iter().map(|value| value.min(i64::MAX as u64))
}

const MAPPING_ID: u64 = 1;

/// The program, whose functions have names, files and lines already.
pub(crate) fn mapping(strings: &mut Strings, profile: &Profile) -> Message {
    let program = profile.meta.command.first().map_or("java", String::as_str);
    let mut mapping = Message::new();
    mapping.uint(1, MAPPING_ID).uint(5, strings.place(&printable(program)));
    mapping.uint(7, 1).uint(8, 1).uint(9, 1);
    mapping
}

pub(crate) fn value_type(strings: &mut Strings, name: &str, unit: &str) -> Message {
    let mut message = Message::new();
    message.uint(1, strings.place(name)).uint(2, strings.place(unit));
    message
}

/// The thread of a sample, as pprof's tags.
fn labels(strings: &mut Strings, thread: &ThreadContexts) -> Vec<Message> {
    let mut name = Message::new();
    name.uint(1, strings.place("thread")).uint(2, strings.place(&thread.name));
    let mut labels = vec![name];
    if thread.java_id != 0 {
        let mut id = Message::new();
        id.uint(1, strings.place("thread_id")).uint(3, thread.java_id.min(i64::MAX as u64));
        labels.push(id);
    }
    labels
}
