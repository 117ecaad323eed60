//! The table of recordings.

use crate::{
    cells::{Cells, Rows},
    key::{RunId, count, nanos},
    methods::by_key,
    schema::SCHEMA_VERSION,
    totals::totals,
};
use jfathom_calibration::Times;
use jfathom_profile::{Jvm, Profile};
use jfathom_views::{Shown, quality};
use std::{iter::once, ops::Range};

/// The one row of a profile.
pub(crate) struct RunRow<'a> {
    profile: &'a Profile,
    shown: &'a Shown<'a>,
}

impl<'a> RunRow<'a> {
    pub fn new(profile: &'a Profile, shown: &'a Shown<'a>) -> Self {
        Self { profile, shown }
    }

    /// What all JVMs say alike; none if they differ, or if there is none.
    fn of_jvms(&self, fact: impl Fn(&'a Jvm) -> &'a str) -> Cells {
        let mut facts = self.profile.meta.jvms.iter().map(fact);
        let first = facts.next();
        let common = first.filter(|first| facts.all(|other| other == *first));
        Cells::optional_texts(once(common))
    }
}

impl Rows for RunRow<'_> {
    fn len(&self) -> usize {
        1
    }

    fn columns(&self, _: Range<usize>) -> Vec<Cells> {
        let Self { profile, shown } = self;
        let meta = &profile.meta;
        let machine = &meta.machine;
        let text = |text: &str| Cells::texts(once(text));
        let int32 = |number: usize| Cells::int32s(once(i32::try_from(number).unwrap_or(i32::MAX)));
        let int64 = |number| Cells::int64s(once(count(number)));
        let labels = || meta.labels.iter();
        let sentences = quality::sentences(profile);
        let whole = shown
            .roots
            .iter()
            .fold(Times::default(), |sum, root| sum.plus(shown.times_or_measured(*root)));
        let sums = totals(profile, shown);
        let calls = sums.values().map(|sum| sum.calls).fold(0, u64::saturating_add);
        let bar = shown.is_corrected().then(|| nanos(whole.total_error_nanos));
        vec![
            Cells::int64s(once(RunId::of(profile).0)),
            Cells::int32s(once(SCHEMA_VERSION as i32)),
            int64(meta.started_millis),
            int64(meta.duration_millis),
            Cells::list(labels().map(|(key, _)| key)),
            Cells::list(labels().map(|(_, value)| value)),
            text(&meta.tool),
            text(&meta.command.join(" ")),
            text(&machine.os),
            text(&machine.arch),
            text(&machine.cpu),
            int32(machine.cpus as usize),
            int32(meta.jvms.len()),
            self.of_jvms(|jvm| &jvm.java_version),
            self.of_jvms(|jvm| &jvm.vm_name),
            self.of_jvms(|jvm| &jvm.vm_version),
            self.of_jvms(|jvm| &jvm.vendor),
            self.of_jvms(|jvm| &jvm.clock.name),
            Cells::bools(once(meta.jvms.iter().any(|jvm| jvm.roots_only))),
            int32(profile.run_count().max(1)),
            Cells::optional_int64s(once(meta.size.map(|size| count(size.get())))),
            Cells::bools(once(profile.quality.is_clean())),
            text(&sentences.join("; ")),
            Cells::bools(once(shown.is_corrected())),
            int64(profile.quality.records),
            int64(calls),
            Cells::int64s(once(nanos(whole.total_nanos))),
            Cells::optional_int64s(once(bar)),
            int32(by_key(profile).len()),
            int32(profile.threads.len()),
            int64(shown.tree.len() as u64),
        ]
    }
}
