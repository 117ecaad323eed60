//! The probe costs that calibration measured, as text.

pub(crate) mod json;

pub use json::calibration_json;

use jfathom_calibration::{CalibrationSummary, CallCost};
use jfathom_profile::{CallKind, Profile};
use std::io::{self, Write};

/// Headings of the table's columns.
const COLUMNS: [&str; 7] = ["inner", "outer", "sum", "at start", "at end", "SD batch", "SD JVM"];

/// Writes the probe costs as a table, in nanoseconds per call.
pub fn calibration_text(
    profile: &Profile,
    summary: &CalibrationSummary,
    out: &mut dyn Write,
) -> io::Result<()> {
    let machine = &profile.meta.machine;
    if let Some(jvm) = profile.meta.jvms.first() {
        write_line!(out, "java      {} {} ({})", jvm.vm_name, jvm.vm_version, jvm.vendor)?;
        let [cpu, os, arch] = [&machine.cpu, &machine.os, &machine.arch];
        write_line!(out, "machine   {cpu}, {} processors, {os} {arch}", machine.cpus)?;
        write_line!(out, "clock     {}: {}", jvm.clock.name, jvm.clock.reason)?;
    }
    let jvms = crate::number::counted(profile.meta.jvms.len(), "JVM", "JVMs");
    writeln!(out, "measured  in {jvms}, each at its start and at its end; ns per call\n")?;
    write!(out, "{:<30}", "call")?;
    for column in COLUMNS {
        write!(out, " {column:>9}")?;
    }
    writeln!(out)?;
    for call in &summary.calls {
        write!(out, "{:<30}", call_text(call.kind))?;
        for cell in cells(call) {
            let text = cell.map_or_else(|| "-".to_owned(), |nanos| format!("{nanos:.2}"));
            write!(out, " {text:>9}")?;
        }
        writeln!(out)?;
    }
    writeln!(out, "\ninner is charged to the method, outer to its caller.")?;
    writeln!(out, "SD is the standard deviation: of the batches in a JVM, and of the JVMs.")
}

/// The numbers of a row, in the order of [`COLUMNS`]. Kinds without a clock read have no inner
/// cost.
fn cells(call: &CallCost) -> [Option<f64>; 7] {
    let CallCost { kind, inner, outer, .. } = call;
    let is_timed = !matches!(kind, CallKind::Count | CallKind::Off);
    [
        is_timed.then_some(inner.mean_nanos),
        Some(outer.mean_nanos),
        Some(inner.mean_nanos + outer.mean_nanos),
        call.start_nanos,
        call.end_nanos,
        Some(inner.batch_deviation_nanos.hypot(outer.batch_deviation_nanos)),
        Some(inner.jvm_deviation_nanos.hypot(outer.jvm_deviation_nanos)),
    ]
}

fn call_text(kind: CallKind) -> &'static str {
    match kind {
        CallKind::Return => "timed, returns",
        CallKind::Throw => "timed, throws",
        CallKind::Nested => "timed, with a timed callee",
        CallKind::Count => "counted",
        CallKind::Mixed => "counted, then a timed call",
        CallKind::Off => "off",
        CallKind::Pace => "no call",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_calibration::CostSpread;
    use jfathom_testkit::reference::Documents;
    use serde_json::{Value, json};

    pub(super) fn summary() -> CalibrationSummary {
        let spread = |mean_nanos| CostSpread {
            mean_nanos,
            batch_deviation_nanos: 3.0,
            jvm_deviation_nanos: 0.0,
        };
        let cost = |kind, end_nanos| CallCost {
            kind,
            inner: spread(if kind == CallKind::Count { 0.0 } else { 20.0 }),
            outer: spread(4.5),
            start_nanos: Some(25.0),
            end_nanos,
        };
        CalibrationSummary {
            calls: vec![cost(CallKind::Return, Some(24.0)), cost(CallKind::Count, None)],
        }
    }

    #[test]
    fn a_row_per_kind_of_call() {
        let mut text = Vec::new();
        calibration_text(&jfathom_testkit::small_profile::profile(), &summary(), &mut text)
            .unwrap();
        let text = String::from_utf8(text).unwrap();
        let cells = |start: &str| -> Vec<&str> {
            let line = text.lines().find(|line| line.starts_with(start)).unwrap();
            line[30..].split_whitespace().collect()
        };
        assert_eq!(cells("call  ").join(" "), "inner outer sum at start at end SD batch SD JVM");
        let timed = ["20.00", "4.50", "24.50", "25.00", "24.00", "4.24", "0.00"];
        assert_eq!(cells("timed, returns"), timed);
        assert_eq!(cells("counted")[..5], ["-", "4.50", "4.50", "25.00", "-"]);
        assert!(text.contains("each at its start and at its end; ns per call"), "{text}");
    }

    #[test]
    fn the_document_has_the_same_numbers() {
        let mut text = Vec::new();
        calibration_json(&jfathom_testkit::small_profile::profile(), &summary(), &mut text)
            .unwrap();
        let document: Value = serde_json::from_slice(&text).unwrap();
        Documents::of::<super::json::CalibrationDocument<'_>>("calibrate").hold(&text);
        let [timed, counted] = [&document["calls"][0], &document["calls"][1]];
        assert_eq!((&timed["kind"], &counted["kind"]), (&json!("return"), &json!("count")));
        assert_eq!(timed["inner"]["nanos"], 20.0);
        assert_eq!((&timed["endNanos"], &counted["endNanos"]), (&json!(24.0), &Value::Null));
    }
}
