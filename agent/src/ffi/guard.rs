//! Nothing unwinds into the JVM.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs what a function that the JVM calls is to do; `otherwise` where it panics, which leaves classes as they were.
pub fn guard<R>(otherwise: R, body: impl FnOnce() -> R) -> R {
    // What a panic left half done is behind locks whose poison is passed over: each of them holds values that are changed in
    // one go.
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(otherwise)
}
