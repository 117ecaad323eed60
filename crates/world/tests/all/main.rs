//! Programs and JDKs opened as one world.

mod cache;
mod containers;
mod jdk;
mod support;
