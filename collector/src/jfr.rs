//! What the JVM's own recorder adds to a session: the companion recording is started and read, and
//! its waits, pauses, exceptions and sampled stacks are put into the tree's calls. Without JFR a
//! profile lacks these, and is whole otherwise.

pub(crate) mod companion;
pub(crate) mod frame_names;
pub(crate) mod stack_samples;
pub(crate) mod stack_walks;
pub(crate) mod thread_events;
pub(crate) mod thrown;
