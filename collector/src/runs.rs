//! Several runs of one command as one profile: full runs, interleaved with roots-only runs, or
//! with those of another command.

use crate::{
    Error, Event, ManifestSource, RecordOptions, RecordingSummary, RunNumber, Side, SideOptions,
    anchor,
    input::Input,
    record,
    session_dir::SessionDir,
    signals::Signals,
    write::{self, Recorded},
};
use jfathom_compare::{into_series, merge};
use jfathom_profile::Profile;
use std::{
    hash::{BuildHasher, RandomState},
    num::NonZeroU64,
    path::PathBuf,
    time::{Duration, SystemTime},
};

/// Runs the command as often as `options` says, and writes one profile; two sides interleaved, the base
/// first, with one profile each.
///
/// The first run that fails ends it: the runs before are kept, or where there is none this one. So
/// does a signal that asks to end, after the run in which it came. Two sides keep whole rounds
/// only, so that both have as many runs.
pub(crate) fn run(
    sides: &[SideOptions<'_>],
    events: &mut dyn FnMut(Event),
    signals: &mut Signals,
) -> Result<Vec<RecordingSummary>, Error> {
    let options = sides.first().ok_or(Error::NoCommand)?.options;
    let mut places = Places::new(options)?;
    let input = Input::of_this_process();
    if input == Input::None {
        events(Event::Note(
            "standard input is a pipe, and what one run reads of it no other one has: each gets an empty one; give it as a file \
             (< FILE), which each reads from its beginning"
                .to_owned(),
        ));
    }
    let names = if sides.len() > 1 { [Some(Side::Base), Some(Side::New)] } else { [None; 2] };
    let mut all: Vec<Series> =
        sides.iter().zip(names).map(|(side, name)| Series::new(*side, name)).collect();
    let mut result = record_all(&mut all, input, events, signals, &mut places);
    let in_turn = (all.len() > 1).then(|| {
        whole_rounds(&mut all, events);
        new_id()
    });
    // Sides and runs that have done different work are not to be anchored by each other.
    let same_work = !matches!(result, Err(Error::AnchorCalls { .. }));
    let mut written = Vec::new();
    for series in &mut all {
        let (profile, unanchored) = series.profile(same_work);
        let mut of_side = None;
        if profile.is_none() && result.is_ok() && in_turn.is_none() {
            events(Event::Note("no run with all probes has ended: there is no profile".to_owned()));
        }
        if let Some(mut profile) = profile {
            profile.meta.interleaving_id = in_turn;
            let runs = profile.run_count() as u32;
            match write::write(
                &profile,
                series.options.output.clone(),
                true,
                places.last(),
                series.ended,
            ) {
                Ok(path) => of_side = Some((path, runs)),
                Err(error) => result = Err(error),
            }
        }
        if let (Ok(()), Some(what)) = (&result, unanchored) {
            result = Err(Error::Anchor { what: series.of_side(what), kept: None });
        }
        written.push(of_side);
    }
    let result = match result {
        Ok(()) => {
            Ok(all.iter().zip(written).map(|(series, written)| series.outcome(written)).collect())
        }
        Err(error) => {
            let written = written.into_iter().flatten();
            Err(written.fold(error, |error, (path, runs)| with_kept(error, path, runs, events)))
        }
    };
    places.end(options, result.as_ref().err(), events);
    result
}

/// What two profiles of one series share, and no others.
fn new_id() -> NonZeroU64 {
    NonZeroU64::new(RandomState::new().hash_one((SystemTime::now(), std::process::id())))
        .unwrap_or(NonZeroU64::MIN)
}

/// Leaves out what one side has more than the other.
fn whole_rounds(all: &mut [Series], events: &mut dyn FnMut(Event)) {
    let rounds = all.iter().map(Series::rounds).min().unwrap_or(0);
    let more = all.iter().any(|series| series.full.len() > rounds);
    for series in all.iter_mut() {
        series.full.truncate(rounds);
        series.roots_only.truncate(rounds);
    }
    if rounds == 0 {
        events(Event::Note(
            "no run of one side has one of the other beside it: there is no profile".to_owned(),
        ));
    } else if more {
        events(Event::Note(format!(
            "a run without one of the other side is left out: each has {rounds}"
        )));
    }
}

/// Tells that an error has left a profile behind.
fn with_kept(error: Error, path: PathBuf, runs: u32, events: &mut dyn FnMut(Event)) -> Error {
    match error {
        Error::AnchorCalls { what, kept: None } => Error::AnchorCalls { what, kept: Some(path) },
        Error::Anchor { what, kept: None } => Error::Anchor { what, kept: Some(path) },
        error => {
            let runs = if runs == 1 { "the run".to_owned() } else { format!("the {runs} runs") };
            events(Event::Note(format!("{} has {runs} before", path.display())));
            error
        }
    }
}

/// The session directories of the runs. They stay until the profile is written: a recorder that is
/// killed loses no run that has ended.
struct Places {
    /// The one that was asked for, with those of the runs in it.
    base: Option<SessionDir>,
    /// One for each run.
    runs: Vec<SessionDir>,
    first: SessionDir,
}

impl Places {
    fn new(options: &RecordOptions) -> Result<Self, Error> {
        let base =
            options.session_dir.as_deref().map(|path| SessionDir::make(Some(path))).transpose()?;
        let first = Self::make(base.as_ref(), 1)?;
        Ok(Self { base, runs: Vec::new(), first })
    }

    fn make(base: Option<&SessionDir>, number: usize) -> Result<SessionDir, Error> {
        let path = base.map(|base| base.path().join(format!("run-{number}")));
        SessionDir::make(path.as_deref())
    }

    /// The directory of the run with this number, from 0.
    fn of_run(&mut self, number: usize) -> Result<&SessionDir, Error> {
        if number > self.runs.len() {
            let dir = Self::make(self.base.as_ref(), number + 1)?;
            self.runs.push(dir);
        }
        Ok(self.last())
    }

    fn last(&self) -> &SessionDir {
        self.runs.last().unwrap_or(&self.first)
    }

    fn end(self, options: &RecordOptions, error: Option<&Error>, events: &mut dyn FnMut(Event)) {
        for dir in std::iter::once(self.first).chain(self.runs) {
            record::end_session(dir, options, error, events);
        }
        let kept =
            options.keep_session || matches!(error, Some(Error::Output { kept: Some(_), .. }));
        if let Some(base) = self.base.filter(|_| !kept) {
            base.remove();
        }
    }
}

/// What the runs give together.
#[derive(Default)]
struct Sums {
    jvms: usize,
    records: u64,
    elapsed: Duration,
}

/// One command's runs.
struct Series<'a> {
    options: &'a RecordOptions,
    source: &'a dyn ManifestSource,
    /// Which of two it is.
    side: Option<Side>,
    /// How the last run ended.
    ended: Option<crate::ExitReason>,
    full: Vec<Profile>,
    roots_only: Vec<Profile>,
    sums: Sums,
}

/// Makes all runs, or as many as go well.
fn record_all(
    all: &mut [Series<'_>],
    input: Input,
    events: &mut dyn FnMut(Event),
    signals: &mut Signals,
    places: &mut Places,
) -> Result<(), Error> {
    let runs = all.iter().map(|series| series.options.runs).max().unwrap_or(1).max(1);
    let anchors: Vec<bool> = all.iter().map(|series| series.options.anchor).collect();
    let steps = steps(runs, &anchors);
    for (place, step) in steps.iter().enumerate() {
        let series = &mut all[step.side];
        let (number, of) = (place as u32 + 1, steps.len() as u32);
        let run = RunNumber { number, of, roots_only: step.roots_only, side: series.side };
        events(Event::Run(run));
        input.rewind();
        if !series.record(run, input, events, signals, places.of_run(place)?)? {
            break;
        }
    }
    Ok(())
}

impl<'a> Series<'a> {
    fn new(of: SideOptions<'a>, side: Option<Side>) -> Self {
        let SideOptions { options, manifests } = of;
        let (full, roots_only, sums) = Default::default();
        Self { options, source: manifests, side, ended: None, full, roots_only, sums }
    }

    /// Makes one run; whether another one may follow.
    fn record(
        &mut self,
        run: RunNumber,
        input: Input,
        events: &mut dyn FnMut(Event),
        signals: &mut Signals,
        dir: &SessionDir,
    ) -> Result<bool, Error> {
        let RunNumber { number, of, roots_only: only_roots, .. } = run;
        let mut options = RecordOptions { no_input: input == Input::None, ..self.options.clone() };
        if only_roots {
            options = RecordOptions { roots_only: only_roots, demote: None, ..options };
        }
        let recorded = record::in_session(&options, self.source, events, signals, dir)?;
        let Recorded { exit, asked_to_end, profiles, jvms, records, elapsed } = recorded;
        self.ended = Some(exit);
        self.sums.elapsed += elapsed;
        let failed = exit.code() != 0;
        let name = match self.side {
            None => format!("run {number} of {of}"),
            Some(side) => format!("run {number} of {of}, {side},"),
        };
        if failed && (number > 1 || self.side.is_some()) {
            events(Event::Note(format!(
                "{name} failed ({exit}); it is left out, and it was the last"
            )));
            return Ok(false);
        }
        let Some(profile) = merge(profiles) else { return Ok(false) };
        if self.options.anchor && !failed {
            self.same_calls(&profile, number)?;
        }
        if only_roots {
            self.roots_only.push(profile)
        } else {
            self.sums.jvms += jvms;
            self.sums.records += records;
            self.full.push(profile)
        }
        if failed {
            events(Event::Note(format!("{name} failed ({exit}); it was the last")));
        } else if let Some(signal) = asked_to_end.filter(|_| number < of) {
            events(Event::Note(format!("{name} was the last: a signal has come that asks to end")));
            self.ended = Some(crate::ExitReason::Signal(signal));
        }
        Ok(!failed && asked_to_end.is_none())
    }

    /// How many runs it has, each with all that belongs to it.
    fn rounds(&self) -> usize {
        if self.options.anchor {
            self.full.len().min(self.roots_only.len())
        } else {
            self.full.len()
        }
    }

    /// What is said of it.
    fn of_side(&self, what: String) -> String {
        self.side.map_or(what.clone(), |side| format!("{side}: {what}"))
    }

    /// Holds that a run has called the roots as often as the one before.
    fn same_calls(&self, profile: &Profile, number: u32) -> Result<(), Error> {
        let Some(before) = self.roots_only.last().or(self.full.last()) else { return Ok(()) };
        match anchor::differing_calls(before, profile) {
            None => Ok(()),
            Some((root, then, now)) => Err(Error::AnchorCalls {
                what: self.of_side(format!(
                    "{root} was called {then} times in a run before and {now} times in run {number}"
                )),
                kept: None,
            }),
        }
    }

    /// The profile of the full runs, anchored where that was asked for; or why it is not.
    ///
    /// Roots-only runs are no anchor where the work was not the same.
    fn profile(&mut self, same_work: bool) -> (Option<Profile>, Option<String>) {
        let (full, plain) = (std::mem::take(&mut self.full), std::mem::take(&mut self.roots_only));
        let anchor = self.options.anchor && same_work && !full.is_empty() && !plain.is_empty();
        let Some(mut profile) = into_series(full) else { return (None, None) };
        match anchor.then(|| anchor::of(&plain, &profile)) {
            Some(Ok(anchor)) => profile.anchor = Some(anchor),
            Some(Err(what)) => return (Some(profile), Some(what)),
            None => {}
        }
        (Some(profile), None)
    }

    fn outcome(&self, written: Option<(PathBuf, u32)>) -> RecordingSummary {
        let (profiles, runs) = written.map_or((Vec::new(), 0), |(path, runs)| (vec![path], runs));
        let Sums { jvms, records, elapsed } = self.sums;
        RecordingSummary {
            exit: self.ended.unwrap_or(crate::ExitReason::Code(0)),
            runs,
            profiles,
            jvms,
            records,
            elapsed,
        }
    }
}

/// A run to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ScheduledRun {
    /// Whose: the place of the side.
    side: usize,
    roots_only: bool,
}

/// The runs in their order; `anchors` says of each side whether its runs have one with the roots
/// alone beside them.
///
/// Every second round is the one before in reverse, and in a round the second side's runs mirror
/// the first's: over two rounds what a machine does that gets evenly slower or faster it does to
/// each side and each kind alike, and the full runs of the two sides are neighbours.
fn steps(rounds: u32, anchors: &[bool]) -> Vec<ScheduledRun> {
    let of_side = |side: usize| {
        let mut runs: Vec<ScheduledRun> = vec![ScheduledRun { side, roots_only: false }];
        if anchors[side] {
            runs.insert(if side == 0 { 0 } else { 1 }, ScheduledRun { side, roots_only: true });
        }
        runs
    };
    let round: Vec<ScheduledRun> = (0..anchors.len()).flat_map(of_side).collect();
    let reverse: Vec<ScheduledRun> = round.iter().rev().copied().collect();
    (0..rounds).flat_map(|at| if at % 2 == 0 { round.clone() } else { reverse.clone() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The steps as letters: of base and new, small where the roots are alone.
    fn order(rounds: u32, anchors: &[bool]) -> String {
        let letter = |step: &ScheduledRun| match (step.side, step.roots_only) {
            (0, false) => 'B',
            (0, true) => 'b',
            (_, false) => 'N',
            (_, true) => 'n',
        };
        steps(rounds, anchors).iter().map(letter).collect()
    }

    #[test]
    fn the_kinds_and_sides_go_in_turn() {
        assert_eq!(order(2, &[false]), "BB");
        assert_eq!(order(3, &[true]), "bBBbbB");
        assert_eq!(order(3, &[false, false]), "BNNBBN");
        assert_eq!(order(3, &[true, true]), "bBNnnNBbbBNn");
        // Over two rounds each kind has the same mean place.
        for anchors in [[false, false], [true, true], [true, false]] {
            let steps = steps(2, &anchors);
            for step in &steps {
                let places: Vec<usize> =
                    (0..steps.len()).filter(|at| steps[*at] == *step).collect();
                assert_eq!((places.len(), places[0] + places[1]), (2, steps.len() - 1));
            }
        }
    }

    #[test]
    fn each_run_has_a_directory_of_its_own() {
        let temp = tempfile::tempdir().unwrap();
        let options =
            RecordOptions { session_dir: Some(temp.path().join("s")), ..RecordOptions::default() };
        let mut places = Places::new(&options).unwrap();
        let paths: Vec<PathBuf> =
            (0..3).map(|run| places.of_run(run).unwrap().path().to_owned()).collect();
        let expected = ["run-1", "run-2", "run-3"]
            .map(|name| temp.path().canonicalize().unwrap().join("s").join(name));
        assert_eq!(paths, expected);
        assert!(paths.iter().all(|path| path.is_dir()));
        places.end(&options, None, &mut |_| ());
        assert_eq!(std::fs::read_dir(temp.path()).unwrap().count(), 0);
    }
}
