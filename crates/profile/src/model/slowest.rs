//! The slowest calls, each with all that it called.

use jfathom_plan::Problem;
use serde::{Deserialize, Serialize};

use crate::{EventName, EventSum, Frame, MethodIx, ThreadIx, Ticks};

/// One call of a root or one task, and the timed calls below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Activation {
    /// The call path below the thread, outermost frame first; its last frame is the call.
    pub path: Vec<Frame>,
    /// The thread, or the one that stands for all virtual threads.
    pub thread: ThreadIx,
    /// Java's id of the thread.
    pub thread_id: u64,
    /// When it began, on the session's clock.
    pub began: Ticks,
    /// How long it took, without excluded time.
    pub duration: Ticks,
    /// Records that it caused, from after its entry to its exit.
    pub records: u64,
    /// Records at its end that are in no span, because there were too many.
    pub left_out: u64,
    /// The timed calls and tasks, in the order of their beginnings; the first one is the call
    /// itself. Where the tree has counted methods or `⋯` between two of them, so have these.
    pub spans: Vec<Span>,
    /// Where tasks were handed to other threads.
    pub hand_offs: HandOffs,
    /// Why its thread did not run, and what it threw: ascending by span and name, each pair once.
    pub events: Vec<SpanEvent>,
}

/// The events of one name in one timed call of an activation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpanEvent {
    /// The place in [`Activation::spans`] of the innermost call in which they were.
    pub span: u32,
    /// What they tell.
    pub name: EventName,
    /// Their sum.
    pub sum: EventSum,
}

/// What a span stands for. Files have the places of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SpanKind {
    /// A timed call.
    Call,
    /// A task.
    Task,
    /// Counted calls that were open, or `⋯`. Nobody knows how long they took: it lasts as long as
    /// the timed call below it, has no self time, and is no call of its own.
    Counted,
}

/// One timed call, or one task, or what lies between two of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// The method, or the root whose task it is.
    pub method: MethodIx,
    /// What it stands for.
    pub kind: SpanKind,
    /// Spans between it and the activation, which has 0.
    pub depth: u32,
    /// When it began after the activation did, and how long it took, without excluded time.
    pub began: Ticks,
    /// See `began`.
    pub duration: Ticks,
    /// Its records so far: those between the activation's entry and its own.
    pub records_before: u64,
    /// Records from after its entry to its exit.
    pub records: u64,
    /// Counted calls that it made itself.
    pub counted: u64,
    /// Whether an exception ended it.
    pub thrown: bool,
}

impl Span {
    /// Its frame.
    pub fn frame(&self) -> Frame {
        match self.kind {
            SpanKind::Task => Frame::Task(self.method),
            SpanKind::Call | SpanKind::Counted => Frame::Method(self.method),
        }
    }

    /// Whether it is a timed call, or a task.
    pub fn is_timed(&self) -> bool {
        self.kind != SpanKind::Counted
    }
}

impl Activation {
    /// The same with other frames and times; none if a frame becomes another kind of frame.
    pub(crate) fn mapped(
        &self,
        frame: &impl Fn(Frame) -> Frame,
        convert: &impl Fn(Ticks) -> Ticks,
    ) -> Option<Self> {
        let Frame::Thread(thread) = frame(Frame::Thread(self.thread)) else { return None };
        let spans = self.spans.iter().map(|span| {
            let method = match frame(span.frame()) {
                Frame::Method(method) | Frame::Task(method) => method,
                Frame::Thread(_) => return None,
            };
            let (began, duration) = (convert(span.began), convert(span.duration));
            Some(Span { method, began, duration, ..*span })
        });
        let made = self.hand_offs.made.iter();
        let made = made.map(|of| HandOff { after: convert(of.after), ..*of }).collect();
        let events = self.events.iter().map(|of| SpanEvent {
            sum: EventSum { time: convert(of.sum.time), ..of.sum },
            ..of.clone()
        });
        Some(Self {
            events: events.collect(),
            hand_offs: HandOffs { made, ..self.hand_offs },
            path: self.path.iter().map(|of| frame(*of)).collect(),
            thread,
            began: convert(self.began),
            duration: convert(self.duration),
            spans: spans.collect::<Option<_>>()?,
            ..self.clone()
        })
    }

    /// What contradicts itself or a profile with so many methods and threads.
    pub(crate) fn check(&self, methods: usize, threads: usize) -> Result<(), Problem> {
        let is_method = |frame: &Frame| match frame {
            Frame::Method(method) | Frame::Task(method) => (method.0 as usize) < methods,
            Frame::Thread(_) => false,
        };
        let first = self.spans.first().map(|span| Some(span.frame()));
        let is_sound = first == Some(self.path.last().copied())
            && is_nested(self.spans.iter().map(|span| span.depth))
            && self.path.iter().all(is_method)
            && self.spans.iter().all(|span| (span.method.0 as usize) < methods)
            && (self.thread.0 as usize) < threads
            && self.events.iter().all(|of| (of.span as usize) < self.spans.len())
            && self.events.is_sorted_by(|a, b| (a.span, &a.name) < (b.span, &b.name));
        if is_sound { Ok(()) } else { Err("a slowest call that contradicts itself".into()) }
    }
}

/// Whether these are the depths of one call and those within it, in the order of their beginnings.
pub(crate) fn is_nested(depths: impl IntoIterator<Item = u32>) -> bool {
    let mut outer = None;
    depths.into_iter().all(|depth| {
        let fits = match outer {
            None => depth == 0,
            Some(outer) => depth > 0 && depth - 1 <= outer,
        };
        outer = Some(depth);
        fits
    })
}

/// The hand-offs of one of the slowest calls. Numbers come again after 2²² of them: a task belongs
/// to the last one of its number before it began, in the same JVM.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandOffs {
    /// Number of the hand-off whose task the call is; zero if it is no task, or if that is not
    /// known.
    pub task: u32,
    /// Tasks that the call handed to other threads, in the order of their times.
    pub made: Vec<HandOff>,
}

/// One task that was handed to another thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandOff {
    /// Its number, never zero.
    pub number: u32,
    /// How long after the call's begin, without excluded time.
    pub after: Ticks,
}
