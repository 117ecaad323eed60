use super::*;
use jfathom_profile::{ContextTrust, MethodTrust, TrustSamples, TrustVerdict};
use jfathom_testkit::{reference::Documents, small_profile as fixture};

/// `run` is confirmed, `step(int)` is distorted; `step(long)` is not judged.
pub(crate) fn trust() -> Trust {
    let share = |sampled, recorded, verdict| ComparedShare {
        samples: 70,
        sampled,
        sampled_error: 0.02,
        recorded,
        recorded_error: 0.01,
        verdict,
    };
    let row = |method, share| MethodTrust {
        method,
        share,
        combined: share.sampled,
        combined_error: 0.015,
        nanos_per_call: Some(1_250.0),
    };
    Trust {
        runs: 3,
        period_nanos: 10_000_000,
        samples: TrustSamples { inside: 100, native: 1, off_path: 2, outside: 30, truncated: 4 },
        scatter: 1.5,
        bias: 0.1,
        waited_nanos: 5_000_000.0,
        waited_error_nanos: 1_000_000.0,
        unexplained_wait_nanos: 0.0,
        methods: vec![
            row(0, share(0.7, 0.71, Some(TrustVerdict::Confirmed))),
            row(1, share(0.03, 0.19, Some(TrustVerdict::Distorted))),
            row(2, share(0.002, 0.001, None)),
        ],
        contexts: vec![
            ContextTrust {
                nodes: vec![1],
                depth: 0,
                method: 0,
                share: share(1.0, 1.0, Some(TrustVerdict::Confirmed)),
            },
            ContextTrust {
                nodes: vec![2],
                depth: 1,
                method: 1,
                share: share(0.03, 0.19, Some(TrustVerdict::Doubtful)),
            },
        ],
    }
}

#[test]
fn a_distortion_is_shown_with_both_shares() {
    let mut out = Vec::new();
    let view = TrustView { limit: 2, width: None };
    trust_text(&fixture::profile(), &trust(), view, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    for expected in [
        "100 samples below the roots in 3 uninstrumented runs",
        "70.0 % is confirmed, 0.0 % doubtful, 3.0 % distorted; 27.0 % is in methods",
        "30 outside the roots, 1 in native methods, 2 on call paths",
        "distorted (3 → 19 %)",
        "70.0 ± 2.0",
        "1 more methods",
    ] {
        assert!(text.contains(expected), "{expected} is not in\n{text}");
    }
}

#[test]
fn json_has_what_the_text_has() {
    let mut out = Vec::new();
    trust_json(&fixture::profile(), &trust(), &mut out).unwrap();
    Documents::of::<json::TrustDocument<'_>>("trust").hold(&out);
    let document: serde_json::Value = serde_json::from_slice(&out).unwrap();
    let trust = &document["trust"];
    assert_eq!(trust["methods"][1]["verdict"], "distorted");
    assert_eq!(trust["methods"][2]["verdict"], serde_json::Value::Null);
    assert_eq!(trust["contexts"][1]["nodes"][0], 2);
    assert_eq!(trust["samples"]["offPath"], 2);
}
