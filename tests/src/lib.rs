//! What the tests across crates share: the JVMs of this machine, the compiled samples with their
//! truth, and runs of programs that cannot hang.
//!
//! Nothing here waits for time to pass, and nothing is expected to be quick: the only limit is
//! [`run::HANG`], far beyond what a slow machine needs.
#![forbid(unsafe_code)]

pub mod calls;
pub mod live;
pub mod possible;
mod process_tree;
pub mod recall;
pub mod run;
pub mod samples;
pub mod tool;
pub mod truth;
pub mod wire;

pub use jfathom_testkit::jdk;
