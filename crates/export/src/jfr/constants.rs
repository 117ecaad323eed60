//! Tables of constants that events and stacks refer to. Each chunk has them again.

use super::{
    encoding::{Encoder, encoded},
    types::TypeId,
};
use crate::{contexts::Contexts, strings::Strings};
use std::collections::HashMap;

/// How many entries a table has, and the entries.
#[derive(Debug)]
struct Table {
    of: TypeId,
    count: u64,
    entries: Encoder,
}

impl Table {
    fn new(of: TypeId) -> Self {
        Self { of, count: 0, entries: Encoder::default() }
    }

    /// Adds a constant; its key is its place, from 1.
    fn add(&mut self, fill: impl FnOnce(&mut Encoder)) -> u64 {
        self.count += 1;
        self.entries.number(self.count);
        fill(&mut self.entries);
        self.count
    }
}

/// The constants of all chunks.
#[derive(Debug)]
pub(super) struct Constants {
    tables: Vec<Table>,
    /// By frame: how a stack has it.
    frames: Vec<Encoder>,
}

/// The key of the one frame type.
const INSTRUMENTED: u64 = 1;

impl Constants {
    pub fn of(contexts: &Contexts) -> Self {
        let mut symbols = Strings::default();
        let [mut classes, mut methods, mut threads, mut types] =
            [TypeId::Class, TypeId::Method, TypeId::Thread, TypeId::FrameType].map(Table::new);
        types.add(|out| {
            out.string("Instrumented");
        });
        let mut keys: HashMap<&str, u64> = HashMap::new();
        let mut frames = Vec::with_capacity(contexts.frames.len());
        for facts in &contexts.frames {
            let class = *keys.entry(&facts.class).or_insert_with(|| {
                let name = symbols.place(&facts.class);
                classes.add(|out| {
                    out.number(name).number(1);
                })
            });
            let [name, descriptor] =
                [&facts.method, &facts.descriptor].map(|text| symbols.place(text));
            let method = methods.add(|out| {
                out.number(class).number(name).number(descriptor).number(1).byte(0);
            });
            frames.push(encoded(|out| {
                out.number(method).number(u64::from(facts.line)).number(0).number(INSTRUMENTED);
            }));
        }
        for thread in &contexts.threads {
            threads.add(|out| {
                out.string(&thread.name).number(0).string(&thread.name).number(thread.java_id);
            });
        }
        let mut texts = Table::new(TypeId::Symbol);
        // The empty text at 0 is no constant: a key of 0 is null.
        symbols.texts().iter().skip(1).for_each(|text| {
            texts.add(|out| {
                out.string(text);
            });
        });
        Self { tables: vec![types, texts, classes, methods, threads], frames }
    }

    /// Writes a frame of a stack.
    pub fn frame(&self, frame: u32, out: &mut Encoder) {
        if let Some(frame) = self.frames.get(frame as usize) {
            out.append(frame);
        }
    }

    /// The body of the checkpoint event with all tables, and the stacks of a chunk. A table without
    /// entries is not written: readers refuse it.
    pub fn checkpoint(&self, stacks: u64, entries: &Encoder) -> Encoder {
        encoded(|out| {
            // Type, time, duration, the distance to the checkpoint before, and that it is complete.
            out.number(CHECKPOINT).number(0).number(0).number(0).byte(0);
            let tables: Vec<&Table> = self.tables.iter().filter(|table| table.count > 0).collect();
            out.number(tables.len() as u64 + u64::from(stacks > 0));
            for table in tables {
                out.number(table.of as u64).number(table.count).append(&table.entries);
            }
            if stacks > 0 {
                out.number(TypeId::StackTrace as u64).number(stacks).append(entries);
            }
        })
    }
}

/// The type of the checkpoint event.
const CHECKPOINT: u64 = 1;
