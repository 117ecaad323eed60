//! Several runs of one command as one profile: full runs, interleaved with roots-only runs, or
//! with those of another command.

mod directories;
mod schedule;
mod series;

use crate::{
    AnchorChoice, Error, Event, RecordingSummary, RunNumber, Side, SideOptions,
    program::{input::Input, signals::Signals},
    run::session_dir::SessionDir,
};
use directories::RunDirectories;
use schedule::schedule;
use series::{Next, Series, SeriesProfile, WrittenProfile};
use std::{
    hash::{BuildHasher, RandomState},
    num::NonZeroU64,
    time::SystemTime,
};

/// Runs the command as often as its options say, and writes one profile. The runs of two sides are
/// interleaved, the base first, and each side has a profile.
///
/// The first run that fails is the last. The profile has the runs before, or this run if there are
/// none. A signal that asks to end lets its run end, and no other follows. Two sides keep whole
/// rounds only, so that both have the same number of runs.
pub(crate) fn run(
    sides: &[SideOptions<'_>],
    events: &mut dyn FnMut(Event),
    signals: &mut Signals,
) -> Result<Vec<RecordingSummary>, Error> {
    let options = sides.first().ok_or(Error::NoCommand)?.options;
    let mut directories = RunDirectories::new(options)?;
    let input = Input::of_this_process();
    if input == Input::None {
        events(Event::Note(
            "standard input is a pipe, and what one run reads of it no other one has: each gets an \
             empty one; give it as a file (< FILE), which each reads from its beginning"
                .to_owned(),
        ));
    }
    let names = if sides.len() > 1 { [Some(Side::Base), Some(Side::New)] } else { [None; 2] };
    let mut all: Vec<Series> =
        sides.iter().zip(names).map(|(side, name)| Series::new(*side, name)).collect();
    let recorded = record_all(&mut all, input, events, signals, &mut directories);
    let interleaving_id = (all.len() > 1).then(|| {
        keep_whole_rounds(&mut all, events);
        new_interleaving_id()
    });
    let (written, result) =
        write_all(&mut all, interleaving_id, recorded, directories.last(), events);
    let result = match result {
        Ok(()) => {
            Ok(all.iter().zip(written).map(|(series, written)| series.summary(written)).collect())
        }
        Err(error) => {
            let written = written.into_iter().flatten();
            Err(written.fold(error, |error, written| with_kept(error, written, events)))
        }
    };
    directories.end(options, result.as_ref().err(), events);
    result
}

/// Makes all runs, or as many as go well.
fn record_all(
    all: &mut [Series<'_>],
    input: Input,
    events: &mut dyn FnMut(Event),
    signals: &mut Signals,
    directories: &mut RunDirectories,
) -> Result<(), Error> {
    let rounds = all.iter().map(|series| series.options.runs).max().unwrap_or(1).max(1);
    let anchors: Vec<bool> = all.iter().map(Series::is_anchored).collect();
    let runs = schedule(rounds, &anchors);
    for (index, scheduled) in runs.iter().enumerate() {
        let series = &mut all[scheduled.side];
        if scheduled.roots_only && !series.is_anchored() {
            continue;
        }
        let (number, of) = (index as u32 + 1, runs.len() as u32);
        let run = RunNumber { number, of, roots_only: scheduled.roots_only, side: series.side };
        events(Event::Run(run));
        input.rewind();
        if series.record(run, input, events, signals, directories.of_run(index)?)? == Next::End {
            break;
        }
    }
    Ok(())
}

/// Writes the profile of each series that has one, also after an error. Returns the last error.
fn write_all(
    all: &mut [Series<'_>],
    interleaving_id: Option<NonZeroU64>,
    recorded: Result<(), Error>,
    dir: &SessionDir,
    events: &mut dyn FnMut(Event),
) -> (Vec<Option<WrittenProfile>>, Result<(), Error>) {
    let mut result = recorded;
    // Runs that have done different work do not anchor each other.
    let same_work = !matches!(result, Err(Error::AnchorCalls { .. }));
    let mut written = Vec::new();
    for series in all {
        let SeriesProfile { profile, unanchored } = series.take_profile(same_work);
        if profile.is_none() && result.is_ok() && interleaving_id.is_none() {
            events(Event::Note("no run with all probes has ended: there is no profile".to_owned()));
        }
        let file = profile.map(|profile| series.write(profile, interleaving_id, dir)).transpose();
        written.push(match file {
            Ok(file) => file,
            Err(error) => {
                result = Err(error);
                None
            }
        });
        match (&result, unanchored) {
            (Ok(()), Some(what)) if series.options.anchor == AnchorChoice::Required => {
                result = Err(Error::Anchor { what, kept: None });
            }
            (_, Some(what)) => events(Event::Note(format!("no anchor: {what}"))),
            (_, None) => {}
        }
    }
    (written, result)
}

/// A number that only the two profiles of one interleaved series share.
fn new_interleaving_id() -> NonZeroU64 {
    NonZeroU64::new(RandomState::new().hash_one((SystemTime::now(), std::process::id())))
        .unwrap_or(NonZeroU64::MIN)
}

/// Leaves out the runs that one side has more than the other.
fn keep_whole_rounds(all: &mut [Series], events: &mut dyn FnMut(Event)) {
    let rounds = all.iter().map(Series::rounds).min().unwrap_or(0);
    let has_more = all.iter().any(|series| series.full_runs() > rounds);
    all.iter_mut().for_each(|series| series.truncate(rounds));
    if rounds == 0 {
        events(Event::Note(
            "no run of one side has one of the other beside it: there is no profile".to_owned(),
        ));
    } else if has_more {
        events(Event::Note(format!(
            "a run without one of the other side is left out: each has {rounds}"
        )));
    }
}

/// Adds to an error that a profile was written all the same.
fn with_kept(error: Error, written: WrittenProfile, events: &mut dyn FnMut(Event)) -> Error {
    let WrittenProfile { path, runs } = written;
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
