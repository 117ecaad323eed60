//! Several runs of one command as one profile, alone or in turn with runs of the roots alone.

use crate::{
    Error, Event, ManifestSource, Outcome, RecordOptions, RunNumber, anchor, record,
    session_dir::SessionDir,
    signals::Signals,
    write::{self, Recorded},
};
use jfathom_profile::{Profile, collect_runs, merge};
use std::{path::PathBuf, time::Duration};

/// Runs the command as often as `options` says, and writes one profile.
///
/// The first run that fails ends it: the runs before are kept, or where there is none this one. So does a signal that asks
/// to end, after the run in which it came.
pub(crate) fn run(
    options: &RecordOptions,
    source: &dyn ManifestSource,
    events: &mut dyn FnMut(Event),
    signals: &mut Signals,
) -> Result<Outcome, Error> {
    let mut places = Places::new(options)?;
    let mut series = Series { options, ended: None, full: Vec::new(), plain: Vec::new(), sums: Sums::default() };
    let mut result = series.record(source, events, signals, &mut places);
    let (profile, unanchored) = series.profile(result.is_ok());
    let mut written = None;
    if let Some(profile) = profile {
        let runs = profile.run_count() as u32;
        match write::write(&profile, options.output.clone(), true, places.last()) {
            Ok(path) => written = Some((path, runs)),
            Err(error) => result = Err(error),
        }
    }
    if let (Ok(()), Some(what)) = (&result, unanchored) {
        result = Err(Error::Anchor { what, kept: None });
    }
    let result = match (result, written) {
        (Ok(()), written) => Ok(series.outcome(written)),
        (Err(error), Some((path, runs))) => Err(with_kept(error, path, runs, events)),
        (Err(error), None) => Err(error),
    };
    places.end(options, result.as_ref().err(), events);
    result
}

/// Tells that an error has left a profile behind.
fn with_kept(error: Error, path: PathBuf, runs: u32, events: &mut dyn FnMut(Event)) -> Error {
    match error {
        Error::AnchorCalls { what, .. } => Error::AnchorCalls { what, kept: Some(path) },
        Error::Anchor { what, .. } => Error::Anchor { what, kept: Some(path) },
        error => {
            let runs = if runs == 1 { "the run".to_owned() } else { format!("the {runs} runs") };
            events(Event::Note(format!("{} has {runs} before", path.display())));
            error
        }
    }
}

/// The session directories of the runs. They stay until the profile is written: a recorder that is killed loses no run
/// that has ended.
struct Places {
    /// The one that was asked for, with those of the runs in it.
    base: Option<SessionDir>,
    /// One for each run.
    runs: Vec<SessionDir>,
    first: SessionDir,
}

impl Places {
    fn new(options: &RecordOptions) -> Result<Self, Error> {
        let base = options.session_dir.as_deref().map(|path| SessionDir::make(Some(path))).transpose()?;
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
        let kept = options.keep_session || matches!(error, Some(Error::Output { kept: Some(_), .. }));
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

struct Series<'a> {
    options: &'a RecordOptions,
    /// How the last run ended.
    ended: Option<crate::Exit>,
    full: Vec<Profile>,
    plain: Vec<Profile>,
    sums: Sums,
}

impl Series<'_> {
    /// Makes all runs, or as many as go well.
    fn record(
        &mut self,
        source: &dyn ManifestSource,
        events: &mut dyn FnMut(Event),
        signals: &mut Signals,
        places: &mut Places,
    ) -> Result<(), Error> {
        let kinds = kinds(self.options.runs.max(1), self.options.anchor);
        for (place, only_roots) in kinds.iter().copied().enumerate() {
            let (number, of) = (place as u32 + 1, kinds.len() as u32);
            events(Event::Run(RunNumber { number, of, only_roots }));
            let options = match only_roots {
                true => RecordOptions { only_roots, demote: None, ..self.options.clone() },
                false => self.options.clone(),
            };
            let recorded = record::in_session(&options, source, events, signals, places.of_run(place)?)?;
            let Recorded { exit, asked_to_end, profiles, jvms, records, elapsed } = recorded;
            self.ended = Some(exit);
            self.sums.jvms += jvms;
            self.sums.records += records;
            self.sums.elapsed += elapsed;
            let failed = exit.code() != 0;
            if failed && number > 1 {
                events(Event::Note(format!(
                    "run {number} of {of} failed ({exit}); it is left out, and it was the last"
                )));
                break;
            }
            let Some(profile) = merge(profiles) else { break };
            if self.options.anchor && !failed {
                self.same_calls(&profile, number)?;
            }
            if only_roots {
                self.plain.push(profile)
            } else {
                self.full.push(profile)
            }
            if failed {
                events(Event::Note(format!("run {number} of {of} failed ({exit}); it was the last")));
                break;
            }
            if asked_to_end && number < of {
                events(Event::Note(format!("run {number} of {of} was the last: a signal has come that asks to end")));
                break;
            }
        }
        Ok(())
    }

    /// Holds that a run has called the roots as often as the one before.
    fn same_calls(&self, profile: &Profile, number: u32) -> Result<(), Error> {
        let Some(before) = self.plain.last().or(self.full.last()) else { return Ok(()) };
        match anchor::other_calls(before, profile) {
            None => Ok(()),
            Some((root, then, now)) => Err(Error::AnchorCalls {
                what: format!("{root} was called {then} times in a run before and {now} times in run {number}"),
                kept: None,
            }),
        }
    }

    /// The profile of the full runs, anchored where that was asked for; or why it is not.
    ///
    /// Runs with the roots alone are the profile where `instead` is true and there are no others.
    fn profile(&mut self, instead: bool) -> (Option<Profile>, Option<String>) {
        let (full, plain) = (std::mem::take(&mut self.full), std::mem::take(&mut self.plain));
        let anchor = self.options.anchor && !full.is_empty() && !plain.is_empty();
        let Some(mut profile) = collect_runs(if full.is_empty() && instead { plain.clone() } else { full }) else {
            return (None, None);
        };
        match anchor.then(|| anchor::of(&plain, &profile)) {
            Some(Ok(anchor)) => profile.anchor = Some(anchor),
            Some(Err(what)) => return (Some(profile), Some(what)),
            None => {}
        }
        (Some(profile), None)
    }

    fn outcome(&self, written: Option<(PathBuf, u32)>) -> Outcome {
        let (profiles, runs) = written.map_or((Vec::new(), 0), |(path, runs)| (vec![path], runs));
        let Sums { jvms, records, elapsed } = self.sums;
        Outcome { exit: self.ended.unwrap_or(crate::Exit::Code(0)), runs, profiles, jvms, records, elapsed }
    }
}

/// Which runs are made: whether each has the roots alone. With an anchor the two kinds go in turn, and so does which of
/// them is first: a machine that gets slower or faster does it to both alike.
fn kinds(runs: u32, anchor: bool) -> Vec<bool> {
    if !anchor {
        return vec![false; runs as usize];
    }
    (0..runs).flat_map(|pair| if pair % 2 == 0 { [true, false] } else { [false, true] }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_kinds_go_in_turn() {
        assert_eq!(kinds(2, false), [false, false]);
        assert_eq!(kinds(3, true), [true, false, false, true, true, false]);
    }

    #[test]
    fn each_run_has_a_directory_of_its_own() {
        let temp = tempfile::tempdir().unwrap();
        let options = RecordOptions { session_dir: Some(temp.path().join("s")), ..RecordOptions::default() };
        let mut places = Places::new(&options).unwrap();
        let paths: Vec<PathBuf> = (0..3).map(|run| places.of_run(run).unwrap().path().to_owned()).collect();
        let expected = ["run-1", "run-2", "run-3"].map(|name| temp.path().canonicalize().unwrap().join("s").join(name));
        assert_eq!(paths, expected);
        assert!(paths.iter().all(|path| path.is_dir()));
        places.end(&options, None, &mut |_| ());
        assert_eq!(std::fs::read_dir(temp.path()).unwrap().count(), 0);
    }
}
