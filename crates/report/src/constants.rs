//! Whose constants of residual overhead are used, and what a fit found.

use crate::number::duration;
use jfathom_calibration::{ConstantsOrigin, shipped_constants};
use jfathom_profile::{Constant, FittedConstants, Nanos, Profile};
use serde_json::{Value, json};
use std::{
    io::{self, Write},
    path::Path,
    time::Duration,
};

/// Whose constants the profile's times are corrected with, in a sentence.
pub(crate) fn sentence(profile: &Profile) -> String {
    match ConstantsOrigin::of_profile(profile) {
        ConstantsOrigin::Shipped(shipped) => format!(
            "constants as shipped, of {}: `jfathom calibrate --fit` fits this machine's",
            shipped.machine
        ),
        ConstantsOrigin::Fitted(fitted) => format!(
            "constants fitted on this machine to {} programs on {}",
            fitted.programs,
            date(fitted.taken_millis)
        ),
    }
}

/// The same for a program.
pub(crate) fn constants_json(profile: &Profile) -> Value {
    match ConstantsOrigin::of_profile(profile) {
        ConstantsOrigin::Shipped(shipped) => json!({
            "source": "shipped",
            "date": shipped.date,
            "machine": shipped.machine,
            "programs": null,
            "values": null,
        }),
        ConstantsOrigin::Fitted(fitted) => {
            let constant =
                |constant: Constant| json!({ "value": constant.value, "bar": constant.error });
            json!({
                "source": "fitted",
                "date": date(fitted.taken_millis),
                "machine": profile.meta.machine.cpu,
                "programs": fitted.programs,
                "values": {
                    "countedNanos": constant(fitted.counted),
                    "countRecordNanos": constant(fitted.count_record),
                    "demotedNanos": constant(fitted.demoted),
                    "inliningShare": constant(fitted.inlining),
                },
            })
        }
    }
}

/// Writes what a fit found, beside the shipped constants; `profile` is of one of its programs, and
/// `file` is where the constants are kept.
pub fn fit_text(
    profile: &Profile,
    fitted: &FittedConstants,
    took: Duration,
    file: &Path,
    out: &mut dyn Write,
) -> io::Result<()> {
    let machine = &profile.meta.machine;
    let Some(jvm) = profile.meta.jvms.first() else { return Ok(()) };
    write_line!(out, "java      {} {} ({})", jvm.vm_name, jvm.vm_version, jvm.vendor)?;
    write_line!(out, "machine   {}, {} processors", machine.cpu, machine.cpus)?;
    write_line!(out, "clock     {}: {}", jvm.clock.name, jvm.clock.reason)?;
    let took = duration(Nanos(u64::try_from(took.as_nanos()).unwrap_or(u64::MAX)));
    write_line!(
        out,
        "fitted    to {} programs in {}, each plain three times and recorded once",
        fitted.programs,
        took.trim()
    )?;
    writeln!(out, "\n{:<48}{:>14}{:>14}", "constant", "shipped", "here")?;
    for ((name, shipped), here) in
        NAMES.into_iter().zip(shipped_constants(profile)).zip(fitted.constants())
    {
        let text = |found: Constant| format!("{:.2} ± {:.2}", found.value, found.error);
        writeln!(out, "{name:<48}{:>14}{:>14}", text(shipped), text(here))?;
    }
    writeln!(out)?;
    write_line!(
        out,
        "kept in {}: recordings with this Java and clock use them from now on",
        file.display()
    )
}

/// The constants that are fitted, in their order.
const NAMES: [&str; 4] = [
    "counted call, ns",
    "COUNTED record, ns",
    "early call of a demoted method, ns",
    "self time lost with inlining, share",
];

/// The day of a time in ms since the Unix epoch, in UTC: year, month, day.
///
/// Years are counted from March, so that a leap day is the last of its year.
fn date(millis: u64) -> String {
    const DAYS_OF_ERA: u64 = 146_097;
    // Days since 1 March of the year 0.
    let days = millis / 86_400_000 + 719_468;
    let (era, day) = (days / DAYS_OF_ERA, days % DAYS_OF_ERA);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = match month {
        0..10 => (year, month + 3),
        _ => (year + 1, month - 9),
    };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_testkit::small_profile::fitted;

    #[test]
    fn days_have_dates() {
        for (days, text) in [
            (0, "1970-01-01"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_453, "2025-12-31"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date(days * 86_400_000 + 86_399_999), text);
        }
    }

    #[test]
    fn a_profile_says_whose_constants_it_has() {
        let mut profile = jfathom_testkit::small_profile::profile();
        assert!(sentence(&profile).starts_with("constants as shipped, of AMD EPYC"));
        assert_eq!(constants_json(&profile)["source"], "shipped");
        profile.meta.jvms.iter_mut().for_each(|jvm| jvm.constants = Some(fitted()));
        assert_eq!(
            sentence(&profile),
            "constants fitted on this machine to 27 programs on 2026-11-25"
        );
        let document = constants_json(&profile);
        assert_eq!((&document["source"], &document["programs"]), (&json!("fitted"), &json!(27)));
        assert_eq!(document["values"]["countRecordNanos"], json!({ "value": 12.0, "bar": 0.25 }));
    }

    #[test]
    fn a_fit_is_shown_beside_the_shipped_constants() {
        let mut text = Vec::new();
        let file = Path::new("/u/constants-1.json");
        let took = Duration::from_secs(95);
        fit_text(&jfathom_testkit::small_profile::profile(), &fitted(), took, file, &mut text)
            .unwrap();
        let text = String::from_utf8(text).unwrap();
        let row = text.lines().find(|line| line.starts_with("COUNTED record")).unwrap();
        assert!(row.contains("9.00 ± ") && row.ends_with("12.00 ± 0.25"), "{text}");
        assert!(text.contains("kept in /u/constants-1.json"), "{text}");
    }
}
