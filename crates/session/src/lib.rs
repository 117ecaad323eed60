//! What the collector and a recorded JVM agree on: the agent's options as text, and the lines of
//! the methods file.
#![forbid(unsafe_code)]

mod agent_options;
mod calibration;
mod clock;
mod methods_file;

pub use agent_options::{AgentOptions, OptionsError, session_of};
pub use calibration::CalibrationPhases;
pub use clock::ClockChoice;
pub use methods_file::{
    ClassLine, InstrumentedAt, METHODS_FILE_VERSION, MethodsFileLine, RootLine, RootState,
    SessionLine, SessionTotals,
};
