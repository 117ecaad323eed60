//! Why threads did not run, and what they threw.

use crate::{
    chunk::Event,
    chunk_reader::ChunkReader,
    clock::JfrTicks,
    constants::Constants,
    error::Problem,
    metadata::Metadata,
    threads::{JfrThreadIx, Threads},
};
use std::{collections::HashMap, sync::Arc};

/// What an event tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ThreadEventKind {
    /// It waited to enter a monitor (`jdk.JavaMonitorEnter`).
    MonitorEnter,
    /// It waited in `Object.wait` (`jdk.JavaMonitorWait`).
    MonitorWait,
    /// It was parked (`jdk.ThreadPark`).
    Park,
    /// It slept (`jdk.ThreadSleep`).
    Sleep,
    /// It read, wrote or forced a file (`jdk.FileRead`, `jdk.FileWrite`, `jdk.FileForce`).
    File,
    /// It read, wrote or connected a socket (`jdk.SocketRead`, `jdk.SocketWrite`,
    /// `jdk.SocketConnect`).
    Socket,
    /// It loaded a class (`jdk.ClassLoad`).
    ClassLoad,
    /// The garbage collector had stopped all threads (`jdk.GCPhasePause`).
    GcPause,
    /// The JVM had stopped all threads (`jdk.SafepointBegin`, `jdk.SafepointEnd`).
    Safepoint,
    /// It made an exception or an error (`jdk.JavaExceptionThrow`). Of an error there may be two.
    Throw,
    /// It made an error, a subclass of `Error` (`jdk.JavaErrorThrow`).
    ThrowError,
}

/// An event of a thread, or a pause of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadEvent {
    /// What it tells.
    pub kind: ThreadEventKind,
    /// Its thread; in a pause the one that the JVM did the work on.
    pub thread: JfrThreadIx,
    /// When it began.
    pub begin: JfrTicks,
    /// When it ended.
    pub end: JfrTicks,
    /// The place of its stack in [`Samples::stacks`](crate::Samples::stacks), if it has one.
    pub stack: Option<u32>,
    /// One plus the place in [`ThreadEvents::classes`] of the class that it names; zero without.
    class: u32,
}

/// The events of a recording.
#[derive(Clone, Debug, Default)]
pub struct ThreadEvents {
    /// In the order of the file.
    pub events: Vec<ThreadEvent>,
    /// In internal form: `com/acme/Lock`. Each once.
    classes: Vec<Arc<str>>,
    places: HashMap<Arc<str>, u32>,
    /// By safepoint: when all threads had stopped, and when they went on.
    safepoints: HashMap<u64, [Option<JfrTicks>; 2]>,
}

/// The events, with the field that has the class.
const KINDS: [(&str, ThreadEventKind, &str); 14] = [
    ("jdk.JavaMonitorEnter", ThreadEventKind::MonitorEnter, "monitorClass"),
    ("jdk.JavaMonitorWait", ThreadEventKind::MonitorWait, "monitorClass"),
    ("jdk.ThreadPark", ThreadEventKind::Park, "parkedClass"),
    ("jdk.ThreadSleep", ThreadEventKind::Sleep, ""),
    ("jdk.FileRead", ThreadEventKind::File, ""),
    ("jdk.FileWrite", ThreadEventKind::File, ""),
    ("jdk.FileForce", ThreadEventKind::File, ""),
    ("jdk.SocketRead", ThreadEventKind::Socket, ""),
    ("jdk.SocketWrite", ThreadEventKind::Socket, ""),
    ("jdk.SocketConnect", ThreadEventKind::Socket, ""),
    ("jdk.ClassLoad", ThreadEventKind::ClassLoad, ""),
    ("jdk.GCPhasePause", ThreadEventKind::GcPause, ""),
    ("jdk.JavaExceptionThrow", ThreadEventKind::Throw, "thrownClass"),
    ("jdk.JavaErrorThrow", ThreadEventKind::ThrowError, "thrownClass"),
];

/// Begin and end of a safepoint. Between the two all threads stand still: the first one lasts until
/// they do.
const SAFEPOINTS: [&str; 2] = ["jdk.SafepointBegin", "jdk.SafepointEnd"];

/// Reads the events of a chunk.
#[derive(Debug)]
pub(crate) struct ThreadEventReader {
    /// By type: its place in [`KINDS`].
    kinds: HashMap<u64, usize>,
    safepoints: [Option<u64>; 2],
    /// By key of the chunk: as [`ThreadEvent::class`].
    classes: HashMap<u64, u32>,
}

impl ThreadEventReader {
    pub fn new(metadata: &Metadata) -> Self {
        let kinds = (0..).zip(KINDS);
        let kinds = kinds.filter_map(|(at, (name, ..))| Some((metadata.find(name)?, at)));
        Self {
            kinds: kinds.collect(),
            safepoints: SAFEPOINTS.map(|name| metadata.find(name)),
            classes: HashMap::new(),
        }
    }

    /// `stack` gives the place of a stack with this key.
    pub fn add(
        &mut self,
        chunk: &mut ChunkReader,
        event: &Event,
        into: &mut ThreadEvents,
        threads: &mut Threads,
        stack: &mut dyn FnMut(u64, &Constants) -> Option<u32>,
    ) -> Result<(), Problem> {
        if self.safepoints.contains(&Some(event.of)) {
            return self.add_safepoint(chunk, event, into);
        }
        let Some((_, kind, class)) = self.kinds.get(&event.of).and_then(|at| KINDS.get(*at)) else {
            return Ok(());
        };
        let fields = ["startTime", "duration", "eventThread", "stackTrace", *class];
        let [begin, duration, thread, frames, class] = chunk.numbers(event, fields)?;
        let event = ThreadEvent {
            kind: *kind,
            thread: threads.place(chunk.thread(thread)),
            begin: JfrTicks(begin),
            end: JfrTicks(begin.saturating_add(duration)),
            stack: match kind {
                ThreadEventKind::Throw | ThreadEventKind::ThrowError => {
                    stack(frames, chunk.constants)
                }
                _ => None,
            },
            class: self.class(class, chunk, into),
        };
        into.events.push(event);
        Ok(())
    }

    /// Begin and end of a safepoint are two events, which may be in two chunks.
    fn add_safepoint(
        &self,
        chunk: &mut ChunkReader,
        event: &Event,
        into: &mut ThreadEvents,
    ) -> Result<(), Problem> {
        let [at, duration, id] = chunk.numbers(event, ["startTime", "duration", "safepointId"])?;
        let is_end = self.safepoints[1] == Some(event.of);
        let moment = if is_end { at } else { at.saturating_add(duration) };
        let ends = into.safepoints.entry(id).or_default();
        ends[usize::from(is_end)] = Some(JfrTicks(moment));
        if let [Some(begin), Some(end)] = *ends {
            into.safepoints.remove(&id);
            let (kind, thread) = (ThreadEventKind::Safepoint, JfrThreadIx::default());
            let end = end.max(begin);
            into.events.push(ThreadEvent { kind, thread, begin, end, stack: None, class: 0 });
        }
        Ok(())
    }

    fn class(&mut self, key: u64, chunk: &ChunkReader, into: &mut ThreadEvents) -> u32 {
        if key == 0 {
            return 0;
        }
        *self.classes.entry(key).or_insert_with(|| {
            let name = chunk.constants.classes.get(&key);
            let name = name.and_then(|name| chunk.constants.symbols.get(name));
            name.map_or(0, |name| into.place(name))
        })
    }
}

impl ThreadEvents {
    /// The class that an event names: a lock's, a blocker's or an exception's, in internal form.
    pub fn class(&self, event: &ThreadEvent) -> Option<&Arc<str>> {
        self.classes.get((event.class as usize).checked_sub(1)?)
    }

    /// One plus the place of a class.
    fn place(&mut self, name: &Arc<str>) -> u32 {
        let Self { classes, places, .. } = self;
        *places.entry(name.clone()).or_insert_with(|| {
            classes.push(name.clone());
            classes.len() as u32
        })
    }
}
