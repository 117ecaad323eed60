//! What the collector and a recorded JVM agree on: names in the session directory, the agent's
//! options as text, and the lines of the methods file.
#![forbid(unsafe_code)]

mod agent_options;
mod calibration;
mod clock;
mod jvm_file;
mod methods_file;
pub mod names;
mod process;
mod ring_size;

pub use agent_options::{AgentOptions, OptionsError, session_of};
pub use calibration::CalibrationPhases;
pub use clock::{ClockChoice, ClockChoiceError};
pub use jvm_file::{JvmFile, JvmIdentity};
pub use methods_file::{
    ClassLine, InstrumentedAt, METHODS_FILE_VERSION, MethodsFileLine, RootLine, RootState,
    SessionLine, SessionTotals,
};
pub use process::{Process, ProcessStat};
pub use ring_size::{RingSize, RingSizeError};
