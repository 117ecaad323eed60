//! One recording: the session directory, the command in it, its JVMs drained live into calling context trees, and the
//! profile at the end, whatever is killed on the way.
#![forbid(unsafe_code)]

mod command;
mod error;
mod java_command;
mod options;
mod outcome;
mod process;
mod session_dir;
mod signals;

pub use error::Error;
pub use java_command::{JavaCommand, java_version};
pub use options::{ManifestSource, RecordOptions};
pub use outcome::{Event, Exit, Outcome, Status};
