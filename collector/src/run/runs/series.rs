//! The runs of one command.

use crate::{
    AnchorChoice, Budget, Error, Event, ExitReason, ManifestSource, RecordOptions,
    RecordingSummary, RunNumber, Side, SideOptions,
    program::{input::Input, signals::Signals},
    run::{anchor, recorded::Recorded, recording::record_session, session_dir::SessionDir, write},
};
use jfathom_compare::{into_series, merge};
use jfathom_profile::Profile;
use std::{num::NonZeroU64, path::PathBuf, time::Duration};

/// The runs of one command so far.
pub(super) struct Series<'a> {
    pub(super) options: &'a RecordOptions,
    source: &'a dyn ManifestSource,
    /// None if the runs of one command are recorded alone.
    pub(super) side: Option<Side>,
    /// How the first run ended. The others must end in the same way.
    first: Option<ExitReason>,
    /// How the last run ended.
    ended: Option<ExitReason>,
    full: Vec<Profile>,
    roots_only: Vec<Profile>,
    /// The runs do different work, and the recording goes on without an anchor.
    differing: bool,
    sums: Sums,
}

/// Sums over the full runs; the time is that of all runs.
#[derive(Default)]
struct Sums {
    jvms: usize,
    records: u64,
    elapsed: Duration,
}

/// Whether another run may follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Run,
    End,
}

pub(super) struct SeriesProfile {
    /// None if no full run has ended well.
    pub(super) profile: Option<Profile>,
    /// Why the profile has no anchor although one was asked for.
    pub(super) unanchored: Option<String>,
}

/// A profile that was written.
pub(super) struct WrittenProfile {
    pub(super) path: PathBuf,
    /// The full runs in it.
    pub(super) runs: u32,
}

impl<'a> Series<'a> {
    pub(super) fn new(of: SideOptions<'a>, side: Option<Side>) -> Self {
        let SideOptions { options, manifests } = of;
        let (full, roots_only, sums) = Default::default();
        let (first, ended, differing) = (None, None, false);
        Self { options, source: manifests, side, first, ended, full, roots_only, differing, sums }
    }

    /// Whether each run is to be paired with a roots-only run.
    pub(super) fn is_anchored(&self) -> bool {
        self.options.anchor != AnchorChoice::Never && !self.differing
    }

    /// Makes one run.
    ///
    /// # Errors
    /// Fails if the run has no profile, or if it called the roots differently from the run before
    /// and one is to anchor the other.
    pub(super) fn record(
        &mut self,
        run: RunNumber,
        input: Input,
        events: &mut dyn FnMut(Event),
        signals: &mut Signals,
        dir: &SessionDir,
    ) -> Result<Next, Error> {
        let RunNumber { number, of, roots_only, .. } = run;
        let mut options = RecordOptions { no_input: input == Input::None, ..self.options.clone() };
        if roots_only {
            options = RecordOptions { roots_only, budget: Budget::Unlimited, ..options };
        }
        let recorded = record_session(&options, self.source, events, signals, dir)?;
        let Recorded { exit, asked_to_end, profiles, jvms, records, elapsed, .. } = recorded;
        self.ended = Some(exit);
        self.sums.elapsed += elapsed;
        let failed = self.failure(exit, asked_to_end);
        let name = match self.side {
            None => format!("run {number} of {of}"),
            Some(side) => format!("run {number} of {of}, {side},"),
        };
        if let Some(why) = failed.as_ref().filter(|_| number > 1 || self.side.is_some()) {
            events(Event::Note(format!("{name} is left out, and it was the last: {why}")));
            return Ok(Next::End);
        }
        let Some(profile) = merge(profiles) else { return Ok(Next::End) };
        if self.is_anchored() && failed.is_none() {
            match (self.check_calls(&profile, number), self.options.anchor) {
                (Err(Error::AnchorCalls { what, .. }), AnchorChoice::IfComparable) => {
                    self.differing = true;
                    events(Event::Note(format!(
                        "no anchor, because the runs do different work: {what}"
                    )));
                }
                (checked, _) => checked?,
            }
        }
        if roots_only {
            self.roots_only.push(profile);
        } else {
            self.sums.jvms += jvms;
            self.sums.records += records;
            self.full.push(profile);
        }
        if let Some(why) = &failed {
            events(Event::Note(format!("{name} was the last: {why}")));
        } else if let Some(signal) = asked_to_end.filter(|_| number < of) {
            events(Event::Note(format!("{name} was the last: a signal has come that asks to end")));
            self.ended = Some(ExitReason::Signal(signal));
        } else if self.first.is_none() && exit.code() != 0 && number < of {
            events(Event::Note(format!("{exit}: the series goes on while each run does so")));
        }
        self.first.get_or_insert(exit);
        Ok(if failed.is_some() || asked_to_end.is_some() { Next::End } else { Next::Run })
    }

    /// Why a run does not count, if it does not: a signal ended it, or it ended otherwise than the
    /// first one.
    fn failure(&self, exit: ExitReason, asked_to_end: Option<u8>) -> Option<String> {
        match (self.first, exit) {
            (_, ExitReason::Signal(_)) => Some(exit.to_string()),
            (Some(first), _) if exit.code() != first.code() => {
                Some(format!("{exit}, and with code {} in the runs before", first.code()))
            }
            // Its code may be the signal's, and no run before shows which code is usual.
            (None, ExitReason::Code(1..)) if asked_to_end.is_some() => Some(exit.to_string()),
            _ => None,
        }
    }

    /// Checks that a run has called the roots as often as the one before.
    fn check_calls(&self, profile: &Profile, number: u32) -> Result<(), Error> {
        let Some(before) = self.roots_only.last().or(self.full.last()) else { return Ok(()) };
        match anchor::differing_calls(before, profile) {
            None => Ok(()),
            Some((root, then, now)) => Err(Error::AnchorCalls {
                what: self.with_side(format!(
                    "{root} was called {then} times in a run before and {now} times in run {number}"
                )),
                kept: None,
            }),
        }
    }

    /// The number of full runs.
    pub(super) fn full_runs(&self) -> usize {
        self.full.len()
    }

    /// The number of whole rounds: full runs, each with its roots-only run if it is to have one.
    pub(super) fn rounds(&self) -> usize {
        if self.is_anchored() {
            self.full.len().min(self.roots_only.len())
        } else {
            self.full.len()
        }
    }

    /// Leaves out the runs after this many rounds.
    pub(super) fn truncate(&mut self, rounds: usize) {
        self.full.truncate(rounds);
        self.roots_only.truncate(rounds);
    }

    /// A sentence, with the side in front if there are two.
    fn with_side(&self, sentence: String) -> String {
        match self.side {
            None => sentence,
            Some(side) => format!("{side}: {sentence}"),
        }
    }

    /// Takes the profile of the full runs. It is anchored if that was asked for and the runs have
    /// done the same work.
    pub(super) fn take_profile(&mut self, same_work: bool) -> SeriesProfile {
        let full = std::mem::take(&mut self.full);
        let roots_only = std::mem::take(&mut self.roots_only);
        let is_anchored =
            self.is_anchored() && same_work && !full.is_empty() && !roots_only.is_empty();
        let mut unanchored = None;
        let profile = into_series(full).map(|mut profile| {
            match is_anchored.then(|| anchor::from_runs(&roots_only, &profile)) {
                Some(Ok(anchor)) => profile.anchor = Some(anchor),
                Some(Err(what)) => unanchored = Some(self.with_side(what.to_string())),
                None => {}
            }
            profile
        });
        SeriesProfile { profile, unanchored }
    }

    /// Summary of the series for the user.
    pub(super) fn summary(&self, written: Option<WrittenProfile>) -> RecordingSummary {
        let (profiles, runs) =
            written.map_or((Vec::new(), 0), |written| (vec![written.path], written.runs));
        let Sums { jvms, records, elapsed } = self.sums;
        RecordingSummary {
            exit: self.ended.unwrap_or(ExitReason::Code(0)),
            runs,
            profiles,
            jvms,
            records,
            elapsed,
        }
    }

    /// Writes the profile of the series. If it cannot be written, what it was made of stays in
    /// `dir`.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub(super) fn write(
        &self,
        mut profile: Profile,
        interleaving_id: Option<NonZeroU64>,
        dir: &SessionDir,
    ) -> Result<WrittenProfile, Error> {
        profile.meta.interleaving_id = interleaving_id;
        let runs = profile.run_count() as u32;
        let RecordOptions { output, force, .. } = self.options;
        let path = write::write(&profile, output.clone(), *force, dir, self.ended)?;
        Ok(WrittenProfile { path, runs })
    }
}
