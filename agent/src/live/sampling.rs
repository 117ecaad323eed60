//! The samples of a session: where their lines go, which stacks have been written, and the timers
//! of the threads.

mod stacks;
mod timers;
mod writer;

pub use stacks::Stacks;
pub use timers::{PERIOD, Timers};
pub use writer::SamplesWriter;

use crate::ffi::Method;
use jfathom_session::LostSamples;
use std::time::Instant;

/// How far a session's sampling is.
#[derive(Default)]
pub enum Sampling {
    /// No root is live.
    #[default]
    NoRoot,
    /// The first root was live at this time.
    Root(Instant),
    /// Threads are sampled.
    On(Box<Sampler>),
    /// No more samples come.
    Over,
}

/// What samples become lines with.
pub struct Sampler {
    pub writer: SamplesWriter,
    pub stacks: Stacks<Option<Method>>,
    pub timers: Timers,
    /// As written last.
    pub lost: LostSamples,
}

impl Sampler {
    pub fn new(writer: SamplesWriter) -> Self {
        Self {
            writer,
            stacks: Stacks::default(),
            timers: Timers::default(),
            lost: LostSamples::default(),
        }
    }
}
