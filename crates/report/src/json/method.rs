//! Methods, with the sums over their calls.

use super::{
    column::{Columns, columns},
    stream::Stream,
    times::Corrected,
};
use crate::resumed::resumptions;
use jfathom_calibration::CorrectedTimes;
use jfathom_compare::Cells;
use jfathom_compare::{HotMethod, hot_methods_with};
use jfathom_profile::{Demotion as Demoted, MethodIx, Mode, Profile};
use serde::Serialize;

/// All methods of a profile.
pub(super) fn methods<'a>(
    profile: &'a Profile,
    corrected: Option<&CorrectedTimes>,
) -> Stream<'a, Method<'a>> {
    let places = (0..).map(MethodIx).zip(&profile.methods);
    let mut sums: Vec<HotMethod> =
        places.clone().map(|(method, _)| HotMethod { method, ..HotMethod::default() }).collect();
    for hot in hot_methods_with(profile, |_| true, corrected.map_or(&[], CorrectedTimes::nodes)) {
        let place = hot.method.0 as usize;
        sums[place] = hot;
    }
    let (is_corrected, resumptions) = (corrected.is_some(), resumptions(profile));
    Stream::of(places.zip(sums).map(move |((at, method), sum)| {
        let cells = Cells::of_method(profile, &sum, is_corrected, profile.knows_bytes_of(at));
        let resumptions = resumptions.get(&at).copied();
        let corrected = is_corrected.then(|| Corrected::of(sum.times));
        Method::of(profile, method, &sum, resumptions, corrected, columns(profile, &cells))
    }))
}

object! {
    /// A method that was called. Sums count recursive calls once; `entries = returns + throws +
    /// inferred + open`. The method `<between>` of the class `jfathom` is
    /// [`⋯`](../explanation/counted-calls.md), without calls and self time.
    Method<'a>(
        profile: &Profile, method: &'a jfathom_profile::Method, sum: &HotMethod,
        resumptions: Option<u64>, corrected: Option<Corrected>, columns: Columns,
    ) {
        /// `entries` and `counted`
        calls: u64 = method.calls(),
        /// also by `finally`, `synchronized`
        caught: u64 = method.caught,
        /// empty without manifest
        class: &'a str = &method.info.key.class,
        columns: Columns = columns,
        corrected: Option<Corrected> = corrected,
        counted: u64 = method.counted,
        demotion: Option<Demotion<'a>> = method.demotion.map(Demotion::of),
        descriptor: &'a str = &method.info.key.descriptor,
        /// [code digest](../glossary.md); zeros without
        digest: String = method.info.digest.to_string(),
        /// timed calls
        entries: u64 = method.entries,
        /// in the first recording
        id: u32 = method.id.get(),
        inferred: u64 = method.inferred,
        /// the first one
        line: Option<u32> = method.info.line,
        /// at the end
        #[serde(with = "ProbeMode")]
        mode: Mode = method.mode,
        name: &'a str = &method.info.key.name,
        open: u64 = method.open,
        /// calls include [resumptions](../limits.md#kotlins-coroutines); also of `METHOD:resumed`,
        /// their counter
        resumes: bool = method.info.resumes,
        resumptions: Option<u64> = resumptions,
        returns: u64 = method.returns,
        root: bool = method.info.root,
        self_nanos: u64 = profile.rate.nanos(sum.self_time()).0,
        /// live: ns of the session; earlier calls are missing
        since: Option<u64> = method.since,
        /// file
        source: Option<&'a str> = method.info.source.as_deref(),
        throws: u64 = method.throws,
        total_nanos: u64 = profile.rate.nanos(sum.total_time()).0,
        /// not among `returns` and `throws`
        unmatched_exits: u64 = method.unmatched_exits,
        /// in no tree nor `entries`
        virtual_calls: u64 = method.virtual_calls,
        /// calls blocking methods
        waits: bool = method.info.waits,
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(remote = "Mode", rename_all = "lowercase")]
enum ProbeMode {
    Time,
    Count,
    Off,
}

object! {
    /// Why a method is counted and no longer timed.
    Demotion<'a>(demotion: Demoted) {
        /// timed before
        calls: u64 = demotion.calls,
        /// of the program's time
        cost_share: f64 = demotion.cost_share,
        /// since the JVM's start
        millis: u64 = demotion.millis,
        /// `budget`, `selected` (by the user), `unknown`
        reason: &'a str = demotion.reason.as_str(),
        /// per call counted instead of timed
        saved_nanos: f64 = demotion.saved_nanos,
        /// corrected, per call
        self_nanos: f64 = demotion.self_nanos,
    }
}
