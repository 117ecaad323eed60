//! What the agent wrote.

use jfathom_plan::MethodKey;
use std::collections::BTreeSet;

/// A log of the agent; `tests/jvmti/calls.c` has its format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// The classes, in the order in which they were prepared.
    pub loaded: Vec<Loaded>,
    /// The root that was entered first.
    pub root: Option<MethodKey>,
    /// First calls, in order.
    pub calls: Vec<Call>,
    /// Whether the JVM ended in an orderly way.
    pub ended: bool,
}

/// A class that was prepared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// Internal name.
    pub class: String,
    /// Whether the JVM made it at run time.
    pub made: bool,
}

/// The first call of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The thread, from 1.
    pub thread: u64,
    /// On a thread that was not inside the root.
    pub outside: bool,
    /// The method.
    pub method: MethodKey,
}

impl Log {
    /// Reads a log.
    ///
    /// # Errors
    /// A line that is none of the format's, with its number.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut log = Self::default();
        for (line, number) in text.lines().zip(1..) {
            log.line(line)
                .ok_or_else(|| format!("line {number}: {line:?} is no line of a log of calls"))?;
        }
        Ok(log)
    }

    fn line(&mut self, line: &str) -> Option<()> {
        let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
        match kind {
            "L" | "L!" => self.loaded.push(Loaded { class: rest.to_owned(), made: kind == "L!" }),
            "R" => self.root = Some(key(rest)?),
            "C" | "c" => {
                let (thread, method) = rest.split_once(' ')?;
                self.calls.push(Call {
                    thread: thread.parse().ok()?,
                    outside: kind == "c",
                    method: key(method)?,
                });
            }
            "E" => self.ended = true,
            _ => return None,
        }
        Some(())
    }

    /// The root and all methods that were called, on threads inside it or on any.
    pub fn called(&self, outside_too: bool) -> BTreeSet<&MethodKey> {
        let calls = self.calls.iter().filter(|call| outside_too || !call.outside);
        self.root.iter().chain(calls.map(|call| &call.method)).collect()
    }
}

/// `p/A.name(I)V`, where name and descriptor may hold dots of neither kind.
fn key(text: &str) -> Option<MethodKey> {
    let (method, _) = text.split_once('(')?;
    let (class, name) = method.rsplit_once('.')?;
    Some(MethodKey {
        class: class.to_owned(),
        name: name.to_owned(),
        descriptor: text[method.len()..].to_owned(),
    })
}
