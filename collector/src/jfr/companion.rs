//! The companion recording: what the JVM's own recorder, JFR, records beside a session.
//!
//! The JVMs of a command record from their start on, by flags. A JVM that runs already is asked
//! through its attach socket. Each writes a file into the session directory when it ends, or when
//! the session does. The file has events with the session's clock, so what is in it can be joined
//! to the session's records by time.

mod ending;
mod events;
mod file;
mod flags;
mod lacks_jfr;
pub(crate) mod repository;
mod running;

pub(crate) use ending::end_with_session;
pub use events::{JfrEvent, JfrEvents};
pub(crate) use file::{CompanionError, read};
pub(crate) use flags::{INLINED_CALLS, flags, write_settings};
pub use flags::{JfrAgent, JfrAgentTask, is_jfr_path, jfr_agent_task, jfr_flags};
pub use lacks_jfr::{LacksJfr, lacks_jfr};
pub(crate) use running::RunningCompanion;

/// The name of the recording in the JVM.
const NAME: &str = "jfathom";
/// The file in the session directory with the recording's settings.
const SETTINGS_FILE: &str = "companion.jfc";
/// Bytes of a recording. Beyond them the JVM throws the oldest events away.
const MAX_BYTES: u64 = 256 << 20;
/// Frames of a stack: the most that the JVM takes. A stack without its outer frames is in no root.
const STACK_DEPTH: u32 = 2048;
