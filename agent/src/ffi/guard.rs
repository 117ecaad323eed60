//! Nothing unwinds into the JVM, and what we call ourselves is told from what the program calls.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// Whether this thread is in our code, or in what that calls.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is within [`guard`].
pub fn is_inside() -> bool {
    INSIDE.get()
}

/// Runs what a function that the JVM calls is to do; `otherwise` where it panics, which leaves
/// classes as they were.
pub fn guard<R>(otherwise: R, body: impl FnOnce() -> R) -> R {
    let before = INSIDE.replace(true);
    // What a panic left half done is behind locks whose poison is passed over: each of them holds
    // values that are changed in one go.
    let result = catch_unwind(AssertUnwindSafe(body)).unwrap_or(otherwise);
    INSIDE.set(before);
    result
}
