//! Which hand-offs are in a slow call, and which one it is the task of.

use serde::{Deserialize, Serialize};

use crate::Ticks;

/// The hand-offs of one of the slowest calls. Numbers come again after 2²² of them: a task belongs
/// to the last one of its number before it began, in the same JVM.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandOffs {
    /// Number of the hand-off whose task the call is; zero if it is no task, or if that is not
    /// known.
    pub task: u32,
    /// Tasks that the call handed to other threads, in the order of their times.
    pub made: Vec<HandOff>,
}

/// One task that was handed to another thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandOff {
    /// Its number, never zero.
    pub number: u32,
    /// How long after the call's begin, without excluded time.
    pub after: Ticks,
}
