//! The Firefox Profiler's processed profile, version 55: for each thread one of the profiler's
//! threads with its self times and one with its calls.
//!
//! A sample is a call path. The profiler wants a point in time for each sample: samples of times
//! follow each other by their weights, the largest first, as the names of the threads say. Those of
//! calls stand at the beginning.

use crate::{
    by_weight::by_weight,
    contexts::{Context, Contexts, ThreadContexts},
    json,
    notes::Notes,
};
use jfathom_profile::Profile;
use serde_json::json;
use std::io::{self, Write};

/// The version whose readers upgrade it to their own.
const PREPROCESSED_PROFILE_VERSION: u32 = 55;

pub(crate) fn write(
    profile: &Profile,
    contexts: &Contexts,
    notes: &Notes,
    out: &mut impl Write,
) -> io::Result<()> {
    let threads = contexts.threads.iter().zip(1_u32..);
    let threads = threads.flat_map(|thread| [Weight::Time, Weight::Calls].map(|of| (thread, of)));
    // The profiler would show an empty one as a thread that did nothing.
    let threads = threads.filter(|((thread, _), of)| thread.sum(|at| of.value(at)) > 0);
    let threads: Vec<_> = threads.collect();
    let sums = threads.iter().map(|((thread, _), of)| (*of, thread.sum(|at| of.value(at))));
    out.write_all(b"{\"meta\":")?;
    serde_json::to_writer(&mut *out, &meta(profile, notes, &first_seen(sums)))?;
    out.write_all(b",\"libs\":[],\"pages\":[],\"profilerOverhead\":[],\"counters\":[]")?;
    out.write_all(b",\"threads\":")?;
    json::list(out, threads.into_iter(), |out, ((thread, number), weight)| {
        let of = Thread { profile, contexts, thread, number, weight };
        of.write(out)
    })?;
    out.write_all(b"}\n")
}

/// The most threads that the profiler shows if nobody chooses.
const MOST_SEEN: usize = 15;

/// The places of the threads that are seen first, the largest first: those of times, or of calls if
/// no call has a time. The profiler itself takes those with the most samples, which are calls.
fn first_seen(sums: impl Iterator<Item = (Weight, u64)>) -> Vec<usize> {
    let mut sums: Vec<(usize, (Weight, u64))> = sums.enumerate().collect();
    if sums.iter().any(|(_, (of, _))| *of == Weight::Time) {
        sums.retain(|(_, (of, _))| *of == Weight::Time);
    }
    sums.sort_by_key(|(_, (_, sum))| std::cmp::Reverse(*sum));
    sums.into_iter().map(|(at, _)| at).take(MOST_SEEN).collect()
}

fn meta(profile: &Profile, notes: &Notes, first_seen: &[usize]) -> serde_json::Value {
    let entries = [("Quality", &notes.quality), ("Times", &notes.times), ("Made by", &notes.tool)]
        .map(|(label, text)| json!({ "label": label, "format": "string", "value": text }));
    json!({
        // The profiler takes the grey one for what has none.
        "categories": [
            { "name": "Java", "color": "blue", "subcategories": ["Other"] },
            { "name": "Other", "color": "grey", "subcategories": ["Other"] },
        ],
        "debug": false,
        "extensions": { "length": 0, "baseURL": [], "id": [], "name": [] },
        "extra": [{ "label": "Recording", "entries": entries }],
        "importedFrom": notes.tool,
        "initialSelectedThreads": first_seen.first().into_iter().collect::<Vec<_>>(),
        "initialVisibleThreads": first_seen,
        "interval": 1.0,
        "preprocessedProfileVersion": PREPROCESSED_PROFILE_VERSION,
        "processType": 0,
        "product": notes.command,
        "oscpu": jfathom_plan::printable(&profile.meta.machine.os),
        "stackwalk": 1,
        "startTime": profile.meta.started_millis,
        "symbolicated": true,
        "pausedRanges": [],
        "version": 24,
        "usesOnlyOneStackType": true,
        "sourceCodeIsNotOnSearchfox": true,
        "markerSchema": [],
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Weight {
    /// Self time in ms.
    Time,
    /// Calls.
    Calls,
}

impl Weight {
    fn value(self, context: &Context) -> u64 {
        match self {
            Self::Time => context.self_nanos,
            Self::Calls => context.calls,
        }
    }

    fn write(self, out: &mut impl Write, value: u64) -> io::Result<()> {
        match self {
            Self::Time => millis(out, value),
            Self::Calls => json::integer(out, value),
        }
    }
}

/// Nanoseconds as milliseconds, with all digits.
fn millis(out: &mut impl Write, nanos: u64) -> io::Result<()> {
    json::integer(out, nanos / 1_000_000)?;
    match nanos % 1_000_000 {
        0 => Ok(()),
        rest => write!(out, ".{rest:06}"),
    }
}

/// One of the profiler's threads.
struct Thread<'a> {
    profile: &'a Profile,
    contexts: &'a Contexts,
    thread: &'a ThreadContexts,
    number: u32,
    weight: Weight,
}

impl Thread<'_> {
    fn write<W: Write>(&self, out: &mut W) -> io::Result<()> {
        let (frames, places) = self.frames();
        out.write_all(b"{\"name\":")?;
        json::text(out, &self.name())?;
        let (thread, tid) = (self.thread, self.tid());
        let ends = self.profile.meta.duration_millis;
        write!(
            out,
            ",\"isMainThread\":false,\"pausedRanges\":[],\"pid\":\"{}\",\"tid\":\"{tid}\",\
             \"processName\":\"java\",\"processType\":\"default\",\"processStartupTime\":0,\
             \"processShutdownTime\":{ends},\"registerTime\":0,\"unregisterTime\":null,\
             \"showMarkersInTimeline\":false",
            thread.pid
        )?;
        out.write_all(b",\"stringArray\":")?;
        let facts = || frames.iter().map(|frame| &self.contexts.frames[*frame as usize]);
        json::list(out, facts(), |out, facts| json::text(out, &facts.name))?;
        self.frame_tables(&frames, out)?;
        self.stacks(&places, out)?;
        self.samples(out)?;
        out.write_all(
            b",\"markers\":{\"length\":0,\"category\":[],\"data\":[],\"startTime\":[],\
              \"endTime\":[],\"name\":[],\"phase\":[]}}",
        )
    }

    fn name(&self) -> String {
        match self.weight {
            Weight::Time => format!("{} (largest first, not in time order)", self.thread.name),
            Weight::Calls => format!("{} (calls)", self.thread.name),
        }
    }

    /// A thread id of the profiler: they are unique in a profile.
    fn tid(&self) -> String {
        match self.weight {
            Weight::Time => self.number.to_string(),
            Weight::Calls => format!("{}.1", self.number),
        }
    }

    /// The frames of the thread in the order of their first call, and the place of each in it.
    fn frames(&self) -> (Vec<u32>, Vec<u32>) {
        let mut places = vec![u32::MAX; self.contexts.frames.len()];
        let mut frames = Vec::new();
        for context in &self.thread.contexts {
            let place = &mut places[context.frame as usize];
            if *place == u32::MAX {
                *place = frames.len() as u32;
                frames.push(context.frame);
            }
        }
        (frames, places)
    }

    /// A function and a frame for each name of the string array.
    fn frame_tables<W: Write>(&self, frames: &[u32], out: &mut W) -> io::Result<()> {
        let length = frames.len();
        let same = |out: &mut W, key: &str, value: &str| {
            write!(out, ",\"{key}\":")?;
            json::list(out, 0..length, |out, _| out.write_all(value.as_bytes()))
        };
        let own = |out: &mut W, key: &str| {
            write!(out, ",\"{key}\":")?;
            json::list(out, 0..length, |out, at| json::integer(out, at as u64))
        };
        write!(out, ",\"funcTable\":{{\"length\":{length}")?;
        own(out, "name")?;
        same(out, "isJS", "false")?;
        same(out, "relevantForJS", "false")?;
        same(out, "resource", "-1")?;
        same(out, "fileName", "null")?;
        out.write_all(b",\"lineNumber\":")?;
        json::list(out, frames.iter(), |out, frame| {
            match self.contexts.frames[*frame as usize].line {
                0 => out.write_all(b"null"),
                line => json::integer(out, u64::from(line)),
            }
        })?;
        same(out, "columnNumber", "null")?;
        write!(out, "}},\"frameTable\":{{\"length\":{length}")?;
        own(out, "func")?;
        for (key, value) in [
            ("address", "-1"),
            ("inlineDepth", "0"),
            ("category", "0"),
            ("subcategory", "0"),
            ("nativeSymbol", "null"),
            ("innerWindowID", "0"),
            ("line", "null"),
            ("column", "null"),
        ] {
            same(out, key, value)?;
        }
        out.write_all(
            b"},\"nativeSymbols\":{\"length\":0,\"address\":[],\"functionSize\":[],\
              \"libIndex\":[],\"name\":[]},\"resourceTable\":{\"length\":0,\"lib\":[],\
              \"name\":[],\"host\":[],\"type\":[]}",
        )
    }

    /// A stack for each call path, in their order.
    fn stacks<W: Write>(&self, places: &[u32], out: &mut W) -> io::Result<()> {
        let contexts = &self.thread.contexts;
        write!(out, ",\"stackTable\":{{\"length\":{},\"prefix\":", contexts.len())?;
        let mut path: Vec<u64> = Vec::new();
        json::list(out, contexts.iter().zip(0..), |out, (context, at)| {
            path.truncate(context.depth as usize);
            let prefix = path.last().copied();
            path.push(at);
            match prefix {
                Some(prefix) => json::integer(out, prefix),
                None => out.write_all(b"null"),
            }
        })?;
        out.write_all(b",\"frame\":")?;
        json::list(out, contexts.iter(), |out, context| {
            json::integer(out, u64::from(places[context.frame as usize]))
        })?;
        out.write_all(b"}")
    }

    fn samples<W: Write>(&self, out: &mut W) -> io::Result<()> {
        let contexts = &self.thread.contexts;
        let order = by_weight(contexts, |context| self.weight.value(context));
        let weighed = || {
            let values = order.iter().map(|at| (*at as u64, self.weight.value(&contexts[*at])));
            values.filter(|(_, value)| *value > 0)
        };
        let weight_type = match self.weight {
            Weight::Time => "tracing-ms",
            Weight::Calls => "samples",
        };
        write!(
            out,
            ",\"samples\":{{\"length\":{},\"weightType\":\"{weight_type}\",\"stack\":",
            weighed().count()
        )?;
        json::list(out, weighed(), |out, (at, _)| json::integer(out, at))?;
        out.write_all(b",\"timeDeltas\":")?;
        let mut passed = 0;
        json::list(out, weighed(), |out, (_, value)| {
            let delta = std::mem::replace(&mut passed, value);
            match self.weight {
                Weight::Time => millis(out, delta),
                Weight::Calls => out.write_all(b"0"),
            }
        })?;
        out.write_all(b",\"weight\":")?;
        json::list(out, weighed(), |out, (_, value)| self.weight.write(out, value))?;
        out.write_all(b"}")
    }
}
