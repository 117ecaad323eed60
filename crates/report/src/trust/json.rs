//! A recording beside uninstrumented runs, as JSON; `docs/reference/json.md` describes it.

use crate::json::Stream;
use jfathom_plan::MethodKey;
use jfathom_profile::{ComparedShare, ContextTrust, MethodIx, MethodTrust, Profile, TrustSamples};
use std::io::{self, Write};

/// Raised with every change that readers of older documents must know of.
pub const TRUST_JSON_VERSION: u32 = 1;

/// Writes the comparison as one JSON document, followed by a newline.
pub fn trust_json(
    profile: &Profile,
    trust: &jfathom_profile::Trust,
    out: &mut dyn Write,
) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &TrustDocument::of(profile, trust))?;
    writeln!(out)
}

object! {
    TrustDocument<'a>(profile: &'a Profile, trust: &'a jfathom_profile::Trust) {
        #[cfg_attr(test, schemars(extend("const" = "jfathom-trust")))]
        format: &'a str = "jfathom-trust",
        trust: Trust<'a> = Trust::of(profile, trust, trust.by_verdict()),
        #[cfg_attr(test, schemars(extend("const" = TRUST_JSON_VERSION)))]
        version: u32 = TRUST_JSON_VERSION,
    }
}

object! {
    /// Sampled self shares by verdict (`unjudged`: below 0.5 %), and what they are from. Shares are
    /// of the running time below the roots, 0 to 1 ([how](../decisions/0026-trust.md)).
    Trust<'a>(profile: &'a Profile, trust: &'a jfathom_profile::Trust, by_verdict: [f64; 4]) {
        /// standard deviation of recorded shares beyond their bars, over √(s (1 − s)) of a share s
        bias: f64 = trust.bias,
        confirmed: f64 = by_verdict[0],
        /// total times, threads added up, from 0.5 % on one side; preorder
        contexts: Stream<'a, TrustedContext<'a>> = Stream::of(
            trust
                .contexts
                .iter()
                .map(|row| TrustedContext::of(key(profile, row.method), row, &row.share)),
        ),
        distorted: f64 = by_verdict[2],
        doubtful: f64 = by_verdict[1],
        /// self times, from 0.1 % on one side; by sampled share
        methods: Stream<'a, TrustedMethod<'a>> = Stream::of(
            trust
                .methods
                .iter()
                .map(|row| TrustedMethod::of(key(profile, row.method), row, &row.share)),
        ),
        /// of samples of a running thread
        period_nanos: Option<u64> = (trust.period_nanos > 0).then_some(trust.period_nanos),
        /// of the uninstrumented program
        runs: u32 = trust.runs,
        samples: TrustedSamples = TrustedSamples::of(trust.samples),
        /// factor of the samples' variance for differing runs, at least 1
        scatter: f64 = trust.scatter,
        /// waits left in
        unexplained_wait_nanos: f64 = trust.unexplained_wait_nanos,
        unjudged: f64 = by_verdict[3],
        waited_bar_nanos: f64 = trust.waited_error_nanos,
        /// waits subtracted from recorded times
        waited_nanos: f64 = trust.waited_nanos,
    }
}

fn key(profile: &Profile, method: u32) -> &MethodKey {
    &profile.method(MethodIx(method)).info.key
}

object! {
    TrustedSamples(samples: TrustSamples) {
        /// below the roots
        inside: u64 = samples.inside,
        /// of `inside`
        native: u64 = samples.native,
        /// of `inside`: on unrecorded paths
        off_path: u64 = samples.off_path,
        /// elsewhere
        outside: u64 = samples.outside,
        /// without a whole stack, left out
        truncated: u64 = samples.truncated,
    }
}

object! {
    TrustedMethod<'a>(key: &'a MethodKey, row: &MethodTrust, share: &ComparedShare) {
        class: &'a str = &key.class,
        /// estimate from both
        combined: f64 = row.combined,
        combined_bar: f64 = row.combined_error,
        descriptor: &'a str = &key.descriptor,
        name: &'a str = &key.name,
        /// time over calls, of one run
        nanos_per_call: Option<f64> = row.nanos_per_call,
        /// share of corrected time; may be below zero
        recorded: f64 = share.recorded,
        recorded_bar: f64 = share.recorded_error,
        /// share of the samples
        sampled: f64 = share.sampled,
        sampled_bar: f64 = share.sampled_error,
        samples: u64 = share.samples,
        /// `confirmed`, `doubtful`, `distorted`; null below 0.5 %
        verdict: Option<&'a str> = share.verdict.map(|verdict| verdict.as_str()),
    }
}

object! {
    /// Other keys are as in `TrustedMethod`.
    TrustedContext<'a>(key: &'a MethodKey, row: &'a ContextTrust, share: &ComparedShare) {
        class: &'a str = &key.class,
        /// callers among the rows
        depth: u32 = row.depth,
        descriptor: &'a str = &key.descriptor,
        name: &'a str = &key.name,
        /// places in `tree`
        nodes: &'a [u32] = &row.nodes,
        recorded: f64 = share.recorded,
        recorded_bar: f64 = share.recorded_error,
        sampled: f64 = share.sampled,
        sampled_bar: f64 = share.sampled_error,
        samples: u64 = share.samples,
        verdict: Option<&'a str> = share.verdict.map(|verdict| verdict.as_str()),
    }
}
