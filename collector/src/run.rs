//! One recording from its begin to its files: the session directory, the JVMs that join, runs and
//! rounds, slices, and the written profile; and what is recovered if the recording was killed.
//! It uses the other modules of the crate, and none of them uses it.

pub(crate) mod abandoned;
pub(crate) mod anchor;
pub(crate) mod calibration_history;
pub(crate) mod hints;
pub(crate) mod jvm;
pub(crate) mod jvm_profile;
pub(crate) mod output;
pub(crate) mod record;
pub(crate) mod recorded;
pub(crate) mod recording;
pub(crate) mod recover;
pub(crate) mod rule_notices;
pub(crate) mod runs;
pub(crate) mod saved_slices;
pub(crate) mod session_dir;
pub(crate) mod session_notes;
pub(crate) mod sessions;
pub(crate) mod slice_files;
pub(crate) mod slice_pattern;
pub(crate) mod slice_writer;
pub(crate) mod subject;
pub(crate) mod write;
