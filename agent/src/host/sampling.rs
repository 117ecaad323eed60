//! When a session's threads are sampled, and what samples become.

use crate::classes::names::without_hidden_suffix;
use crate::ffi::sampling::{self, SamplingError};
use crate::ffi::{Event, Jni, JvmtiError, Method};
use crate::live::sampling::{PERIOD, Sampler, SamplesWriter, Sampling};
use crate::live::session::Session;
use crate::lock::lock;
use classfile_writer::mutf8;
use jfathom_session::{
    LostSamples, SAMPLING_DELAY, SampleEntry, SampledMethodLine, SamplesFileLine, SamplingBegin,
};
use std::io;
use std::time::Instant;

/// How many frames of each thread's stack are listed as sampling begins, innermost first.
const STACK_DEPTH: i32 = 1024;

/// Why no samples come, or no more.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Sampling(#[from] SamplingError),
    #[error("the JVM gives no events: {0}")]
    Events(JvmtiError),
    #[error("the JVM does not list its classes: {0}")]
    Classes(JvmtiError),
    #[error("the session's clock cannot be read")]
    Clock,
    #[error("the threads get no timers: {0}")]
    Timers(io::Error),
}

/// Begins to sample when it is time, and writes the samples so far. Called by the agent's thread
/// in each of its rounds.
pub fn poll(session: &Session, jni: Jni<'_>) {
    if !session.options.samples {
        return;
    }
    let mut sampling = lock(&session.sampling);
    match &mut *sampling {
        // Who ends the session takes the last samples.
        _ if !session.is_running() => {}
        Sampling::NoRoot if session.has_live_root() => *sampling = Sampling::Root(Instant::now()),
        Sampling::Root(at) if at.elapsed() >= SAMPLING_DELAY => *sampling = begin(session, jni),
        Sampling::On(sampler) => {
            if let Err(reason) = round(session, jni, sampler) {
                finish(session, jni, sampler, Some(reason));
                *sampling = Sampling::Over;
            }
        }
        Sampling::NoRoot | Sampling::Root(_) | Sampling::Over => {}
    }
}

/// Writes the last samples. None come afterwards.
pub fn end(session: &Session, jni: Jni<'_>) {
    let mut sampling = lock(&session.sampling);
    if let Sampling::On(mut sampler) = std::mem::replace(&mut *sampling, Sampling::Over) {
        finish(session, jni, &mut sampler, None);
    }
}

fn begin(session: &Session, jni: Jni<'_>) -> Sampling {
    let file = match session.paths.create_samples() {
        Ok(file) => file,
        Err(error) => {
            session.add_note(format!("no stacks are sampled: {error}"));
            return Sampling::Over;
        }
    };
    let mut sampler = Box::new(Sampler::new(SamplesWriter::new(file)));
    let begun = open(session, jni, &mut sampler).map_err(|failure| failure.to_string());
    let written = begun.and_then(|line| {
        sampler.writer.write(&[SamplesFileLine::Begin(line)]).map_err(|error| error.to_string())
    });
    match written {
        Ok(()) => Sampling::On(sampler),
        Err(reason) => {
            close(session, &mut sampler);
            sampler.writer.end(reason);
            Sampling::Over
        }
    }
}

fn open(session: &Session, jni: Jni<'_>, sampler: &mut Sampler) -> Result<SamplingBegin, Failure> {
    let jvmti = session.jvmti;
    let clock = session.file.clock().ok_or(Failure::Clock)?;
    sampling::prepare()?;
    jvmti.set_event(Event::ClassLoad, true).map_err(Failure::Events)?;
    // Before the JVM lists its classes: one that is prepared meanwhile gets its ids twice, which
    // does no harm.
    session.set_needs_method_ids(true);
    jvmti
        .for_each_loaded_class(jni, |_, class| jvmti.make_method_ids(class))
        .map_err(Failure::Classes)?;
    // Methods that run on as they were before their class was retransformed are not among its
    // methods: they get their ids as JVMTI lists the stacks.
    let _ = jvmti.for_each_frame(jni, STACK_DEPTH, |_| {});
    sampling::open(clock);
    let at = clock.now().ok_or(Failure::Clock)?;
    match sampler.timers.arm(own_thread()) {
        Err(error) if !sampler.timers.has_any() => return Err(Failure::Timers(error)),
        // The next round tries again.
        _ => {}
    }
    let period_nanos = u64::try_from(PERIOD.as_nanos()).unwrap_or(u64::MAX);
    Ok(SamplingBegin { at, period_nanos })
}

/// Writes the samples so far. An error says why there will be no more.
fn round(session: &Session, jni: Jni<'_>, sampler: &mut Sampler) -> Result<(), String> {
    if !sampling::has_signal() {
        return Err(SamplingError::SignalTaken.to_string());
    }
    for thread in sampling::unknown_threads() {
        sampler.timers.rest(thread);
    }
    // Threads without a timer are tried again in the next round.
    let _ = sampler.timers.arm(own_thread());
    write(session, jni, sampler)
}

fn write(session: &Session, jni: Jni<'_>, sampler: &mut Sampler) -> Result<(), String> {
    let (mut lines, mut samples) = (Vec::new(), Vec::<SampleEntry>::new());
    let mut has_room = true;
    sampling::drain(|sample| {
        let stack =
            sampler.stacks.number(sample.methods(), sample.is_truncated(), &mut lines, |method| {
                describe(session, jni, method)
            });
        match stack {
            Some(stack) => samples.push((sample.time, sample.thread, stack)),
            None => has_room = false,
        }
    });
    if !samples.is_empty() {
        lines.push(SamplesFileLine::Samples(samples));
    }
    let (unwalkable, no_space) = sampling::lost();
    let lost = LostSamples { unwalkable, no_space };
    if lost != sampler.lost {
        sampler.lost = lost;
        lines.push(SamplesFileLine::Lost(lost));
    }
    if !lines.is_empty() {
        sampler.writer.write(&lines).map_err(|error| error.to_string())?;
    }
    match has_room {
        true => Ok(()),
        false => Err("the program has more different stacks than are kept".to_owned()),
    }
}

/// Writes the last samples, and why there are no more if that is not the session's end.
fn finish(session: &Session, jni: Jni<'_>, sampler: &mut Sampler, reason: Option<String>) {
    close(session, sampler);
    let written = write(session, jni, sampler);
    if let Some(reason) = reason.or(written.err()) {
        sampler.writer.end(reason);
    }
    sampling::release_memory();
}

fn close(session: &Session, sampler: &mut Sampler) {
    sampler.timers.clear();
    sampling::close();
    session.set_needs_method_ids(false);
    let _ = session.jvmti.set_event(Event::ClassLoad, false);
}

/// The line of a method: empty texts if it has no id or its class is unloaded.
fn describe(session: &Session, jni: Jni<'_>, method: Option<Method>) -> SampledMethodLine {
    let named = method.and_then(|method| {
        let (name, descriptor) = session.jvmti.method_name(method)?;
        let class = session.jvmti.declaring_class(jni, method)?;
        let class = session.jvmti.class_name(class.get())?;
        Some(SampledMethodLine {
            class: mutf8::decode_lossy(without_hidden_suffix(&class)).into(),
            name: mutf8::decode_lossy(&name).into(),
            descriptor: mutf8::decode_lossy(&descriptor).into(),
        })
    });
    named.unwrap_or_default()
}

fn own_thread() -> u32 {
    rustix::thread::gettid().as_raw_nonzero().get().cast_unsigned()
}
