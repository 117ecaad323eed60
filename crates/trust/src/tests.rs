//! Stated stacks on a stated tree, and verdicts on simulated samples whose truth is known.

mod simulated;
mod stacks;
mod stored;
