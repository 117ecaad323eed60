//! The agent's thread: looks after the collector and what is left to do.

use crate::classes::restore::{self, Why};
use crate::ffi::Jni;
use crate::live::session::{RUNNING, Session};
use crate::lock::{lock, wait_until};
use jfathom_trace::layout as l;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How often it looks.
const ROUND: Duration = Duration::from_millis(50);
/// How often it writes totals and looks for classes that are gone.
const SWEEP: Duration = Duration::from_secs(1);
/// One round counts for no more: the machine may have been asleep.
const MOST_OF_ROUND: Duration = Duration::from_millis(100);
/// How long a collector may give no sign of life: stopped or gone, not seen so far, or there and
/// slow. As in the runtime.
const HEARTBEAT_TIMEOUT: Duration = Duration::from_secs(2);
const HEARTBEAT_TIMEOUT_NONE: Duration = Duration::from_secs(10);
const HEARTBEAT_TIMEOUT_SLOW: Duration = Duration::from_secs(30);

/// Runs until the session is over.
pub fn watch(session: &Arc<Session>, jni: Jni<'_>) {
    let mut life = Life::new(session);
    let mut swept = Instant::now();
    while session.phase() == RUNNING {
        wait_until(&session.wake.1, &session.wake.0, ROUND, |wake| *wake);
        *lock(&session.wake.0) = false;
        let command =
            session.word32(l::HEADER_LIVE_COMMAND).map_or(0, |word| word.load(Ordering::Acquire));
        let asked = (command == l::COMMAND_RESTORE).then_some(Why::Asked);
        if let Some(why) = asked.or_else(|| life.is_over(session)) {
            restore::restore(session, jni, why);
            return;
        }
        if !session.has_no_pending_work() {
            session.retransform_pending(jni);
        }
        if swept.elapsed() >= SWEEP {
            swept = Instant::now();
            for name in session.classes.sweep(jni) {
                session.step(|engine| {
                    engine.unloaded(&name);
                    crate::Actions::default()
                });
            }
            session.write_totals();
        }
    }
}

/// How long the collector has given no sign of life.
struct Life {
    beat: u64,
    last: Instant,
    silent: Duration,
    patience: Duration,
}

impl Life {
    fn new(session: &Session) -> Self {
        Self {
            beat: heartbeat(session),
            last: Instant::now(),
            silent: Duration::ZERO,
            patience: HEARTBEAT_TIMEOUT,
        }
    }

    /// Why there is nobody any more who records; none while there is somebody.
    fn is_over(&mut self, session: &Session) -> Option<Why> {
        let state = session
            .word32(l::HEADER_COLLECTOR_STATE)
            .map_or(0, |word| word.load(Ordering::Acquire));
        if state == l::COLLECTOR_GONE {
            return Some(Why::Asked);
        }
        self.silent += self.last.elapsed().min(MOST_OF_ROUND);
        self.last = Instant::now();
        let beat = heartbeat(session);
        if beat != self.beat {
            (self.beat, self.silent, self.patience) = (beat, Duration::ZERO, HEARTBEAT_TIMEOUT);
            return None;
        }
        if self.silent < self.patience {
            return None;
        }
        let longer = match state {
            l::COLLECTOR_NONE => HEARTBEAT_TIMEOUT_NONE,
            _ if runs(session) => HEARTBEAT_TIMEOUT_SLOW,
            _ => Duration::ZERO,
        };
        self.patience = self.patience.max(longer);
        (self.silent >= self.patience).then_some(Why::Silent)
    }
}

fn heartbeat(session: &Session) -> u64 {
    session.word64(l::HEADER_HEARTBEAT).map_or(0, |word| word.load(Ordering::Acquire))
}

/// Whether the collector's process is there and neither stopped nor a zombie.
fn runs(session: &Session) -> bool {
    let pid =
        session.word64(l::HEADER_COLLECTOR_PID).map_or(0, |word| word.load(Ordering::Relaxed));
    let stat = std::fs::read(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state =
        String::from_utf8_lossy(&stat).rsplit_once(") ").and_then(|(_, rest)| rest.chars().next());
    state.is_some_and(|state| !"TtZX".contains(state))
}
