//! OpenTelemetry's profiles: the message `opentelemetry.proto.profiles.v1development.ProfilesData`
//! of opentelemetry-proto 1.10.0.
//!
//! A profile has one type of values, so there are two: calls and wall time. They share the
//! dictionary. The first element of each table is empty, as the format demands.

use crate::{
    contexts::{Context, Contexts, ThreadContexts},
    notes::Notes,
    protobuf::Message,
    strings::Strings,
};
use jfathom_profile::Profile;
use std::io::{self, Write};

/// Fields of `ProfilesDictionary`.
mod table {
    pub const MAPPINGS: u32 = 1;
    pub const LOCATIONS: u32 = 2;
    pub const FUNCTIONS: u32 = 3;
    pub const LINKS: u32 = 4;
    pub const STRINGS: u32 = 5;
    pub const ATTRIBUTES: u32 = 6;
    pub const STACKS: u32 = 7;
}

pub(crate) fn write(
    profile: &Profile,
    contexts: &Contexts,
    notes: &Notes,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut tables = Tables::new();
    let frame_type = tables.attribute("profile.frame.type", &text_value("jvm"));
    tables.add_frames(contexts, frame_type);
    let noted = [("jfathom.quality", &notes.quality), ("jfathom.times", &notes.times)]
        .map(|(key, text)| tables.attribute(key, &text_value(text)));
    let threads: Vec<Vec<u64>> =
        contexts.threads.iter().map(|thread| thread_attributes(&mut tables, thread)).collect();
    let mut profiles = Vec::new();
    let all_types = TYPES
        .iter()
        .filter(|(_, _, value)| contexts.threads.iter().any(|thread| thread.sum(value) > 0));
    for (name, unit, value) in all_types {
        let mut value_type = Message::new();
        value_type.uint(1, tables.strings.place(name)).uint(2, tables.strings.place(unit));
        let mut message = Message::new();
        message
            .message(1, &value_type)
            .fixed64(3, profile.meta.started_millis.saturating_mul(1_000_000))
            .uint(4, profile.meta.duration_millis.saturating_mul(1_000_000))
            .packed(11, noted.iter().copied());
        add_samples(&mut message, contexts, &threads, *value);
        profiles.push(message);
    }
    tables.add_stacks(contexts)?;
    let mut scope = Message::new();
    scope.text(1, "jfathom").text(2, notes.tool.trim_start_matches("jfathom ").trim());
    let mut scoped = Message::new();
    scoped.message(1, &scope);
    profiles.iter().for_each(|profile| {
        scoped.message(2, profile);
    });
    let mut of_resource = Message::new();
    of_resource.message(1, &resource(profile, notes)).message(2, &scoped);
    let mut data = Message::new();
    data.message(1, &of_resource);
    out.write_all(data.bytes())?;
    data.clear();
    data.message(2, &tables.finish());
    out.write_all(data.bytes())
}

type Value = fn(&Context) -> u64;

/// Name, unit and value of each profile; the first one is what tools show if nobody chooses.
const TYPES: &[(&str, &str, Value)] = &[
    ("wall", "nanoseconds", |context| context.self_nanos),
    ("calls", "count", |context| context.calls),
];

/// The number of each stack is that of its call path among those that are not empty, from 1.
fn add_samples(message: &mut Message, contexts: &Contexts, threads: &[Vec<u64>], value: Value) {
    let mut stack = 0;
    let mut sample = Message::new();
    for (thread, attributes) in contexts.threads.iter().zip(threads) {
        for context in thread.contexts.iter().filter(|context| !context.is_empty()) {
            stack += 1;
            let value = value(context).min(i64::MAX as u64);
            if value > 0 {
                sample.clear();
                sample
                    .uint(1, stack)
                    .packed(2, attributes.iter().copied())
                    .packed(4, std::iter::once(value));
                message.message(2, &sample);
            }
        }
    }
}

fn thread_attributes(tables: &mut Tables, thread: &ThreadContexts) -> Vec<u64> {
    let mut attributes = vec![tables.attribute("thread.name", &text_value(&thread.name))];
    if thread.java_id != 0 {
        attributes.push(tables.attribute("thread.id", &integer_value(thread.java_id)));
    }
    attributes.push(tables.attribute("process.pid", &integer_value(thread.pid)));
    attributes
}

/// `Resource`: what was recorded, and the recording's labels. A key stands there once, and a label
/// before what is found out.
fn resource(profile: &Profile, notes: &Notes) -> Message {
    let labels = &profile.meta.labels;
    let mut resource = Message::new();
    let mut add = |key: &str, value: &str| {
        let mut attribute = Message::new();
        attribute.text(1, key).message(2, &text_value(&jfathom_plan::printable(value)));
        resource.message(1, &attribute);
    };
    labels.iter().for_each(|(key, value)| add(key, value));
    let mut found = vec![("process.command_line", &*notes.command)];
    if let Some(jvm) = profile.meta.jvms.first() {
        found.push(("process.runtime.name", &jvm.vm_name));
        found.push(("process.runtime.version", &jvm.java_version));
    }
    for (key, value) in found.into_iter().filter(|(key, _)| labels.get(key).is_none()) {
        add(key, value);
    }
    resource
}

fn text_value(text: &str) -> Message {
    let mut value = Message::new();
    value.text(1, text);
    value
}

fn integer_value(number: u64) -> Message {
    let mut value = Message::new();
    // A member of a oneof is written even if it is zero; ids of threads and processes are not.
    value.uint(3, number.min(i64::MAX as u64));
    value
}

/// `ProfilesDictionary` while it grows.
struct Tables {
    message: Message,
    strings: Strings,
    attributes: u64,
}

impl Tables {
    fn new() -> Self {
        let mut message = Message::new();
        let tables =
            [table::MAPPINGS, table::LOCATIONS, table::FUNCTIONS, table::LINKS, table::ATTRIBUTES];
        for table in tables.into_iter().chain([table::STACKS]) {
            message.message(table, &Message::new());
        }
        Self { message, strings: Strings::default(), attributes: 1 }
    }

    /// Adds an attribute and returns its index.
    fn attribute(&mut self, key: &str, value: &Message) -> u64 {
        let mut attribute = Message::new();
        attribute.uint(1, self.strings.place(key)).message(2, value);
        self.message.message(table::ATTRIBUTES, &attribute);
        self.attributes += 1;
        self.attributes - 1
    }

    /// A function and a location for each frame, both with the number of the frame, from 1.
    fn add_frames(&mut self, contexts: &Contexts, frame_type: u64) {
        for (facts, id) in contexts.frames.iter().zip(1..) {
            let mut function = Message::new();
            function
                .uint(1, self.strings.place(&facts.name))
                .uint(2, self.strings.place(&facts.system_name()))
                .uint(3, self.strings.place(facts.file.as_deref().unwrap_or_default()))
                .uint(4, u64::from(facts.line));
            let mut line = Message::new();
            line.uint(1, id).uint(2, u64::from(facts.line));
            let mut location = Message::new();
            location.message(3, &line).packed(4, std::iter::once(frame_type));
            self.message.message(table::FUNCTIONS, &function).message(table::LOCATIONS, &location);
        }
    }

    /// # Errors
    /// Fails if the dictionary becomes larger than a message may be.
    fn add_stacks(&mut self, contexts: &Contexts) -> io::Result<()> {
        let mut stack = Message::new();
        for thread in &contexts.threads {
            let mut path: Vec<u64> = Vec::new();
            for context in &thread.contexts {
                path.truncate(context.depth as usize);
                path.push(u64::from(context.frame) + 1);
                if context.is_empty() {
                    continue;
                }
                stack.clear();
                stack.packed(1, path.iter().rev().copied());
                self.message.message(table::STACKS, &stack);
                if self.message.bytes().len() > MOST_BYTES {
                    return Err(io::Error::new(io::ErrorKind::InvalidInput, TOO_LARGE));
                }
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Message {
        for text in self.strings.texts() {
            self.message.text(table::STRINGS, text);
        }
        self.message
    }
}

/// A protobuf message has 2 GiB at most.
const MOST_BYTES: usize = i32::MAX as usize - (1 << 28);

const TOO_LARGE: &str = "the stacks need more than the 2 GiB of a protobuf message: choose a thread or use --filter focus=…";
