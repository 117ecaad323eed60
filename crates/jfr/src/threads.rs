//! The threads of a recording's events.

use std::collections::HashMap;

/// A thread as JFR names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct JfrThread {
    /// Its id in the kernel, as the JVM sees it; zero for a virtual thread, and where it is not
    /// known.
    pub os_id: u64,
    /// Java's id; zero for a thread of the JVM's own.
    pub java_id: u64,
    /// Whether it is a virtual thread.
    pub is_virtual: bool,
}

/// The place of a thread in [`Threads`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JfrThreadIx(pub u32);

/// The threads of all events, each once. The first is one of which nothing is known.
#[derive(Clone, Debug)]
pub struct Threads {
    all: Vec<JfrThread>,
    places: HashMap<JfrThread, JfrThreadIx>,
}

impl Default for Threads {
    fn default() -> Self {
        let unknown = JfrThread::default();
        Self { all: vec![unknown], places: HashMap::from([(unknown, JfrThreadIx(0))]) }
    }
}

impl Threads {
    /// The thread at a place; unknown for a place of others.
    pub fn get(&self, thread: JfrThreadIx) -> JfrThread {
        self.all.get(thread.0 as usize).copied().unwrap_or_default()
    }

    /// All of them, in the order of their places.
    pub fn all(&self) -> &[JfrThread] {
        &self.all
    }

    /// The place of a thread, which is added if it is not there.
    pub fn place(&mut self, thread: JfrThread) -> JfrThreadIx {
        let Self { all, places } = self;
        *places.entry(thread).or_insert_with(|| {
            all.push(thread);
            JfrThreadIx(all.len() as u32 - 1)
        })
    }
}
