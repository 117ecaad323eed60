//! Listed methods as JSON; `docs/list-json.md` describes it.

use super::{
    CallPosition, Listed, ListedCallee, Listing,
    excerpt::{Row, excerpt},
    with_listings,
};
use crate::view::View;
use jfathom_profile::{Frame, Profile};
use jfathom_views::Shown;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Raised with every change that readers of older documents must know of.
pub const LIST_JSON_VERSION: u32 = 1;

/// Writes the listed methods as one JSON document, followed by a newline.
pub fn list_json(
    profile: &Profile,
    listed: &Listed,
    view: &View,
    out: &mut dyn Write,
) -> io::Result<()> {
    let document = with_listings(profile, listed, view, |shown, listings, more| {
        json!({
            "format": "jfathom-list",
            "version": LIST_JSON_VERSION,
            "corrected": shown.is_corrected(),
            "clean": profile.quality.is_clean(),
            "moreMethods": more,
            "methods": listings.iter().map(|listing| method(shown, listing)).collect::<Vec<_>>(),
        })
    });
    serde_json::to_writer(&mut *out, &document)?;
    writeln!(out)
}

fn method(shown: &Shown<'_>, listing: &Listing<'_>) -> Value {
    let hot = listing.hot;
    let key = shown.profile.methods.get(hot.method.0 as usize).map(|method| &method.info.key);
    let lines = excerpt(shown.profile, listing);
    let lines = lines.iter().filter_map(|row| match row {
        Row::Line { line, text } => Some(json!({ "line": line, "text": text })),
        Row::Gap => None,
    });
    json!({
        "method": hot.method.0,
        "class": key.map(|key| &key.class),
        "name": key.map(|key| &key.name),
        "descriptor": key.map(|key| &key.descriptor),
        "calls": hot.calls(),
        "timed": hot.timed(),
        "selfNanos": hot.times.self_nanos,
        "selfBarNanos": hot.times.self_error_nanos,
        "totalNanos": hot.times.total_nanos,
        "totalBarNanos": hot.times.total_error_nanos,
        "source": listing.listed.source.as_ref().map(|source| &source.place),
        "code": listing.listed.code.as_ref().map(|code| &code.place),
        "remarks": listing.remarks,
        "callees": listing.callees.iter().map(|found| callee(shown, found)).collect::<Vec<_>>(),
        "lines": lines.collect::<Vec<_>>(),
    })
}

fn callee(shown: &Shown<'_>, found: &ListedCallee) -> Value {
    let (kind, lines): (&str, &[u16]) = match &found.position {
        CallPosition::Line(line) => ("line", std::slice::from_ref(line)),
        CallPosition::OneOf(lines) => ("one-of", lines),
        CallPosition::NoLines => ("no-lines", &[]),
        CallPosition::NoSite => ("no-site", &[]),
        CallPosition::Unknown => ("unknown", &[]),
    };
    let method = match found.callee {
        Frame::Method(method) => Some(method.0),
        Frame::Thread(_) | Frame::Task(_) => None,
    };
    let key = method.and_then(|at| shown.profile.methods.get(at as usize));
    let key = key.map(|method| &method.info.key);
    json!({
        "method": method,
        "class": key.map(|key| &key.class),
        "name": key.map(|key| &key.name),
        "descriptor": key.map(|key| &key.descriptor),
        "calls": found.edge.calls,
        "timed": found.edge.timed,
        "nanos": found.edge.in_caller.total_nanos,
        "barNanos": found.edge.in_caller.total_error_nanos,
        "position": kind,
        "lines": lines,
    })
}
