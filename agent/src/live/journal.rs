//! The methods file as the agent writes it.

use crate::lock::lock;
use jfathom_session::{MethodsFileLine, RootState, SessionTotals};
use std::fs::File;
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Writes the lines of the methods file, each with the time since the session began.
pub struct Journal {
    began: Instant,
    methods: Mutex<Methods>,
    /// Whether a root has been live: other threads may be inside. Written by the thread that
    /// writes the first such line; stays set.
    root_live: AtomicBool,
}

struct Methods {
    file: File,
    /// The totals that were written last.
    totals: Option<SessionTotals>,
}

impl Journal {
    pub fn new(file: File) -> Self {
        Self {
            began: Instant::now(),
            methods: Mutex::new(Methods { file, totals: None }),
            root_live: AtomicBool::new(false),
        }
    }

    /// Writes lines, in one piece. Returns whether they name the first live root.
    pub fn write(&self, lines: Vec<MethodsFileLine>) -> bool {
        let at = nanos(self.began.elapsed());
        let mut text = Vec::new();
        let mut is_live = false;
        for mut line in lines {
            line.set_time(at);
            is_live |= is_live_root(&line);
            if serde_json::to_writer(&mut text, &line).is_ok() {
                text.push(b'\n');
            }
        }
        // If the disk is full, the collector finds ids without a name and reports that.
        let _ = lock(&self.methods).file.write_all(&text);
        is_live && !self.root_live.swap(true, Ordering::AcqRel)
    }

    /// Whether these totals differ from the last ones; they are the last ones then.
    pub fn replace_totals(&self, totals: SessionTotals) -> bool {
        lock(&self.methods).totals.replace(totals) != Some(totals)
    }

    /// Whether a root has been live.
    pub fn has_live_root(&self) -> bool {
        self.root_live.load(Ordering::Relaxed)
    }
}

/// Whether the line reports that a root is live.
pub fn is_live_root(line: &MethodsFileLine) -> bool {
    matches!(line, MethodsFileLine::Root(root) if root.state == RootState::Live)
}

/// Nanoseconds, which fit for 500 years.
pub fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
