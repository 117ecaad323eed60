//! How fast classes and jars are rewritten.

pub mod jar;
pub mod speed;
