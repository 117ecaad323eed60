//! The reference of the JSON documents.

use jfathom_testkit::reference::{Documents, hold_reference};

#[test]
fn the_reference_says_what_is_written() {
    hold_reference(&[
        Documents::of::<crate::json::Report<'_>>("report"),
        Documents::of::<crate::list::json::ListDocument<'_>>("list"),
        Documents::of::<crate::diff::json::DiffDocument<'_>>("diff"),
        Documents::of::<crate::diff::json::GateDocument<'_>>("gate"),
        Documents::of::<crate::growth::json::GrowthDocument<'_>>("growth"),
        Documents::of::<crate::history::json::HistoryDocument<'_>>("history"),
        Documents::of::<crate::trust::json::TrustDocument<'_>>("trust"),
        Documents::of::<crate::calibration::json::CalibrationDocument<'_>>("calibrate"),
        Documents::of::<Vec<crate::JvmRow>>("ps"),
    ]);
}
