//! What the calibration says about itself: which one was used, and how it differs from others.

use jfathom_calibration::{call_nanos, pace_nanos};
use jfathom_profile::{Jvm, Profile};
use std::io::{self, Write};

/// JVMs that are described one by one.
const SHOWN: usize = 3;
/// A cost that differs by less from the last good one, as a share of it, is not worth a sentence.
const NOTABLE: f64 = 0.3;

/// Writes a sentence for each JVM whose calibration is not used, or is far from the last good one.
pub(crate) fn write(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let sentences: Vec<String> = profile.meta.jvms.iter().filter_map(sentence).collect();
    for sentence in sentences.iter().take(SHOWN) {
        write_line!(out, "calibrated {sentence}")?;
    }
    if let more @ 1.. = sentences.len().saturating_sub(SHOWN) {
        write_line!(out, "          and the same for {more} more JVMs")?;
    }
    Ok(())
}

fn sentence(jvm: &Jvm) -> Option<String> {
    let known = jvm.known_calibration.as_ref()?;
    let known_nanos = call_nanos(&known.calibrations)?;
    let own = call_nanos(&jvm.calibrations);
    if known.is_used {
        let own = own.map_or("shows no cost".to_owned(), |nanos| {
            format!("does not agree with itself or with that ({nanos:.1} ns)")
        });
        return Some(format!(
            "with the last good costs of this machine and JVM, {known_nanos:.1} ns per timed call: \
             the calibration of pid {} {own}",
            jvm.pid
        ));
    }
    let own = own.filter(|own| (own / known_nanos - 1.0).abs() > NOTABLE)?;
    let pace = pace_nanos(&jvm.calibrations).zip(pace_nanos(&known.calibrations));
    let pace = pace.map_or(String::new(), |(own, known)| {
        format!("; code without probes takes {:.2} times as long", own / known)
    });
    Some(format!(
        "{own:.1} ns per timed call in pid {}, {known_nanos:.1} ns the time before on this machine{pace}",
        jvm.pid
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_profile::{Calibration, CallKind, KnownCalibration, Phase};
    use jfathom_testkit::small_profile as fixture;

    fn taken(inner: f64) -> Vec<Calibration> {
        vec![Calibration::from_batches(
            Phase::Start,
            CallKind::Return,
            9,
            &[inner; 9],
            &[1.0; 9],
            &[1.0],
        )]
    }

    fn text(known: f64, is_used: bool) -> String {
        let mut profile = fixture::profile();
        let jvm = &mut profile.meta.jvms[0];
        jvm.calibrations = taken(59.0);
        let calibrations = taken(known);
        jvm.known_calibration = Some(KnownCalibration { taken_millis: 1, calibrations, is_used });
        let mut out = Vec::new();
        write(&profile, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn only_what_matters_is_said() {
        assert!(text(19.0, true).contains("last good costs of this machine and JVM, 20.0 ns"));
        assert!(text(19.0, true).contains("with that (60.0 ns)"));
        assert!(text(19.0, false).contains("60.0 ns per timed call"));
        assert_eq!(text(58.0, false), "");
    }
}
