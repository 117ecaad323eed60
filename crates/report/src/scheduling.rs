//! What the kernel's scheduler did with the threads, in a sentence.

use crate::number::{counted, duration};
use jfathom_profile::{Nanos, Profile, Scheduling};
use std::io::{self, Write};

/// Run-queue delay below this share of the time in which threads could run needs no sentence.
const NOTABLE: f64 = 0.01;

/// Writes how long threads waited for a processor, if it matters. Returns whether it is known.
pub(crate) fn write(profile: &Profile, out: &mut dyn Write) -> io::Result<bool> {
    let all = profile.threads.iter().map(|thread| thread.scheduling);
    let Some(all) = all.fold(None, Scheduling::sum) else { return Ok(false) };
    if all.queued_share() < NOTABLE {
        return Ok(true);
    }
    write_line!(
        out,
        "queued    threads waited {} for a processor, {:.0} % of the time in which they could have \
         run, and had to leave one {}; the times contain half of it, and the error bars the other half",
        duration(Nanos(all.queued_nanos)).trim(),
        all.queued_share() * 100.0,
        counted(all.involuntary_switches, "time", "times")
    )?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_testkit::small_profile as fixture;

    #[test]
    fn a_delay_that_matters_is_said() {
        let mut profile = fixture::profile();
        let mut text = |queued_nanos| {
            profile.threads[0].scheduling = Some(Scheduling {
                observed_nanos: 2_000_000_000,
                ran_nanos: 900_000_000,
                queued_nanos,
                involuntary_switches: 31,
            });
            let mut out = Vec::new();
            write(&profile, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let said = text(100_000_000);
        assert!(
            said.contains("100") && said.contains("10 %") && said.contains("31 times"),
            "{said}"
        );
        assert_eq!(text(1_000_000), "");
    }
}
