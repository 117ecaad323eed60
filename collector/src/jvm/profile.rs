//! The profile of a JVM that has ended.

use crate::{
    companion::CompanionError,
    drain::Drained,
    epoch::millis,
    finish::{self, Origin, ProfileInputs},
    manifests::JvmManifests,
    methods_file::LiveMethods,
    scheduling,
    slices::Cut,
    thread_events,
};
use jfathom_jfr::Recording;
use jfathom_profile::{Builder, Events, Profile, TickRate};
use jfathom_session::{JvmFile, Metrics};
use jfathom_trace::{Header, InfoEntry, offline::OfflineSession, overflow_of};
use std::{fs, io, time::SystemTime};

/// Makes the profile of a JVM, and writes it into the session directory in place of what it was
/// made of. So memory is free again long before the recording ends, and a collector that is killed
/// loses nothing of a JVM that has ended. `beside` is what JFR has recorded, if it was asked, for what.
pub(super) fn make_profile(
    drained: Drained,
    origin: Origin,
    manifests: &JvmManifests,
    live: Option<&LiveMethods>,
    (beside, metrics): (Option<Result<Recording, CompanionError>>, Metrics),
) -> Profile {
    let Drained { file, feeder, stopped, clock, counted, scheduling, cpu } = drained;
    let info = file.info();
    let began = feeder.builder().slice_start().map(|start| start.began_millis);
    let origin = match began {
        Some(began) => Origin {
            started_millis: began,
            duration_millis: millis(SystemTime::now()).saturating_sub(began),
            ..origin
        },
        None => origin,
    };
    // The header has a better rate of the clock at the JVM's end than at its start.
    let dead = OfflineSession::open(file.path()).ok().flatten();
    let facts = ProfileInputs {
        header: dead.as_ref().map_or(file.header(), OfflineSession::header),
        info: &info,
        counters: counted.counters,
        virtual_calls: &counted.virtual_calls,
        clean_end: file.ended(),
        stopped,
        goes_on: false,
        is_cut: file.is_cut(),
        live,
        clock,
    };
    let mut builder = feeder.into_builder();
    let rate = TickRate::new(facts.header.clock.hz).unwrap_or(TickRate::NANOS);
    let events = events(&mut builder, beside.as_ref(), rate, metrics);
    let mut profile = finish::profile(origin, &facts, manifests, builder);
    profile.events = events;
    scheduling::add_to(&mut profile, &scheduling);
    profile.cpu = cpu;
    if let Some(Err(error)) = beside {
        profile.meta.notices.push(format!("what JFR has recorded cannot be read: {error}"));
    }
    let path = file.path();
    let finished = JvmFile::Profile.beside(path);
    let saved = jfathom_files::replace(&finished, 0o600, |file| write_profile(&profile, file));
    if saved.is_ok() && !stopped {
        if let Some(overflow) = overflow_of(path) {
            let _ = fs::remove_file(overflow);
        }
        let _ = fs::remove_file(path);
        let _ = fs::remove_file(JvmFile::Checkpoint.beside(path));
        // The methods file stays with the directory: it is small, and shows what a live session
        // did.
    }
    profile
}

/// Puts what JFR told of threads into the calls of a builder.
fn events(
    builder: &mut Builder,
    beside: Option<&Result<Recording, CompanionError>>,
    rate: TickRate,
    metrics: Metrics,
) -> Events {
    if !metrics.waits && !metrics.exceptions {
        return Events::default();
    }
    let timeline = builder.take_timeline();
    match (beside, timeline) {
        (Some(Ok(recording)), Some(timeline)) => {
            thread_events::add_events(builder, &timeline, recording, rate, metrics)
        }
        _ => thread_events::refused(metrics),
    }
}

/// What the profile of a slice is made of.
#[derive(Debug)]
pub(crate) struct SliceParts {
    pub cut: Cut,
    pub header: Header,
    pub info: Vec<InfoEntry>,
    pub is_cut: bool,
    pub origin: Origin,
    pub manifests: JvmManifests,
    pub live: Option<LiveMethods>,
}

/// Makes the profile of a slice of a JVM that runs on.
pub(crate) fn slice_profile(parts: SliceParts) -> Profile {
    let SliceParts { cut, header, info, is_cut, origin, manifests, live } = parts;
    let Cut { builder, counted, scheduling, cpu, began, duration } = cut;
    let facts = ProfileInputs {
        header: &header,
        info: &info,
        counters: counted.counters,
        virtual_calls: &counted.virtual_calls,
        clean_end: false,
        stopped: false,
        goes_on: true,
        is_cut,
        live: live.as_ref(),
        clock: None,
    };
    let origin = Origin { started_millis: began, duration_millis: duration, ..origin };
    let mut profile = finish::profile(origin, &facts, &manifests, builder);
    scheduling::add_to(&mut profile, &scheduling);
    profile.cpu = cpu;
    profile
}

/// Writes a profile as a `.jfp` file.
pub(crate) fn write_profile(profile: &Profile, out: &mut dyn io::Write) -> io::Result<()> {
    profile.write(out).map_err(io::Error::from)
}
