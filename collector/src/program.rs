//! The recorded program as the system sees it: its command line and `java` launcher, its start,
//! signals, input and end, and the processes that it leaves behind. Nothing here knows records or
//! profiles.

pub(crate) mod command;
pub(crate) mod descendants;
pub(crate) mod input;
pub(crate) mod java_command;
pub(crate) mod java_launcher;
pub(crate) mod jvm_archives;
pub(crate) mod signals;
pub(crate) mod uninstrumented;
