//! The slowest calls. They are written one by one, for all spans together are many times the
//! profile's size.

use super::{
    node::{Frame, frames},
    stream::Stream,
};
use jfathom_calibration::CorrectedTimes;
use jfathom_profile::{Activation, Profile, Span as TimedCall, SpanEvent, TickRate};
use jfathom_views::{Difference as Differing, Differences, SlowestCalls};

/// Call paths below the slowest calls that a document has, those with the largest difference.
const MOST_DIFFERENCES: usize = 100;

/// The slowest calls of each call path.
pub(super) fn slowest<'a>(
    profile: &'a Profile,
    corrected: Option<&'a CorrectedTimes>,
    all: Vec<SlowestCalls<'a>>,
) -> Stream<'a, Slowest<'a>> {
    Stream::of(all.into_iter().map(move |of| {
        let differences = of.differences(profile, corrected, MOST_DIFFERENCES);
        Slowest::of(of, differences, profile.rate, corrected.is_some())
    }))
}

object! {
    /// The slowest calls of one call path.
    Slowest<'a>(of: SlowestCalls<'a>, found: Differences, rate: TickRate, is_corrected: bool) {
        path: Vec<Frame> = frames(of.path),
        /// recorded
        calls: u64 = found.calls,
        /// slowest first
        slowest: Stream<'a, Slow<'a>> = Stream::of(
            of.kept
                .into_iter()
                .map(move |of| Slow::of(is_corrected.then_some(of.nanos), of.activation, rate)),
        ),
        /// paths below, longest in the slowest calls, at most 100
        differences: Vec<Difference> = found.first.iter().map(Difference::of).collect(),
        differences_left_off: usize = found.left_off,
    }
}

object! {
    /// One slow call.
    Slow<'a>(corrected: Option<f64>, activation: &'a Activation, rate: TickRate) {
        /// place in `threads`
        thread: u32 = activation.thread.0,
        /// Java's
        thread_id: u64 = activation.thread_id,
        /// session's clock
        began_nanos: u64 = rate.nanos(activation.began).0,
        measured_nanos: u64 = rate.nanos(activation.duration).0,
        corrected_nanos: Option<f64> = corrected,
        /// at its end, in no span
        left_out_records: u64 = activation.left_out,
        /// by time
        events: Stream<'a, EventOfSpan<'a>> =
            Stream::of(activation.events.iter().map(move |event| EventOfSpan::of(event, rate))),
        /// timed calls by beginning, itself first
        spans: Stream<'a, Span> =
            Stream::of(activation.spans.iter().map(move |span| Span::of(span, rate))),
    }
}

object! {
    Span(span: &TimedCall, rate: TickRate) {
        frame: Frame = Frame::of(span.frame()),
        /// false for counted methods and [`⋯`](../explanation/counted-calls.md), drawn as long as
        /// the timed call below them
        timed: bool = span.is_timed(),
        /// from 0
        depth: u32 = span.depth,
        /// after the slow call
        began_nanos: u64 = rate.nanos(span.began).0,
        measured_nanos: u64 = rate.nanos(span.duration).0,
        /// own counted calls
        counted: u64 = span.counted,
        thrown: bool = span.thrown,
    }
}

object! {
    /// An event in one of the timed calls.
    EventOfSpan<'a>(event: &'a SpanEvent, rate: TickRate) {
        /// place in `spans`, innermost
        span: u32 = event.span,
        kind: &'static str = event.name.kind.as_str(),
        class: Option<&'a str> = event.name.class.as_deref(),
        count: u64 = event.sum.count,
        nanos: u64 = rate.nanos(event.sum.time).0,
    }
}

object! {
    /// Where the slowest calls take longer, or less long.
    Difference(of: &Differing) {
        /// innermost frames, at most 64
        path: Vec<Frame> = frames(&of.path),
        /// above `path`
        frames_left_off: usize = of.frames_left_off,
        /// mean self time of a slowest call
        slow_nanos: f64 = of.slow_nanos,
        /// of a recorded call
        all_nanos: f64 = of.all_nanos,
        /// mean
        slow_calls: f64 = of.slow_calls,
        all_calls: f64 = of.all_calls,
    }
}
