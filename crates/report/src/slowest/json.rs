//! The slowest calls as JSON. They are written one by one, for all spans together are many times
//! the profile's size.

use jfathom_calibration::CorrectedTimes;
use jfathom_profile::{Frame, Profile, Span, SpanEvent, TickRate, Ticks};
use jfathom_views::{Difference, SlowCall, SlowestCalls};
use serde::{Serialize, Serializer, ser::SerializeMap};

use crate::view::View;

/// Call paths below the slowest calls that a document has, those with the largest difference.
const MOST_DIFFERENCES: usize = 100;

/// The slowest calls of a view, in the order of the text.
pub(crate) struct SlowestJson<'a> {
    profile: &'a Profile,
    corrected: Option<&'a CorrectedTimes>,
    view: &'a View,
}

impl<'a> SlowestJson<'a> {
    /// Those of a profile, with these times of its nodes.
    pub fn of(profile: &'a Profile, corrected: Option<&'a CorrectedTimes>, view: &'a View) -> Self {
        Self { profile, corrected, view }
    }
}

impl Serialize for SlowestJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let shown = super::shown(self.profile, self.corrected, self.view);
        serializer.collect_seq(shown.iter().map(|of| Group { of, all: self }))
    }
}

/// The slowest calls of one call path.
struct Group<'a> {
    of: &'a SlowestCalls<'a>,
    all: &'a SlowestJson<'a>,
}

impl Serialize for Group<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let SlowestJson { profile, corrected, .. } = *self.all;
        let found = self.of.differences(profile, corrected, MOST_DIFFERENCES);
        let is_corrected = corrected.is_some();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("path", &frames(self.of.path))?;
        map.serialize_entry("calls", &found.calls)?;
        let call = |of| Call { of, is_corrected, rate: profile.rate };
        map.serialize_entry("slowest", &Sequence(|| self.of.kept.iter().map(call)))?;
        let differences = Sequence(|| found.first.iter().map(DifferenceJson::of));
        map.serialize_entry("differences", &differences)?;
        map.serialize_entry("differencesLeftOff", &found.left_off)?;
        map.end()
    }
}

/// One slow call.
struct Call<'a> {
    of: &'a SlowCall<'a>,
    is_corrected: bool,
    rate: TickRate,
}

impl Serialize for Call<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let activation = self.of.activation;
        let nanos = |ticks| self.rate.nanos(ticks).0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("thread", &activation.thread.0)?;
        map.serialize_entry("threadId", &activation.thread_id)?;
        map.serialize_entry("beganNanos", &nanos(activation.began))?;
        map.serialize_entry("measuredNanos", &nanos(activation.duration))?;
        map.serialize_entry("correctedNanos", &self.is_corrected.then_some(self.of.nanos))?;
        map.serialize_entry("leftOutRecords", &activation.left_out)?;
        let event = |of| EventJson::of(of, nanos);
        map.serialize_entry("events", &Sequence(|| activation.events.iter().map(event)))?;
        let span = |of| SpanJson::of(of, nanos);
        map.serialize_entry("spans", &Sequence(|| activation.spans.iter().map(span)))?;
        map.end()
    }
}

/// A timed call of a slow call.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SpanJson {
    frame: FrameJson,
    timed: bool,
    depth: u32,
    began_nanos: u64,
    measured_nanos: u64,
    counted: u64,
    thrown: bool,
}

impl SpanJson {
    fn of(span: &Span, nanos: impl Fn(Ticks) -> u64) -> Self {
        Self {
            frame: FrameJson::of(span.frame()),
            timed: span.is_timed(),
            depth: span.depth,
            began_nanos: nanos(span.began),
            measured_nanos: nanos(span.duration),
            counted: span.counted,
            thrown: span.thrown,
        }
    }
}

/// Why the thread of a slow call did not run, or what it threw, in one of its timed calls.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EventJson<'a> {
    span: u32,
    kind: &'static str,
    class: Option<&'a str>,
    count: u64,
    nanos: u64,
}

impl<'a> EventJson<'a> {
    fn of(event: &'a SpanEvent, nanos: impl Fn(Ticks) -> u64) -> Self {
        Self {
            span: event.span,
            kind: event.name.kind.as_str(),
            class: event.name.class.as_deref(),
            count: event.sum.count,
            nanos: nanos(event.sum.time),
        }
    }
}

/// Where the slowest calls take longer, or less long.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DifferenceJson {
    path: Vec<FrameJson>,
    frames_left_off: usize,
    slow_nanos: f64,
    all_nanos: f64,
    slow_calls: f64,
    all_calls: f64,
}

impl DifferenceJson {
    fn of(of: &Difference) -> Self {
        Self {
            path: frames(&of.path),
            frames_left_off: of.frames_left_off,
            slow_nanos: of.slow_nanos,
            all_nanos: of.all_nanos,
            slow_calls: of.slow_calls,
            all_calls: of.all_calls,
        }
    }
}

#[derive(Serialize)]
struct FrameJson {
    kind: &'static str,
    of: u32,
}

impl FrameJson {
    fn of(frame: Frame) -> Self {
        let (kind, of) = match frame {
            Frame::Method(method) => ("method", method.0),
            Frame::Task(root) => ("task", root.0),
            Frame::Thread(thread) => ("thread", thread.0),
        };
        Self { kind, of }
    }
}

fn frames(path: &[Frame]) -> Vec<FrameJson> {
    path.iter().map(|frame| FrameJson::of(*frame)).collect()
}

/// An array of what a function iterates over.
struct Sequence<F>(F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for Sequence<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}
