//! Room `collector`.
