//! The constants of a chunk that stacks consist of, and its threads.

use crate::{
    bytes::Bytes,
    error::Problem,
    layout::{Layouts, Part, numbers, skip, skip_all},
    metadata::Metadata,
    threads::JfrThread,
};
use std::{collections::HashMap, sync::Arc};

/// Symbols, classes, methods, stacks and threads by their keys.
#[derive(Debug, Default)]
pub(crate) struct Constants {
    pub symbols: HashMap<u64, Arc<str>>,
    /// The key of a class's name.
    pub classes: HashMap<u64, u64>,
    /// The keys of a method's class, name and descriptor.
    pub methods: HashMap<u64, [u64; 3]>,
    pub stacks: HashMap<u64, RawStack>,
    pub threads: HashMap<u64, JfrThread>,
}

/// A stack as a chunk has it.
#[derive(Debug, Default)]
pub(crate) struct RawStack {
    /// The keys of its frames' methods, the innermost first.
    pub methods: Vec<u64>,
    pub is_truncated: bool,
}

/// What kind of constants a type has.
#[derive(Clone, Copy)]
enum Kind {
    Symbol,
    Class,
    Method,
    Stack,
    Thread,
}

impl Constants {
    /// Adds those of one event, whose fields are `bytes`.
    pub fn add(
        &mut self,
        bytes: &mut Bytes,
        metadata: &Metadata,
        layouts: &mut Layouts,
    ) -> Result<(), Problem> {
        // Time, duration, the distance to the event before, and what it was written for.
        for _ in 0..3 {
            bytes.long()?;
        }
        bytes.byte()?;
        for _ in 0..bytes.count()? {
            let of = bytes.long()?;
            let count = bytes.count()?;
            let layout = layouts.get(of)?;
            let name = metadata.get(of).map(|found| &*found.name);
            let Some(kind) = name.and_then(Kind::of) else {
                for _ in 0..count {
                    bytes.long()?;
                    skip_all(bytes, &layout.parts)?;
                }
                continue;
            };
            let place = |field| layout.place(field);
            let frame = metadata.find(FRAME).map(|of| layouts.get(of)).transpose()?;
            let places = StackPlaces {
                truncated: place("truncated"),
                frames: place("frames"),
                method: frame.and_then(|frame| frame.place("method")),
            };
            for _ in 0..count {
                let key = bytes.long()?;
                match kind {
                    Kind::Symbol => self.symbol(key, bytes, &layout.parts, place("string"))?,
                    Kind::Class => {
                        let [name] = numbers(bytes, &layout.parts, [place("name")])?;
                        self.classes.insert(key, name);
                    }
                    Kind::Method => {
                        let wanted = ["type", "name", "descriptor"].map(place);
                        self.methods.insert(key, numbers(bytes, &layout.parts, wanted)?);
                    }
                    Kind::Stack => {
                        self.stacks.insert(key, stack(bytes, &layout.parts, &places)?);
                    }
                    Kind::Thread => {
                        let wanted = ["osThreadId", "javaThreadId", "virtual"].map(place);
                        let [os_id, java_id, is_virtual] = numbers(bytes, &layout.parts, wanted)?;
                        let is_virtual = is_virtual != 0;
                        self.threads.insert(key, JfrThread { os_id, java_id, is_virtual });
                    }
                }
            }
        }
        Ok(())
    }

    fn symbol(
        &mut self,
        key: u64,
        bytes: &mut Bytes,
        parts: &[Part],
        text: Option<usize>,
    ) -> Result<(), Problem> {
        for (at, part) in parts.iter().enumerate() {
            match part {
                Part::Text if text == Some(at) => {
                    if let Some(text) = bytes.text()? {
                        self.symbols.insert(key, text);
                    }
                }
                part => skip(bytes, part)?,
            }
        }
        Ok(())
    }
}

/// The type of a stack's frames.
const FRAME: &str = "jdk.types.StackFrame";

impl Kind {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "jdk.types.Symbol" => Self::Symbol,
            "java.lang.Class" => Self::Class,
            "jdk.types.Method" => Self::Method,
            "jdk.types.StackTrace" => Self::Stack,
            "java.lang.Thread" => Self::Thread,
            _ => return None,
        })
    }
}

/// The places of fields among the parts of a stack and of a frame.
struct StackPlaces {
    truncated: Option<usize>,
    frames: Option<usize>,
    method: Option<usize>,
}

fn stack(bytes: &mut Bytes, parts: &[Part], places: &StackPlaces) -> Result<RawStack, Problem> {
    let mut stack = RawStack::default();
    for (at, part) in parts.iter().enumerate() {
        match part {
            Part::Array(frame) if places.frames == Some(at) => {
                for _ in 0..bytes.count()? {
                    let [method] = numbers(bytes, frame, [places.method])?;
                    stack.methods.push(method);
                }
            }
            Part::Plain(1) if places.truncated == Some(at) => {
                stack.is_truncated = bytes.byte()? != 0;
            }
            part => skip(bytes, part)?,
        }
    }
    Ok(stack)
}
