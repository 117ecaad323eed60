//! Sampled frames: in a sentence, and as rows of a tree.

use crate::{
    chain::chain_label,
    number::{counted, grouped, signed},
};
use jfathom_profile::{Profile, SampleCounts, SampleIx, SampleSource};
use jfathom_views::{SampledShare, ShownSamples};
use std::io::{self, Write};

/// The title of the column.
pub(crate) const TITLE: &str = "samples";

/// What the rows of sampled frames say.
pub(crate) const LEGEND: &str = "~ a frame without a probe, sampled: its part of the samples in the recorded method above it, \
                                 and what so few samples leave open";

/// Before the name of a sampled frame.
const MARK: &str = "~ ";

/// Samples as a cell: of running threads, and of those in native methods.
pub(crate) fn cell(counts: SampleCounts) -> String {
    match (counts.running, counts.native) {
        (0, 0) => String::new(),
        (running, 0) => grouped(running),
        (running, native) => format!("{} + {} native", grouped(running), grouped(native)),
    }
}

/// Sampled frames that follow each other without a fork, as one row.
#[derive(Clone, Debug)]
pub(crate) struct SampledRow {
    pub first: SampleIx,
    pub last: SampleIx,
    names: Vec<String>,
    share: Option<SampledShare>,
}

impl SampledRow {
    /// The row that begins with a frame; of one frame if chains are not folded. `within`: the
    /// samples in the recorded method above it.
    pub(crate) fn from(
        samples: &ShownSamples,
        first: SampleIx,
        within: SampleCounts,
        is_folded: bool,
    ) -> Self {
        let mut row = Self { first, last: first, names: vec![samples.name(first)], share: None };
        let counts = samples.sampled(first);
        while let [only] = &*samples.callees(row.last)
            && is_folded
            && samples.sampled(*only) == counts
        {
            row.last = *only;
            row.names.push(samples.name(*only));
        }
        if counts.running > 0 {
            row.share = Some(SampledShare::new(counts.running, within.running));
        }
        row
    }

    pub(crate) fn label(&self, width: Option<usize>) -> String {
        let share = match self.share {
            Some(SampledShare { share, error }) => {
                format!("  {:.0} ± {:.0} %", share * 100.0, (error * 100.0).max(1.0))
            }
            None => String::new(),
        };
        let taken = MARK.len() + share.chars().count();
        let name = chain_label(&self.names, width.map(|width| width.saturating_sub(taken)));
        format!("{MARK}{name}{share}")
    }
}

/// Whether a sampled frame has so small a part of all samples that it is not shown.
pub(crate) fn is_small(samples: &ShownSamples, of: SampleIx, threshold: f64) -> bool {
    let [own, all] = [samples.sampled(of), samples.all()].map(SampleCounts::all);
    (own as f64) * 100.0 < threshold * all as f64
}

/// Writes how many samples there are, if they were asked for, and how far they agree.
pub(crate) fn write(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let samples = &profile.stack_samples;
    let lacks = match samples.source {
        SampleSource::Unasked => return Ok(()),
        SampleSource::Missing => {
            return writeln!(
                out,
                "samples   none: calls that were only counted have no times of their own"
            );
        }
        SampleSource::Pending => {
            return writeln!(out, "samples   told when the recording ends");
        }
        SampleSource::Jfr | SampleSource::Agent => "",
        SampleSource::Some => "; some JVMs have left none",
        SampleSource::Partly => "; not all that was added up has samples",
    };
    let placed = samples.placed();
    write!(out, "samples   {}", counted(placed.running, "stack", "stacks"))?;
    if samples.period_nanos > 0 {
        write!(out, " of running threads, every {}", signed(samples.period_nanos as f64).trim())?;
    }
    if placed.native > 0 {
        write!(out, ", and {} in native methods, perhaps to wait", grouped(placed.native))?;
    }
    if placed.probes > 0 {
        write!(out, ", and {} in probes", grouped(placed.probes))?;
    }
    let agreement = samples.agreement;
    let compared = agreement.compared();
    if compared > 0 {
        let share = |part: u64| part as f64 * 100.0 / compared as f64;
        let known = match placed.all() > compared {
            true => format!(" (known of {})", grouped(compared)),
            false => String::new(),
        };
        write!(
            out,
            "; with the calls open at their time{known} agree {:.1} %, {:.1} % but for calls below {}, not \
             {:.1} %",
            share(agreement.agree),
            share(agreement.short),
            signed(agreement.resolution_nanos as f64).trim(),
            share(agreement.disagree)
        )?;
    } else if placed.all() > 0 && samples.source != SampleSource::Agent {
        write!(out, "; not held against the open calls: the recording lacks the session's clock")?;
    }
    let elsewhere = samples.elsewhere;
    for (count, what) in [
        (elsewhere.in_runtime.all(), "in jfathom's own code, outside of recorded calls"),
        (elsewhere.truncated.all(), "without their outer frames"),
        (elsewhere.off_path, "on call paths that were not recorded"),
        (elsewhere.cut, "without their innermost frames, which were too many"),
    ] {
        if count > 0 {
            write!(out, "; {} {what}", grouped(count))?;
        }
    }
    if elsewhere.thrown_away {
        write!(out, "; the oldest were thrown away")?;
    }
    writeln!(out, "{lacks}")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{Section, View};
    use jfathom_profile::{
        Frame, MethodIx, SampleAgreement, SampleFrame, SampleTreeBuilder, SampledName, StackSamples,
    };
    use jfathom_testkit::small_profile;

    fn profile() -> Profile {
        sampled(small_profile::profile())
    }

    /// A profile with samples in the first method of its first thread: 60 its own, 30 in
    /// `sort › merge` and ten in a native `read`.
    pub(crate) fn sampled(mut profile: Profile) -> Profile {
        let tree = &profile.tree;
        let root = tree.roots().next().unwrap();
        let method = tree.children(root).next().unwrap();
        let frames = [tree.frame(root), tree.frame(method)].map(SampleFrame::Recorded);
        assert!(matches!(tree.frame(method), Frame::Method(MethodIx(_))));
        let mut builder = SampleTreeBuilder::default();
        let [sort, merge, read] = ["sort", "merge", "read"].map(|name| {
            let (class, name) = ("java/util/Sorter".to_owned(), name.to_owned());
            SampleFrame::Sampled(builder.name(&SampledName { class, name }))
        });
        let running = |running| SampleCounts { running, ..SampleCounts::default() };
        builder.add(frames, running(60));
        builder.add(frames.into_iter().chain([sort, merge]), running(30));
        let native = SampleCounts { running: 0, native: 10, probes: 0 };
        builder.add(frames.into_iter().chain([read]), native);
        let (names, tree) = builder.finish();
        let agreement =
            SampleAgreement { agree: 95, short: 4, disagree: 1, resolution_nanos: 2_000 };
        let source = SampleSource::Jfr;
        profile.stack_samples = StackSamples {
            source,
            period_nanos: 10_000_000,
            names,
            tree,
            agreement,
            ..StackSamples::default()
        };
        profile
    }

    fn text(profile: &Profile, sections: &[Section], view: &View) -> String {
        let mut out = Vec::new();
        crate::text(profile, sections, view, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn sampled_frames_stand_below_the_recorded_one() {
        let folded = View { fold_chains: true, ..View::default() };
        let tree = text(&profile(), &[Section::Tree], &folded);
        assert!(tree.contains("90 + 10 native"), "{tree}");
        assert!(tree.contains("~ java.util.Sorter::sort › merge  33 ± 10 %"), "{tree}");
        assert!(tree.lines().any(|line| line.ends_with("~ java.util.Sorter::read")), "{tree}");
        let each = text(&profile(), &[Section::Tree], &View::default());
        assert!(each.contains("~ java.util.Sorter::merge  33 ± 10 %"), "{each}");
        let few = View { threshold: 20.0, ..View::default() };
        let few = text(&profile(), &[Section::Tree], &few);
        assert!(few.contains("Sorter::sort") && !few.contains("Sorter::read"), "{few}");
        let without = text(&small_profile::profile(), &[Section::Tree], &View::default());
        assert!(!without.contains(TITLE), "{without}");
    }

    #[test]
    fn what_they_are_worth_is_said() {
        let sentence = |profile: &Profile| {
            let mut out = Vec::new();
            write(profile, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(sentence(&small_profile::profile()), "");
        let said = sentence(&profile());
        let expected = "samples   90 stacks of running threads, every 10.00 ms, and 10 in native methods, \
                        perhaps to wait; with the calls open at their time agree 95.0 %, 4.0 % but for calls \
                        below 2.000 µs, not 1.0 %\n";
        assert_eq!(said, expected);
        let mut missing = profile();
        missing.stack_samples.source = SampleSource::Missing;
        assert!(sentence(&missing).contains("none"));
    }
}
