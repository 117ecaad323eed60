//! The agent's thread: watches the collector, and does what is pending.

use crate::classes::retransform::retransform_pending;
use crate::engine::Actions;
use crate::ffi::Jni;
use crate::host::agent::Agent;
use crate::host::sampling;
use crate::host::stop::{StopReason, stop};
use crate::live::session::Session;
use jfathom_session::ProcessStat;
use jfathom_trace::layout as l;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How often the thread looks at the collector.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// How often it writes totals and looks for unloaded classes.
const SWEEP_INTERVAL: Duration = Duration::from_secs(1);
/// The longest time that one round counts for: the machine may have been asleep.
const MAX_ROUND: Duration = Duration::from_millis(100);
/// How long the heartbeat may pause if the collector is stopped or gone. As in the runtime.
const HEARTBEAT_TIMEOUT: Duration = Duration::from_secs(2);
/// The same if no collector has come so far.
const HEARTBEAT_TIMEOUT_NONE: Duration = Duration::from_secs(10);
/// The same if the collector's process runs.
const HEARTBEAT_TIMEOUT_SLOW: Duration = Duration::from_secs(30);

/// Watches a session until it is over.
pub fn run(agent: &Agent, session: &Session, jni: Jni<'_>) {
    let mut heartbeat = Heartbeat::new(session);
    let mut swept = Instant::now();
    while session.is_running() {
        session.alarm.sleep(POLL_INTERVAL);
        let command = session
            .file
            .word32(l::HEADER_LIVE_COMMAND)
            .map_or(0, |word| word.load(Ordering::Acquire));
        let requested = (command == l::COMMAND_RESTORE).then_some(StopReason::Requested);
        if let Some(reason) = requested.or_else(|| heartbeat.poll(session)) {
            stop(agent, session, jni, reason);
            return;
        }
        if !session.patience.is_patient() && !session.pending.is_empty() {
            retransform_pending(session, jni);
        }
        sampling::poll(session, jni);
        if swept.elapsed() >= SWEEP_INTERVAL {
            swept = Instant::now();
            session.look_for_debugger();
            for name in session.loaded.sweep(jni) {
                session.with_engine(|engine| {
                    engine.unloaded(&name);
                    Actions::default()
                });
            }
            session.write_totals();
        }
    }
}

/// The collector's heartbeat, as last seen.
struct Heartbeat {
    last: u64,
    polled: Instant,
    /// How long the heartbeat has paused.
    silent: Duration,
    timeout: Duration,
}

impl Heartbeat {
    fn new(session: &Session) -> Self {
        Self {
            last: heartbeat(session),
            polled: Instant::now(),
            silent: Duration::ZERO,
            timeout: HEARTBEAT_TIMEOUT,
        }
    }

    /// Why no collector is left; none while there is one.
    fn poll(&mut self, session: &Session) -> Option<StopReason> {
        let state = session
            .file
            .word32(l::HEADER_COLLECTOR_STATE)
            .map_or(0, |word| word.load(Ordering::Acquire));
        if state == l::COLLECTOR_GONE {
            return Some(StopReason::Requested);
        }
        self.silent += self.polled.elapsed().min(MAX_ROUND);
        self.polled = Instant::now();
        let beat = heartbeat(session);
        if beat != self.last {
            (self.last, self.silent, self.timeout) = (beat, Duration::ZERO, HEARTBEAT_TIMEOUT);
            return None;
        }
        if self.silent < self.timeout {
            return None;
        }
        let longer = match state {
            l::COLLECTOR_NONE => HEARTBEAT_TIMEOUT_NONE,
            _ if is_collector_running(session) => HEARTBEAT_TIMEOUT_SLOW,
            _ => Duration::ZERO,
        };
        self.timeout = self.timeout.max(longer);
        (self.silent >= self.timeout).then_some(StopReason::NoHeartbeat)
    }
}

fn heartbeat(session: &Session) -> u64 {
    session.file.word64(l::HEADER_HEARTBEAT).map_or(0, |word| word.load(Ordering::Acquire))
}

/// Whether the collector's process is there, and not stopped.
fn is_collector_running(session: &Session) -> bool {
    let word = session.file.word64(l::HEADER_COLLECTOR_PID);
    let pid = word.map_or(0, |word| word.load(Ordering::Relaxed));
    let stat = u32::try_from(pid).ok().and_then(ProcessStat::read);
    stat.is_some_and(ProcessStat::is_running)
}
