//! Room `rewriter`.
