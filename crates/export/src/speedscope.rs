//! speedscope's JSON: for each thread a profile of its self times and one of its calls.
//!
//! The call paths are written as events: a frame opens, its self time or its calls pass, its
//! callees follow, it closes. Their order is by weight, so that the view `Time Order`, which is the
//! first one that speedscope shows, is the same as `Left Heavy`; the names say that, too.

use crate::{
    by_weight::by_weight,
    contexts::{Context, Contexts, ThreadContexts},
    frame::FrameFacts,
    json,
    notes::Notes,
};
use jfathom_profile::Profile;
use std::io::{self, Write};

pub(crate) const SCHEMA: &str = "https://www.speedscope.app/file-format-schema.json";

pub(crate) fn write(
    profile: &Profile,
    contexts: &Contexts,
    notes: &Notes,
    out: &mut impl Write,
) -> io::Result<()> {
    write!(out, "{{\"$schema\":\"{SCHEMA}\",\"exporter\":")?;
    json::text(out, &notes.tool)?;
    out.write_all(b",\"name\":")?;
    json::text(out, &title(profile, notes))?;
    out.write_all(b",\"activeProfileIndex\":0,\"shared\":{\"frames\":")?;
    add_frames(&contexts.frames, out)?;
    out.write_all(b"},\"profiles\":")?;
    // The thread with the most time is what a user sees first.
    let mut threads: Vec<&ThreadContexts> = contexts.threads.iter().collect();
    threads.sort_by_key(|thread| std::cmp::Reverse(thread.sum(|context| context.self_nanos)));
    let profiles = threads.iter().flat_map(|thread| TYPES.iter().map(move |of| (*thread, *of)));
    // An empty one would be shown as one in which nothing happened.
    let profiles = profiles.filter(|(thread, (_, _, weight))| thread.sum(weight) > 0);
    json::list(out, profiles, |out, (thread, weight)| events(thread, weight, out))?;
    out.write_all(b"}\n")
}

/// Writes the list of frames.
pub(crate) fn add_frames(frames: &[FrameFacts], out: &mut impl Write) -> io::Result<()> {
    json::list(out, frames.iter(), |out, facts| {
        out.write_all(b"{\"name\":")?;
        json::text(out, &facts.name)?;
        if let Some(file) = &facts.file {
            out.write_all(b",\"file\":")?;
            json::text(out, file)?;
        }
        if facts.line > 0 {
            write!(out, ",\"line\":{}", facts.line)?;
        }
        out.write_all(b"}")
    })
}

/// The command with what must be known before the numbers are read.
fn title(profile: &Profile, notes: &Notes) -> String {
    match profile.quality.is_clean() {
        true => format!("{} ({})", notes.command, notes.times),
        false => format!("{} ({}; {})", notes.command, notes.quality, notes.times),
    }
}

type Weight = fn(&Context) -> u64;

/// What follows the thread's name, the unit, and the value.
const TYPES: [(&str, &str, Weight); 2] = [
    (" (largest first, not in time order)", "nanoseconds", |context| context.self_nanos),
    (" (calls, largest first, not in time order)", "none", |context| context.calls),
];

fn events<W: Write>(
    thread: &ThreadContexts,
    (suffix, unit, weight): (&str, &str, Weight),
    out: &mut W,
) -> io::Result<()> {
    out.write_all(b"{\"type\":\"evented\",\"name\":")?;
    json::text(out, &format!("{}{suffix}", thread.name))?;
    let end = thread.sum(weight);
    write!(out, ",\"unit\":\"{unit}\",\"startValue\":0,\"endValue\":{end},\"events\":[")?;
    let mut separator: &[u8] = b"";
    let mut event = |out: &mut W, kind: &[u8], frame: u32, at: u64| {
        out.write_all(separator)?;
        separator = b",";
        out.write_all(kind)?;
        json::integer(out, u64::from(frame))?;
        out.write_all(b",\"at\":")?;
        json::integer(out, at)?;
        out.write_all(b"}")
    };
    const OPEN: &[u8] = b"{\"type\":\"O\",\"frame\":";
    const CLOSE: &[u8] = b"{\"type\":\"C\",\"frame\":";
    let mut path: Vec<u32> = Vec::new();
    let mut now = 0_u64;
    for at in by_weight(&thread.contexts, weight) {
        let context = &thread.contexts[at];
        for frame in path.drain((context.depth as usize).min(path.len())..).rev() {
            event(out, CLOSE, frame, now)?;
        }
        event(out, OPEN, context.frame, now)?;
        path.push(context.frame);
        now = now.saturating_add(weight(context));
    }
    for frame in path.into_iter().rev() {
        event(out, CLOSE, frame, now)?;
    }
    out.write_all(b"]}")
}
