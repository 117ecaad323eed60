//! What a profile is: its methods, threads and runs, the calling context tree with the numbers and
//! events of its nodes, and what else it says of a recording. Nothing here knows records or files;
//! `build` makes these values, `store` keeps them.

pub(crate) mod allocation;
pub(crate) mod anchor;
pub(crate) mod both;
pub(crate) mod calibration;
pub(crate) mod columns;
pub(crate) mod cpu;
pub(crate) mod demotion;
pub(crate) mod events;
pub(crate) mod frame;
pub(crate) mod labels;
pub(crate) mod latency;
pub(crate) mod limits;
pub(crate) mod live;
pub(crate) mod meta;
pub(crate) mod method;
pub(crate) mod metric;
pub(crate) mod node_events;
pub(crate) mod node_numbers;
pub(crate) mod off_cpu;
pub(crate) mod packed_numbers;
pub(crate) mod profile;
pub(crate) mod quality;
pub(crate) mod runs;
pub(crate) mod scheduling;
pub(crate) mod session_counts;
pub(crate) mod slice;
pub(crate) mod slowest;
pub(crate) mod stack_samples;
pub(crate) mod stack_walks;
pub(crate) mod time;
pub(crate) mod tree;
pub(crate) mod trust;
pub(crate) mod unread;
