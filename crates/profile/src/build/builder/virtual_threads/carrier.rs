//! Carriers: rings that have the records of virtual threads at the moment.

use std::collections::BTreeMap;

use jfathom_plan::MethodId;
use jfathom_trace::record::{Record, TIME_MASK, time_bits, type_of};
use jfathom_trace::{Counter, layout as l};
use serde::{Deserialize, Serialize};

use super::Segment;
use crate::build::builder::off_cpu::Spans;
use crate::build::builder::thread::ThreadState;
use crate::build::builder::{Builder, ThreadHandle};

/// What a ring has at the moment.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Carrier {
    /// The thread of a SWITCH whose time is still to come.
    pub next: Option<u64>,
    /// The thread whose records come; none after missing records.
    pub thread: Option<u64>,
    pub since: u64,
    /// The round of the switch.
    pub round: u64,
    /// High bits of the times, shifted into place.
    pub high: u64,
    /// Whether no part of the segment is known to the others.
    pub is_fresh: bool,
    /// The ring's own thread has ended. Only counters can come, and they are the thread's that was
    /// carried.
    pub is_over: bool,
}

impl Carrier {
    /// A ring whose own thread has come so far; whose records follow is not known.
    pub fn unknown(own: &ThreadState) -> Self {
        Self { high: own.clock.high, ..Self::default() }
    }

    /// Adds what was found of a segment to those that wait. A segment without records counts, too:
    /// counted calls may follow, and belong where its thread stands.
    pub fn close(&mut self, segment: Segment, waiting: &mut BTreeMap<u64, Vec<Segment>>) {
        let Some(thread) = self.thread else { return };
        let is_empty = segment.words.is_empty() && segment.counted.is_empty();
        if std::mem::take(&mut self.is_fresh) || !is_empty {
            waiting.entry(thread).or_default().push(segment);
        }
    }

    /// Records of the ring are missing. Whose records follow is not known.
    pub fn lose(&mut self, carrier: u32, waiting: &mut BTreeMap<u64, Vec<Segment>>) {
        if let Some(thread) = self.thread.take() {
            let segment = Segment { has_gap: true, ..self.segment(carrier) };
            waiting.entry(thread).or_default().push(segment);
        }
        (self.next, self.is_over) = (None, false);
    }

    pub fn segment(&self, carrier: u32) -> Segment {
        Segment {
            carrier,
            since: self.since,
            round: self.round,
            high: self.high,
            words: Vec::new(),
            counted: Vec::new(),
            off_cpu: Spans::new(),
            has_gap: false,
        }
    }
}

impl Builder {
    /// Takes records of a ring that carries: until its own thread goes on, or all of them. Returns
    /// the rest.
    pub(in crate::build::builder) fn take_carried<'a>(
        &mut self,
        thread: ThreadHandle,
        words: &'a [u64],
    ) -> &'a [u64] {
        let Self { virtuals, threads, latencies, quality, .. } = self;
        let Some(mut carrier) = virtuals.carriers.remove(&thread.0) else { return words };
        let own = &mut threads[thread.0 as usize];
        let mut segment = carrier.segment(thread.0);
        let mut last_time = 0;
        for (at, word) in words.iter().copied().enumerate() {
            let record = match type_of(word) {
                l::TYPE_ESCAPE => Record::decode(word),
                _ => None,
            };
            match record {
                Some(Record::Switch { thread: next }) => {
                    segment.off_cpu = own.off_cpu.take_spans(last_time);
                    carrier.close(segment, &mut virtuals.waiting);
                    carrier.thread = None;
                    carrier.next = Some(next);
                    segment = carrier.segment(thread.0);
                    continue;
                }
                Some(Record::SwitchTime { time }) => {
                    let Some(next) = carrier.next.take() else {
                        quality.unknown_records += 1;
                        continue;
                    };
                    carrier.high = time & !TIME_MASK;
                    if next == 0 {
                        own.clock.high = carrier.high;
                        own.clock.is_high_stale = false;
                        return &words[at + 1..];
                    }
                    carrier.thread = Some(next);
                    carrier.since = time;
                    carrier.round = virtuals.round;
                    carrier.is_fresh = true;
                    segment = carrier.segment(thread.0);
                    continue;
                }
                Some(Record::VirtualEnd { thread }) => {
                    virtuals.ended(thread);
                    continue;
                }
                Some(Record::ThreadEnd) => {
                    segment.off_cpu = own.off_cpu.take_spans(last_time);
                    carrier.close(segment, &mut virtuals.waiting);
                    carrier.is_over = true;
                    virtuals.carriers.insert(thread.0, carrier);
                    return &words[at..];
                }
                // The ring's own thread begins behind missing records.
                Some(Record::ThreadStart { .. }) => {
                    carrier.close(segment, &mut virtuals.waiting);
                    return &words[at..];
                }
                Some(Record::Unsampled { id, ticks }) => {
                    latencies.unsampled(id.get(), ticks);
                    continue;
                }
                Some(Record::TimeHigh { high }) => carrier.high = u64::from(high) << l::TIME_BITS,
                Some(Record::Counted { .. } | Record::CountedPair { .. }) => own.count_records += 1,
                _ => {}
            }
            if type_of(word) != l::TYPE_ESCAPE {
                last_time = carrier.high | time_bits(word);
            }
            match carrier.thread {
                Some(_) => segment.words.push(word),
                None => {
                    quality.lost_with_collector = quality.lost_with_collector.saturating_add(1);
                }
            }
        }
        segment.off_cpu = own.off_cpu.take_spans(last_time);
        carrier.close(segment, &mut virtuals.waiting);
        virtuals.carriers.insert(thread.0, carrier);
        &[]
    }

    /// As [`Builder::add_counters`], for a ring that carries, or did at its thread's end. False if
    /// it does not.
    pub(in crate::build::builder) fn add_carried_counters(
        &mut self,
        thread: ThreadHandle,
        counters: &[(MethodId, Counter)],
    ) -> bool {
        let Self { virtuals, threads, quality, .. } = self;
        let Some(carrier) = virtuals.carriers.get_mut(&thread.0) else { return false };
        let Some(own) = threads.get(thread.0 as usize) else { return true };
        let left = counters.iter().filter(|(id, counter)| !own.has_record(*id, *counter));
        let counted: Vec<_> = left.map(|(id, counter)| (id.get(), counter.calls())).collect();
        if carrier.thread.is_none() {
            let calls = counted.iter().map(|(_, calls)| *calls);
            quality.lost_counts = calls.fold(quality.lost_counts, u64::saturating_add);
        }
        let segment = Segment { counted, ..carrier.segment(thread.0) };
        carrier.close(segment, &mut virtuals.waiting);
        true
    }

    /// The ring of a thread has come to its end.
    pub(in crate::build::builder) fn end_carrier(&mut self, thread: ThreadHandle) {
        self.virtuals.carriers.remove(&thread.0);
        self.virtuals.have_carried.remove(&thread.0);
    }
}
