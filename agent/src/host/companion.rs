//! JFR beside a session: a JVM of a command has it started by the agent where the JVM's own flag
//! would print into the program's output.

use crate::ffi::{Event, Jni, JvmError, plain_environment};
use crate::host::{error::StartError, start};
use crate::jvm::recorder;
use crate::lock::lock;
use jfathom_session::JfrStart;
use std::fmt;
use std::sync::Mutex;

/// What JFR records once the JVM is up. Set as the JVM loads the library, taken once.
static START: Mutex<Option<JfrStart>> = Mutex::new(None);

/// The JVM starts with the library. Returns whether these are options for JFR, and not for a
/// session.
pub fn on_load(text: &str) -> bool {
    match receive(text) {
        Ok(is_for_jfr) => is_for_jfr,
        Err(error) => {
            report(&error);
            true
        }
    }
}

fn receive(text: &str) -> Result<bool, StartError> {
    let Some(start) = JfrStart::receive(text)? else {
        return Ok(false);
    };
    // One of its own: with the capabilities of a session the JVM would be a slower one.
    let jvmti = plain_environment()?;
    jvmti.set_event(Event::VmInit, true).map_err(JvmError::Events)?;
    *lock(&START) = Some(start);
    Ok(true)
}

/// The JVM is up: before the program, and before a session begins.
pub fn on_init(jni: Jni<'_>) {
    let Some(start) = lock(&START).take() else { return };
    let started = jni.framed(|jni| recorder::start(jni, &start, std::process::id()));
    if let Some(Err(error)) = started {
        report(&error);
    }
}

/// The program runs on without it.
fn report(error: &dyn fmt::Display) {
    start::tell_user(&format!("JFR does not record: {error}"));
}
