//! Perfetto's trace: the slowest calls on a time line, one track for each,
//! and arrows from hand-offs to their tasks.
//!
//! A message `perfetto.protos.Trace` with track events
//! (<https://perfetto.dev/docs/reference/synthetic-track-event>). Times are as measured, on the
//! session's clock without the thread's excluded time. The probes' cost is in them: without it,
//! calls that were at the same time would stand apart.

use crate::protobuf::Message;
use jfathom_calibration::CorrectedTimes;
use jfathom_profile::{Activation, Profile, Span, SpanKind, Ticks};
use jfathom_views::{Names, hand_off_arrows, slowest, thread_name};
use std::{
    collections::HashMap,
    io::{self, Write},
    ptr,
};

/// `Trace.packet`.
const PACKET: u32 = 1;

/// Fields of `TracePacket`.
mod packet {
    pub const TIMESTAMP: u32 = 8;
    pub const TRUSTED_PACKET_SEQUENCE_ID: u32 = 10;
    pub const TRACK_EVENT: u32 = 11;
    pub const TRACK_DESCRIPTOR: u32 = 60;
}

/// Fields of `TrackEvent`, and values of its type.
mod event {
    pub const TYPE: u32 = 9;
    pub const TRACK_UUID: u32 = 11;
    pub const NAME: u32 = 23;
    pub const CATEGORIES: u32 = 22;
    pub const DEBUG_ANNOTATIONS: u32 = 4;
    pub const FLOW_IDS: u32 = 47;
    pub const TERMINATING_FLOW_IDS: u32 = 48;
    pub const SLICE_BEGIN: u64 = 1;
    pub const SLICE_END: u64 = 2;
    pub const INSTANT: u64 = 3;
}

/// Fields of `TrackDescriptor`.
mod track {
    pub const UUID: u32 = 1;
    pub const NAME: u32 = 2;
    pub const PARENT_UUID: u32 = 5;
}

/// Fields of `DebugAnnotation`.
mod annotation {
    pub const UINT_VALUE: u32 = 3;
    pub const STRING_VALUE: u32 = 6;
    pub const NAME: u32 = 10;
}

/// The one sequence of packets.
const SEQUENCE: u64 = 1;

/// The flows that are drawn as arrows from hand-offs to their tasks, by slow call.
#[derive(Default)]
struct Flows {
    /// When after its begin it hands off, and the flow that begins there.
    begun: HashMap<*const Activation, Vec<(Ticks, u64)>>,
    /// The flow that ends at its begin.
    ended: HashMap<*const Activation, u64>,
}

impl Flows {
    fn of(profile: &Profile) -> Self {
        let mut flows = Self::default();
        for (arrow, flow) in hand_off_arrows(profile).iter().zip(1..) {
            let call = |at: usize| profile.latencies.slowest.get(at).map(ptr::from_ref);
            let (Some(from), Some(to)) = (call(arrow.from), call(arrow.to)) else { continue };
            flows.begun.entry(from).or_default().push((arrow.after, flow));
            flows.ended.insert(to, flow);
        }
        flows
    }
}

pub(crate) fn write(
    profile: &Profile,
    corrected: Option<&CorrectedTimes>,
    out: &mut impl Write,
) -> io::Result<()> {
    let names = Names::of(&profile.methods);
    let flows = Flows::of(profile);
    let mut uuid = 0_u64;
    let mut next = || {
        uuid += 1;
        uuid
    };
    for of in slowest(profile, corrected) {
        let path = names.path(profile, of.path);
        let group = next();
        let name = format!("slowest calls of {}", path.join(" › "));
        put(out, packet::TRACK_DESCRIPTOR, None, &descriptor(group, None, &name))?;
        for (call, number) in of.kept.iter().zip(1..) {
            let own = next();
            let activation = call.activation;
            let thread = thread_name(profile, activation.thread);
            let name = format!("#{number}, {thread}, thread id {}", activation.thread_id);
            put(out, packet::TRACK_DESCRIPTOR, None, &descriptor(own, Some(group), &name))?;
            let nanos = |ticks| profile.rate.nanos(ticks).0;
            let at = |after: Ticks| nanos(Ticks(activation.began.0.saturating_add(after.0)));
            // Ends that are due before the next begin, innermost last.
            let mut open: Vec<u64> = Vec::new();
            let mut flow = flows.ended.get(&ptr::from_ref(activation)).copied();
            for span in &activation.spans {
                while open.len() > span.depth as usize {
                    end(out, own, open.pop().unwrap_or(0))?;
                }
                let ended = at(Ticks(span.began.0.saturating_add(span.duration.0)));
                // What is within ends no later.
                let ended = open.last().map_or(ended, |outer| ended.min(*outer));
                let name = names.frame(profile, span.frame());
                begin(out, own, at(span.began), &name, span, flow.take())?;
                open.push(ended);
            }
            while let Some(ended) = open.pop() {
                end(out, own, ended)?;
            }
            for (after, flow) in flows.begun.get(&ptr::from_ref(activation)).into_iter().flatten() {
                hand_off(out, own, at(*after), *flow)?;
            }
        }
    }
    Ok(())
}

fn descriptor(uuid: u64, parent: Option<u64>, name: &str) -> Message {
    let mut message = Message::new();
    message.uint(track::UUID, uuid).text(track::NAME, name);
    message.uint(track::PARENT_UUID, parent.unwrap_or(0));
    message
}

/// The begin of a span, where a flow may end.
fn begin(
    out: &mut impl Write,
    track: u64,
    nanos: u64,
    name: &str,
    span: &Span,
    flow: Option<u64>,
) -> io::Result<()> {
    let category = match span.kind {
        SpanKind::Call => "call",
        SpanKind::Task => "task",
        SpanKind::Counted => "counted",
    };
    let mut message = Message::new();
    message
        .uint(event::TYPE, event::SLICE_BEGIN)
        .uint(event::TRACK_UUID, track)
        .text(event::CATEGORIES, category)
        .text(event::NAME, name);
    if let Some(flow) = flow {
        message.fixed64(event::TERMINATING_FLOW_IDS, flow);
    }
    if span.counted > 0 {
        let mut counted = Message::new();
        counted.text(annotation::NAME, "counted calls").uint(annotation::UINT_VALUE, span.counted);
        message.message(event::DEBUG_ANNOTATIONS, &counted);
    }
    if span.thrown {
        let mut thrown = Message::new();
        thrown.text(annotation::NAME, "ended by").text(annotation::STRING_VALUE, "an exception");
        message.message(event::DEBUG_ANNOTATIONS, &thrown);
    }
    put(out, packet::TRACK_EVENT, Some(nanos), &message)
}

/// A task is handed off: a flow begins.
fn hand_off(out: &mut impl Write, track: u64, nanos: u64, flow: u64) -> io::Result<()> {
    let mut message = Message::new();
    message
        .uint(event::TYPE, event::INSTANT)
        .uint(event::TRACK_UUID, track)
        .text(event::CATEGORIES, "hand-off")
        .text(event::NAME, "hands off a task")
        .fixed64(event::FLOW_IDS, flow);
    put(out, packet::TRACK_EVENT, Some(nanos), &message)
}

fn end(out: &mut impl Write, track: u64, nanos: u64) -> io::Result<()> {
    let mut message = Message::new();
    message.uint(event::TYPE, event::SLICE_END).uint(event::TRACK_UUID, track);
    put(out, packet::TRACK_EVENT, Some(nanos), &message)
}

/// Writes a packet with this content.
fn put(
    out: &mut impl Write,
    field: u32,
    timestamp: Option<u64>,
    content: &Message,
) -> io::Result<()> {
    let mut packet = Message::new();
    packet.uint(packet::TIMESTAMP, timestamp.unwrap_or(0));
    packet.uint(packet::TRUSTED_PACKET_SEQUENCE_ID, SEQUENCE).message(field, content);
    let mut trace = Message::new();
    trace.message(PACKET, &packet);
    out.write_all(trace.bytes())
}
