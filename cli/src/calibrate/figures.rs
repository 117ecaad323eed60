//! The calibrations of several JVMs, summarized.

use jfathom_profile::{BatchStatistics, Calibration, CallKind, Jvm, Phase, Profile};
use serde_json::{Value, json};
use std::fmt::Write;

/// The probes' costs by kind of call.
pub(super) struct CalibrationSummary {
    kinds: Vec<Figure>,
}

/// The cost of one kind of call, in nanoseconds.
struct Figure {
    kind: CallKind,
    inner: Spread,
    outer: Spread,
    /// Their sum at the JVMs' start, and at their end.
    start: Option<f64>,
    end: Option<f64>,
}

/// The mean over several JVMs, and the differences.
struct Spread {
    mean: f64,
    /// Standard deviation of the batches within a JVM.
    batches: f64,
    /// Standard deviation of the JVMs.
    jvms: f64,
}

const KINDS: [(CallKind, &str, &str); 6] = [
    (CallKind::Return, "return", "timed, returns"),
    (CallKind::Throw, "throw", "timed, throws"),
    (CallKind::Nested, "nested", "timed, with a timed one in it"),
    (CallKind::Count, "count", "counted"),
    (CallKind::Mixed, "mixed", "counted, then a timed one"),
    (CallKind::Off, "off", "off"),
];

impl CalibrationSummary {
    /// The calibrations of a profile's JVMs; `None` if one of them has none.
    pub(super) fn of(profile: &Profile) -> Option<Self> {
        let jvms = &profile.meta.jvms;
        let measured = |jvm: &Jvm| {
            jvm.calibrations
                .iter()
                .any(|measured| measured.kind == CallKind::Return && !measured.inner.is_empty())
        };
        if jvms.is_empty() || !jvms.iter().all(measured) {
            return None;
        }
        let kinds = KINDS.iter().filter_map(|(kind, ..)| Figure::of(*kind, jvms)).collect();
        Some(Self { kinds })
    }
}

impl Figure {
    fn of(kind: CallKind, jvms: &[Jvm]) -> Option<Self> {
        let of = |jvm: &'_ Jvm| {
            jvm.calibrations
                .iter()
                .filter(|measured| measured.kind == kind)
                .cloned()
                .collect::<Vec<_>>()
        };
        let measured: Vec<Vec<Calibration>> =
            jvms.iter().map(of).filter(|measured| !measured.is_empty()).collect();
        if measured.is_empty() {
            return None;
        }
        let at = |phase: Phase| {
            let all = measured.iter().flatten().filter(|measured| measured.phase == phase);
            mean(
                &all.map(|measured| measured.inner.median + measured.outer.median)
                    .collect::<Vec<_>>(),
            )
        };
        Some(Self {
            kind,
            inner: Spread::of(&measured, |measured| measured.inner),
            outer: Spread::of(&measured, |measured| measured.outer),
            start: at(Phase::Start),
            end: at(Phase::End),
        })
    }

    /// The names of its kind: in JSON, and for people.
    fn names(&self) -> (&'static str, &'static str) {
        KINDS
            .iter()
            .find(|(kind, ..)| *kind == self.kind)
            .map_or(("", ""), |(_, name, words)| (name, words))
    }
}

impl Spread {
    fn of(jvms: &[Vec<Calibration>], part: impl Fn(&Calibration) -> BatchStatistics) -> Self {
        let all = |of: fn(&BatchStatistics) -> f64, jvm: &[Calibration]| {
            jvm.iter().map(|measured| of(&part(measured))).collect::<Vec<_>>()
        };
        let each = |of: fn(&BatchStatistics) -> f64| {
            jvms.iter().filter_map(|jvm| mean(&all(of, jvm))).collect::<Vec<_>>()
        };
        let medians = each(|batches| batches.median);
        Self {
            mean: mean(&medians).unwrap_or(0.0),
            batches: mean(&each(|batches| batches.deviation)).unwrap_or(0.0),
            jvms: deviation(&medians),
        }
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The sample standard deviation; 0 for fewer than two values.
fn deviation(values: &[f64]) -> f64 {
    let (Some(mean), 2..) = (mean(values), values.len()) else { return 0.0 };
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (values.len() - 1) as f64)
        .sqrt()
}

/// For people.
pub(super) fn text(profile: &Profile, figures: &CalibrationSummary) -> String {
    let mut text = String::new();
    let machine = &profile.meta.machine;
    // Writing to a string cannot fail.
    if let Some(jvm) = profile.meta.jvms.first() {
        put_line!(text, "java      {} {} ({})", jvm.vm_name, jvm.vm_version, jvm.vendor);
        put_line!(
            text,
            "machine   {}, {} processors, {} {}",
            machine.cpu,
            machine.cpus,
            machine.os,
            machine.arch
        );
        put_line!(text, "clock     {}: {}", jvm.clock.name, jvm.clock.reason);
    }
    let jvms = profile.meta.jvms.len();
    let _ = writeln!(
        text,
        "measured  in {jvms} JVMs, each at its start and at its end; nanoseconds per call\n"
    );
    let heads = ["in it", "around it", "both", "at start", "at end", "± batches", "± JVMs"];
    let _ = write!(text, "{:<30}", "call");
    heads.iter().for_each(|head| text.push_str(&format!(" {head:>9}")));
    text.push('\n');
    for figure in &figures.kinds {
        let Figure { inner, outer, start, end, .. } = figure;
        let _ = write!(text, "{:<30}", figure.names().1);
        let timed = !matches!(figure.kind, CallKind::Count | CallKind::Off);
        let number = |value: f64| Some(format!("{value:.2}"));
        let cells = [
            timed.then(|| number(inner.mean)).flatten(),
            number(outer.mean),
            number(inner.mean + outer.mean),
            start.and_then(number),
            end.and_then(number),
            number(inner.batches.hypot(outer.batches)),
            number(inner.jvms.hypot(outer.jvms)),
        ];
        cells
            .iter()
            .for_each(|cell| text.push_str(&format!(" {:>9}", cell.as_deref().unwrap_or("-"))));
        text.push('\n');
    }
    text
}

/// For programs.
pub(super) fn json(profile: &Profile, figures: &CalibrationSummary) -> String {
    let machine = &profile.meta.machine;
    let spread = |spread: &Spread| {
        json!({
            "nanos": spread.mean,
            "batchDeviationNanos": spread.batches,
            "jvmDeviationNanos": spread.jvms,
        })
    };
    let kinds = figures.kinds.iter().map(|figure| {
        let Figure { inner, outer, start, end, .. } = figure;
        json!({
            "kind": figure.names().0,
            "inner": spread(inner),
            "outer": spread(outer),
            "startNanos": start,
            "endNanos": end,
        })
    });
    let value = json!({
        "format": "jfathom-calibration",
        "version": 1,
        "tool": profile.meta.tool,
        "java": profile.meta.jvms.first().map(java),
        "machine": { "os": machine.os, "arch": machine.arch, "cpu": machine.cpu, "cpus": machine.cpus },
        "jvms": profile.meta.jvms.len(),
        "calls": kinds.collect::<Vec<_>>(),
    });
    format!("{value:#}\n")
}

fn java(jvm: &Jvm) -> Value {
    json!({
        "version": jvm.java_version,
        "vm": jvm.vm_name,
        "vmVersion": jvm.vm_version,
        "vendor": jvm.vendor,
        "flags": jvm.flags,
        "clock": { "name": jvm.clock.name, "hz": jvm.clock.rate.hz(), "reason": jvm.clock.reason },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreads_are_kept_apart() {
        let of = |inner: &[f64]| {
            Calibration::of(Phase::Start, CallKind::Return, 100, inner, &[1.0, 1.0], &[1.0])
        };
        let spread = Spread::of(&[vec![of(&[9.0, 11.0])], vec![of(&[13.0, 13.0])]], |measured| {
            measured.inner
        });
        assert_eq!(spread.mean, 11.5);
        assert!((spread.batches - f64::sqrt(2.0) / 2.0).abs() < 1e-9);
        assert!((spread.jvms - f64::sqrt(4.5)).abs() < 1e-9);
        assert_eq!((deviation(&[]), deviation(&[1.0])), (0.0, 0.0));
    }
}
