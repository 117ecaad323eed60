//! Listed methods as JSON; `docs/reference/json.md` describes it.

use super::{
    CallPosition, Listed, ListedCallee, Listing,
    excerpt::{Row, excerpt},
    with_listings,
};
use crate::view::View;
use jfathom_compare::HotMethod;
use jfathom_plan::MethodKey;
use jfathom_profile::{Frame, MethodIx, Profile};
use jfathom_views::Shown;
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
    with_listings(profile, listed, view, |shown, listings, more| {
        serde_json::to_writer(&mut *out, &ListDocument::of(shown, &listings, more))
    })?;
    writeln!(out)
}

object! {
    ListDocument<'a>(shown: &'a Shown<'_>, listings: &'a [Listing<'_>], more: usize) {
        clean: bool = shown.profile.quality.is_clean(),
        /// times are; else measured
        corrected: bool = shown.is_corrected(),
        #[cfg_attr(test, schemars(extend("const" = "jfathom-list")))]
        format: &'a str = "jfathom-list",
        /// by `--sort`
        methods: Vec<ListedRow<'a>> =
            listings.iter().map(|of| ListedRow::of(shown.profile, of, of.hot)).collect(),
        /// beyond `--limit`
        more_methods: usize = more,
        #[cfg_attr(test, schemars(extend("const" = LIST_JSON_VERSION)))]
        version: u32 = LIST_JSON_VERSION,
    }
}

fn key(profile: &Profile, method: MethodIx) -> Option<&MethodKey> {
    profile.methods.get(method.0 as usize).map(|method| &method.info.key)
}

object! {
    ListedRow<'a>(profile: &'a Profile, listing: &'a Listing<'_>, hot: &HotMethod) {
        /// costliest first, recursive last
        callees: Vec<Callee<'a>> = listing
            .callees
            .iter()
            .map(|found| Callee::of(profile, found, match found.callee {
                Frame::Method(method) => Some(method),
                Frame::Thread(_) | Frame::Task(_) => None,
            }))
            .collect(),
        /// timed and counted, as shown
        calls: u64 = hot.calls(),
        class: Option<&'a str> = key(profile, hot.method).map(|key| &*key.class),
        /// class file found with the recorded code
        code: Option<&'a str> = listing.listed.code.as_ref().map(|code| &*code.place),
        descriptor: Option<&'a str> = key(profile, hot.method).map(|key| &*key.descriptor),
        lines: Vec<Line<'a>> =
            excerpt(profile, listing).into_iter().filter_map(Line::of_row).collect(),
        /// index in the profile's method table
        method: u32 = hot.method.0,
        name: Option<&'a str> = key(profile, hot.method).map(|key| &*key.name),
        /// why these are missing or doubtful
        remarks: &'a [String] = &listing.remarks,
        self_bar_nanos: f64 = hot.times.self_error_nanos,
        self_nanos: f64 = hot.times.self_nanos,
        /// source file found
        source: Option<&'a str> = listing.listed.source.as_ref().map(|source| &*source.place),
        timed: u64 = hot.timed(),
        total_bar_nanos: f64 = hot.times.total_error_nanos,
        /// recursive calls counted once
        total_nanos: f64 = hot.times.total_nanos,
    }
}

object! {
    /// A source line.
    Line<'a>(line: u32, text: &'a str) {
        /// from 1
        line: u32 = line,
        /// empty if not in the source
        text: &'a str = text,
    }
}

impl<'a> Line<'a> {
    fn of_row(row: Row<'a>) -> Option<Self> {
        match row {
            Row::Line { line, text } => Some(Self::of(line, text)),
            Row::Gap => None,
        }
    }
}

object! {
    /// `method` and the names are null for tasks.
    Callee<'a>(profile: &'a Profile, found: &'a ListedCallee, method: Option<MethodIx>) {
        bar_nanos: f64 = found.edge.in_caller.total_error_nanos,
        /// by the method
        calls: u64 = found.edge.calls,
        class: Option<&'a str> = method.and_then(|at| key(profile, at)).map(|key| &*key.class),
        descriptor: Option<&'a str> =
            method.and_then(|at| key(profile, at)).map(|key| &*key.descriptor),
        /// ascending
        lines: &'a [u16] = match &found.position {
            CallPosition::Line(line) => std::slice::from_ref(line),
            CallPosition::OneOf(lines) => lines,
            _ => &[],
        },
        method: Option<u32> = method.map(|at| at.0),
        name: Option<&'a str> = method.and_then(|at| key(profile, at)).map(|key| &*key.name),
        /// spent in them
        nanos: f64 = found.edge.in_caller.total_nanos,
        /// `line` (all call sites), `one-of` (`lines`), `no-lines` (in the class file), `no-site`
        /// (callee not in the code), `unknown` (no code)
        position: &'a str = match found.position {
            CallPosition::Line(_) => "line",
            CallPosition::OneOf(_) => "one-of",
            CallPosition::NoLines => "no-lines",
            CallPosition::NoSite => "no-site",
            CallPosition::Unknown => "unknown",
        },
        timed: u64 = found.edge.timed,
    }
}
