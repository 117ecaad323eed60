//! Whose constants of residual overhead are used, and what a fit found.

use crate::number::duration;
use jfathom_calibration::{ConstantsOrigin, shipped_constants};
use jfathom_profile::{Constant, FittedConstants, Nanos, Profile};
use jfathom_views::date;
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

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_testkit::small_profile::fitted;

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
