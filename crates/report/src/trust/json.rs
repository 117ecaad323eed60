//! A recording beside samples of uninstrumented runs, as JSON; `docs/trust-json.md` describes it.

use jfathom_profile::{ComparedShare, MethodIx, Profile, Trust};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Raised with every change that readers of older documents must know of.
pub const TRUST_JSON_VERSION: u32 = 1;

/// Writes the comparison as one JSON document, followed by a newline.
pub fn trust_json(profile: &Profile, trust: &Trust, out: &mut dyn Write) -> io::Result<()> {
    let document = json!({
        "format": "jfathom-trust",
        "version": TRUST_JSON_VERSION,
        "trust": value(profile, trust),
    });
    serde_json::to_writer(&mut *out, &document)?;
    writeln!(out)
}

/// The comparison as a value.
pub(crate) fn value(profile: &Profile, trust: &Trust) -> Value {
    let samples = trust.samples;
    let [confirmed, doubtful, distorted, unjudged] = trust.by_verdict();
    let methods = trust.methods.iter().map(|row| {
        let mut value = share(profile, row.method, &row.share);
        value["combined"] = row.combined.into();
        value["combinedBar"] = row.combined_error.into();
        value["nanosPerCall"] = row.nanos_per_call.into();
        value
    });
    let contexts = trust.contexts.iter().map(|row| {
        let mut value = share(profile, row.method, &row.share);
        value["depth"] = row.depth.into();
        value["nodes"] = row.nodes.clone().into();
        value
    });
    json!({
        "runs": trust.runs,
        "periodNanos": (trust.period_nanos > 0).then_some(trust.period_nanos),
        "samples": {
            "inside": samples.inside,
            "native": samples.native,
            "offPath": samples.off_path,
            "outside": samples.outside,
            "truncated": samples.truncated,
        },
        "confirmed": confirmed,
        "doubtful": doubtful,
        "distorted": distorted,
        "unjudged": unjudged,
        "scatter": trust.scatter,
        "bias": trust.bias,
        "waitedNanos": trust.waited_nanos,
        "waitedBarNanos": trust.waited_error_nanos,
        "unexplainedWaitNanos": trust.unexplained_wait_nanos,
        "methods": methods.collect::<Vec<_>>(),
        "contexts": contexts.collect::<Vec<_>>(),
    })
}

fn share(profile: &Profile, method: u32, share: &ComparedShare) -> Value {
    let key = &profile.method(MethodIx(method)).info.key;
    json!({
        "class": key.class,
        "name": key.name,
        "descriptor": key.descriptor,
        "samples": share.samples,
        "sampled": share.sampled,
        "sampledBar": share.sampled_error,
        "recorded": share.recorded,
        "recordedBar": share.recorded_error,
        "verdict": share.verdict.map(|verdict| verdict.as_str()),
    })
}
