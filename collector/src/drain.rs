//! From the rings of one JVM to its tree: the thread that consumes records, the modes of methods
//! and their demotion, the names of methods, the kernel's scheduling, and checkpoints. What comes
//! out is a builder, finished at the session's end.

pub(crate) mod budget;
pub(crate) mod checkpoint;
pub(crate) mod consumer;
pub(crate) mod count_rule;
pub(crate) mod cpu;
pub(crate) mod demote;
pub(crate) mod finish;
pub(crate) mod manifests;
pub(crate) mod memory;
pub(crate) mod methods_file;
pub(crate) mod modes;
pub(crate) mod progress;
pub(crate) mod scheduling;
pub(crate) mod slices;
