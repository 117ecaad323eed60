//! Room `profile`.
