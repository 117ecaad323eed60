//! The border that no panic crosses. It also marks the threads that are in the agent's code.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// Whether this thread is in the agent's code, or in what that calls.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is within [`guard`].
pub fn is_inside() -> bool {
    INSIDE.get()
}

/// Runs the body of a function that the JVM calls; `otherwise` if it panics, which leaves classes
/// as they are.
pub fn guard<R>(otherwise: R, body: impl FnOnce() -> R) -> R {
    let before = INSIDE.replace(true);
    // What a panic leaves half done is behind locks whose poison is ignored: each of them holds
    // values that change in one step.
    let result = catch_unwind(AssertUnwindSafe(body)).unwrap_or(otherwise);
    INSIDE.set(before);
    result
}
