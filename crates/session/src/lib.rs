//! What the collector and a recorded JVM agree on: names in the session directory, the agent's
//! options as text, the lines of the methods file, the identity of processes, and what a running
//! JVM shows of itself.
#![forbid(unsafe_code)]

mod agent_options;
mod cache;
mod calibration;
mod clock;
mod clock_library;
mod control_groups;
mod credentials;
mod directory;
mod form;
mod java_release;
mod jvm_file;
mod jvm_process;
mod methods_file;
mod metrics;
pub mod names;
mod perf_data;
mod proc_files;
mod process;
mod ring_size;
mod root_sampling;
mod samples_file;

pub use agent_options::{AgentOptions, JfrStart, OptionsError, jfr_file_prefix, session_of};
pub use cache::{cache_directory, temporary_cache_directory};
pub use calibration::CalibrationPhases;
pub use clock::ClockChoice;
pub use clock_library::{clock_library_directories, place_clock_library};
pub use control_groups::ControlGroupLimits;
pub use credentials::{Credentials, CredentialsError};
pub use directory::{
    DirectoryError, MEMORY, MIN_FREE_BYTES, create_session_directory, is_session_name_of,
    new_session_name,
};
pub use form::FormError;
pub use java_release::JavaRelease;
pub use jvm_file::{JvmFile, JvmIdentity};
pub use jvm_process::{FindJvmError, JvmProcess, has_same_files};
pub use methods_file::{
    ClassLine, InstrumentedAt, METHODS_FILE_VERSION, MethodsFileLine, RootLine, RootState,
    SessionLine, SessionTotals,
};
pub use metrics::{Metric, Metrics, MetricsError};
pub use perf_data::{PerfData, counter_offset};
pub use process::{Process, ProcessStat, ThreadTimes};
pub use ring_size::RingSize;
pub use root_sampling::RootSampling;
pub use samples_file::{
    LostSamples, SAMPLING_DELAY, SampleEntry, SampledMethodLine, SampledStackLine, SamplesFileLine,
    SamplingBegin,
};
