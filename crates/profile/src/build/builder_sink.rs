//! A tree builder as the sink of a session file.

use std::collections::HashMap;

use jfathom_plan::MethodId;
use jfathom_trace::{Counter, RingIx, RingPosition, Sink, ThreadInfo, TraceError};

use crate::{Builder, Checkpoint, OffCpuSpan, ThreadHandle};

/// Feeds the rings of one JVM's session file to a [`Builder`].
#[derive(Debug, Default)]
pub struct BuilderSink {
    builder: Builder,
    rings: HashMap<RingIx, ThreadHandle>,
    /// Threads of a checkpoint that may go on, by thread number.
    resumed: HashMap<u64, ThreadHandle>,
    damage: Vec<TraceError>,
    /// Threads that have begun since they were last asked for.
    begun: Vec<ThreadInfo>,
}

impl BuilderSink {
    /// A sink with an empty tree.
    pub fn new() -> Self {
        Self::default()
    }

    /// A sink that continues a checkpoint and its threads, and the positions up to which the rings
    /// were drained.
    pub fn resume(checkpoint: Checkpoint) -> (Self, Vec<RingPosition>) {
        let Checkpoint { builder, positions } = checkpoint;
        let resumed = builder.unended().collect();
        (Self { builder, resumed, ..Self::default() }, positions)
    }

    /// The builder so far.
    pub fn builder(&self) -> &Builder {
        &self.builder
    }

    /// The builder, for what its owner adds: quality, gaps.
    pub fn builder_mut(&mut self) -> &mut Builder {
        &mut self.builder
    }

    /// Ends a slice ([`Builder::cut`]), and returns the builder of what was consumed so far.
    pub fn cut(&mut self) -> Builder {
        let (before, handles) = self.builder.cut();
        self.rings.values_mut().for_each(|thread| {
            if let Some(moved) = handles.get(thread) {
                *thread = *moved;
            }
        });
        let resumed = std::mem::take(&mut self.resumed).into_iter();
        let resumed = resumed.filter_map(|(of, thread)| Some((of, *handles.get(&thread)?)));
        self.resumed = resumed.collect();
        before
    }

    /// The threads that have begun to record since the last call.
    pub fn take_begun(&mut self) -> Vec<ThreadInfo> {
        std::mem::take(&mut self.begun)
    }

    /// A part of the time of a ring's thread, as [`Builder::add_off_cpu`].
    pub fn add_off_cpu(&mut self, ring: RingIx, span: OffCpuSpan) {
        if let Some(thread) = self.rings.get(&ring) {
            self.builder.add_off_cpu(*thread, span);
        }
    }

    /// Why rings could not be read, one error per ring.
    pub fn damage(&self) -> &[TraceError] {
        &self.damage
    }

    /// The builder, when all is fed.
    pub fn into_builder(self) -> Builder {
        self.builder
    }
}

impl Sink for BuilderSink {
    fn begin(&mut self, ring: RingIx, thread: &ThreadInfo, lost: u64) {
        let handle = match self.resumed.remove(&thread.sequence) {
            Some(handle) => handle,
            None => self.builder.thread(thread),
        };
        if lost != 0 {
            self.builder.gap(handle, lost);
        }
        self.rings.insert(ring, handle);
        self.begun.push(thread.clone());
    }

    fn records(&mut self, ring: RingIx, words: &[u64]) {
        if let Some(thread) = self.rings.get(&ring) {
            self.builder.feed(*thread, words);
        }
    }

    fn counted(&mut self, ring: RingIx, counters: &[(MethodId, Counter)]) {
        if let Some(thread) = self.rings.get(&ring) {
            self.builder.add_counters(*thread, counters);
        }
    }

    fn end(&mut self, ring: RingIx) {
        if let Some(thread) = self.rings.remove(&ring) {
            self.builder.end_thread(thread);
        }
    }

    fn round(&mut self) {
        self.builder.end_round();
    }

    fn damaged(&mut self, _ring: RingIx, error: TraceError) {
        let quality = self.builder.quality_mut();
        quality.damaged_rings = quality.damaged_rings.saturating_add(1);
        self.damage.push(error);
    }
}
