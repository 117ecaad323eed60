//! Instrumenting and restoring the JVM's classes.

mod batch;
mod chunks;
pub mod hooks;
pub mod load;
pub mod load_hook;
pub mod names;
mod pool;
pub mod restore;
pub mod retransform;
