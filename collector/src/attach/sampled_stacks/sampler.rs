//! Samples the stacks of a running JVM.

use super::SampledStacks;
use crate::attach::{self, AttachError};
use jfathom_session::JvmProcess;
use std::{
    sync::mpsc::{self, RecvTimeoutError, SyncSender},
    thread,
    time::{Duration, Instant},
};

/// How long a JVM is sampled.
const SAMPLED: Duration = Duration::from_secs(2);
/// When sampling ends, whatever the JVM does: it may be slow to open its socket or to answer.
const END: Duration = Duration::from_millis(2_500);
/// The shortest pause between two dumps.
const PAUSE: Duration = Duration::from_millis(20);
/// A dump stops all threads. The pause after it is this many times as long.
const PAUSE_PER_DUMP: u32 = 4;
/// The most bytes of all dumps.
const MAX_BYTES: usize = 64 << 20;

/// Samples a JVM for two seconds by its own thread dumps. Ends after 2.5 seconds at the latest, and
/// when the JVM ends; then the stacks until then are returned.
///
/// # Errors
/// Fails if there is no stack at all: the JVM cannot be attached to, does not answer or has ended.
pub fn sample(jvm: &JvmProcess) -> Result<SampledStacks, AttachError> {
    attach::check(jvm)?;
    let begun = Instant::now();
    let (sender, dumps) = mpsc::sync_channel(1);
    // A thread of its own: nothing bounds how long a connection to a busy socket takes.
    let target = jvm.clone();
    thread::Builder::new()
        .spawn(move || send_dumps(&target, begun, &sender))
        .map_err(|error| AttachError::Socket(jvm.pid(), error))?;
    let mut stacks = SampledStacks::default();
    let failure = loop {
        match dumps.recv_timeout(END.saturating_sub(begun.elapsed())) {
            Ok(Ok(dump)) => stacks.add(&dump),
            Ok(Err(error)) => break Some(error),
            Err(RecvTimeoutError::Timeout) => {
                break Some(AttachError::Timeout {
                    pid: jvm.pid(),
                    what: "printed its threads",
                    seconds: END.as_secs(),
                });
            }
            Err(RecvTimeoutError::Disconnected) => break None,
        }
    };
    match failure {
        Some(error) if stacks.dumps() == 0 => Err(error),
        _ => Ok(stacks),
    }
}

/// Sends dumps until time or space is used up, the JVM fails to answer, or nobody receives them.
fn send_dumps(jvm: &JvmProcess, begun: Instant, sender: &SyncSender<Result<String, AttachError>>) {
    let mut bytes_left = MAX_BYTES;
    loop {
        let dump_begun = Instant::now();
        let dump = attach::thread_dump(jvm, END.saturating_sub(begun.elapsed()), bytes_left);
        let took = dump_begun.elapsed();
        let is_last = dump.is_err();
        bytes_left = bytes_left.saturating_sub(dump.as_ref().map_or(0, String::len));
        let pause = PAUSE.max(took * PAUSE_PER_DUMP);
        let ends = is_last || bytes_left == 0 || begun.elapsed() + pause >= SAMPLED;
        if sender.send(dump).is_err() || ends {
            return;
        }
        thread::sleep(pause);
    }
}
