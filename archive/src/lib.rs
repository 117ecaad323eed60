//! Room `archive`.
