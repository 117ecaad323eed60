//! The constants with which times are corrected, and that no recording measures.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::{InliningResidual, Residual, WarmUpResidual};

/// What is used of `data/constants.json`. The rest of that file is for people: dates, JVMs and
/// origins.
#[derive(Debug, Deserialize)]
struct Constants {
    /// The machine on which they were fitted.
    machine: String,
    /// By how much another machine's constants may differ, as a share of them. It widens the errors
    /// of those that cost most. Origin: chosen.
    elsewhere_share: f64,
    residual: Residual,
}

static CONSTANTS: LazyLock<Constants> = LazyLock::new(|| {
    let text = include_str!("../data/constants.json");
    serde_json::from_str(text).expect("the file is part of the program, and a test reads it")
});

/// The machine on which the constants were fitted.
pub fn constants_machine() -> &'static str {
    &CONSTANTS.machine
}

impl Residual {
    /// The assumptions for any machine.
    pub fn shipped() -> Self {
        let Constants { residual, elsewhere_share, .. } = &*CONSTANTS;
        let wider = |value: f64, error: f64| error.hypot(elsewhere_share * value);
        let early = |known: WarmUpResidual| WarmUpResidual {
            error_nanos: wider(known.nanos, known.error_nanos),
            ..known
        };
        let InliningResidual { share, error_share, .. } = residual.inlining;
        Self {
            counted_error_nanos: wider(residual.counted_nanos, residual.counted_error_nanos),
            count_record_error_nanos: wider(
                residual.count_record_nanos,
                residual.count_record_error_nanos,
            ),
            early_counted: early(residual.early_counted),
            inlining: InliningResidual {
                error_share: wider(share, error_share),
                ..residual.inlining
            },
            ..*residual
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn each_constant_has_an_origin() {
        let document: Value = serde_json::from_str(include_str!("../data/constants.json")).unwrap();
        let keys = |name: &str| -> Vec<String> {
            document[name].as_object().unwrap().keys().cloned().collect()
        };
        assert_eq!(keys("residual"), keys("origins"));
        let mut origins = document["origins"].as_object().unwrap().values();
        assert!(origins.all(|origin| origin.as_str().is_some_and(|text| !text.is_empty())));
        assert!(["date", "machine", "jvms"].iter().all(|name| document[name].is_string()));
    }

    #[test]
    fn constants_of_another_machine_have_wider_errors() {
        let (there, here) = (CONSTANTS.residual, Residual::shipped());
        assert!(here.count_record_error_nanos > there.count_record_error_nanos);
        assert!(here.early_counted.error_nanos > there.early_counted.error_nanos);
        assert_eq!(here.count_record_nanos, there.count_record_nanos);
    }
}
