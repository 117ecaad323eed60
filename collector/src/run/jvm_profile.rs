//! The profile of a JVM that has ended.

use crate::{
    agent_samples::add_agent_samples,
    drain::{
        consumer::Drained,
        finish::{self, Origin, ProfileInputs},
        manifests::JvmManifests,
        methods_file::LiveMethods,
        scheduling,
        slices::Cut,
    },
    epoch::millis,
    jfr::{
        companion::{CompanionError, end_with_session},
        stack_samples::{OpenCalls, stack_samples},
        stack_walks::stack_walks,
        thread_events,
        thrown::Thrown,
    },
    program::java_command::{JFR_OFF, jfr_flag},
};
use jfathom_jfr::Recording;
use jfathom_plan::ProbeRules;
use jfathom_profile::{
    Builder, Events, Jvm, Profile, SampleSource, SlowCallClocks, TickRate, Ticks, Timeline,
};
use jfathom_session::{JvmFile, Metrics};
use jfathom_trace::{Header, InfoEntry, ReadingMethods, offline::OfflineSession, overflow_of};
use std::{fs, io, time::SystemTime};

/// What JFR has recorded beside a session.
pub(crate) struct Beside {
    pub recording: Result<Recording, CompanionError>,
    /// Whether stacks were sampled.
    pub has_samples: bool,
    /// What was asked of threads.
    pub metrics: Metrics,
    /// The rules by which stacks were walked, if there are any.
    pub rules: ProbeRules,
}

impl Beside {
    /// Without what JFR has recorded after the session's end.
    fn until(mut self, end: Ticks) -> Self {
        if let Ok(recording) = &mut self.recording {
            end_with_session(recording, end);
        }
        self
    }

    /// The calls that were open at the samples.
    fn open_calls(
        &self,
        builder: &Builder,
        timeline: Option<&Timeline>,
        rate: TickRate,
    ) -> OpenCalls {
        match &self.recording {
            Ok(recording) if self.has_samples => OpenCalls::new(builder, timeline, recording, rate),
            _ => OpenCalls::default(),
        }
    }

    /// Puts what JFR told of threads into the calls of a builder.
    fn events(
        &self,
        builder: &mut Builder,
        timeline: Option<&Timeline>,
        rate: TickRate,
    ) -> (Events, Thrown) {
        let metrics = self.metrics;
        if !metrics.waits && !metrics.exceptions {
            return Default::default();
        }
        match (&self.recording, timeline) {
            (Ok(recording), Some(timeline)) => {
                thread_events::add_events(builder, timeline, recording, rate, metrics)
            }
            _ => (thread_events::refused(metrics), Thrown::default()),
        }
    }

    /// Gives a profile what was sampled and walked, and places exceptions by their frames.
    fn add_to(
        self,
        profile: &mut Profile,
        clocks: &SlowCallClocks,
        open: &OpenCalls,
        thrown: Thrown,
    ) {
        profile.stack_walks = stack_walks(profile, self.recording.as_ref().ok(), &self.rules);
        if let Ok(recording) = &self.recording {
            if recording.samples.unfinished_chunks > 0 {
                profile.meta.notices.push(UNFINISHED.to_owned());
            }
            thrown.place_by_frames(profile, recording);
            thread_events::add_to_slowest(profile, clocks, recording);
        }
        match self.recording {
            Ok(recording) if self.has_samples => {
                profile.stack_samples = stack_samples(profile, &recording, open, SampleSource::Jfr);
            }
            Ok(_) => {}
            Err(error) => {
                profile.meta.notices.push(match error {
                    CompanionError::NoFile if has_jfr_off(profile) => {
                        format!("JFR has recorded nothing: the JVM's flag {JFR_OFF} turns it off")
                    }
                    error => format!("what JFR has recorded cannot be read: {error}"),
                });
                if self.has_samples {
                    profile.stack_samples.source = SampleSource::Missing;
                }
            }
        }
    }
}

/// Whether the last flag for JFR of a recorded JVM turned it off. One that came by
/// `JAVA_TOOL_OPTIONS` did not, and there is a file then.
fn has_jfr_off(profile: &Profile) -> bool {
    let off = |jvm: &Jvm| jvm.flags.iter().rev().find_map(|flag| jfr_flag(flag)) == Some(false);
    profile.meta.jvms.iter().any(off)
}

/// What JFR has left of a file that it did not finish.
const UNFINISHED: &str = "JFR has not finished its file, as the JVM was killed, halted or runs on: \
                          waits, exceptions and samples since its last write may be missing (it \
                          writes each second)";

/// Makes the profile of a JVM, and writes it into the session directory in place of what it was
/// made of. So memory is free again long before the recording ends, and a collector that is killed
/// loses nothing of a JVM that has ended. `beside` is what JFR has
/// recorded, if it was asked.
pub(crate) fn make_profile(
    drained: Drained,
    origin: Origin,
    manifests: &JvmManifests,
    live: Option<&LiveMethods>,
    beside: Option<Beside>,
) -> Profile {
    let Drained { file, feeder, stopped, clock, counted, threads, scheduling, cpu } = drained;
    let info = file.info();
    let reading = file.reading();
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
        reading: reading.as_ref(),
        clean_end: file.ended(),
        stopped,
        goes_on: false,
        is_cut: file.is_cut(),
        live,
        clock,
    };
    let mut builder = feeder.into_builder();
    let rate = TickRate::new(facts.header.clock.hz).unwrap_or(TickRate::NANOS);
    let timeline = builder.take_timeline();
    let beside = beside.map(|beside| match facts.header.end_ticks {
        Some(end) => beside.until(Ticks(end)),
        None => beside,
    });
    let open = beside.as_ref().map(|beside| beside.open_calls(&builder, timeline.as_ref(), rate));
    let (events, thrown) = beside
        .as_ref()
        .map(|beside| beside.events(&mut builder, timeline.as_ref(), rate))
        .unwrap_or_default();
    drop(timeline);
    let clocks = builder.slow_call_clocks();
    let mut profile = finish::profile(origin, &facts, manifests, builder);
    profile.events = Events { caught: profile.events.caught, ..events };
    scheduling::add_to(&mut profile, &scheduling);
    profile.cpu = cpu;
    if let (Some(beside), Some(open)) = (beside, open) {
        beside.add_to(&mut profile, &clocks, &open, thrown);
    }
    let path = file.path();
    if began.is_none() {
        add_agent_samples(&mut profile, path, facts.header, &threads);
    }
    let finished = JvmFile::Profile.beside(path);
    let saved = jfathom_files::replace(&finished, 0o600, |file| write_profile(&profile, file));
    if saved.is_ok() && !stopped {
        if let Some(overflow) = overflow_of(path) {
            let _ = fs::remove_file(overflow);
        }
        let _ = fs::remove_file(path);
        let _ = fs::remove_file(JvmFile::Checkpoint.beside(path));
        let _ = fs::remove_file(JvmFile::Samples.beside(path));
        // The methods file stays with the directory: it is small, and shows what a live session
        // did.
    }
    profile
}

/// What the profile of a slice is made of.
#[derive(Debug)]
pub(crate) struct SliceParts {
    pub cut: Cut,
    pub header: Header,
    pub info: Vec<InfoEntry>,
    pub reading: Option<ReadingMethods>,
    pub is_cut: bool,
    pub origin: Origin,
    pub manifests: JvmManifests,
    pub live: Option<LiveMethods>,
}

/// Makes the profile of a slice of a JVM that runs on.
pub(crate) fn slice_profile(parts: SliceParts) -> Profile {
    let SliceParts { cut, header, info, reading, is_cut, origin, manifests, live } = parts;
    let Cut { builder, counted, scheduling, cpu, began, duration } = cut;
    let facts = ProfileInputs {
        header: &header,
        info: &info,
        counters: counted.counters,
        virtual_calls: &counted.virtual_calls,
        reading: reading.as_ref(),
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
