//! How the JVM's classes get probes, and lose them again.

mod batch;
mod bisect;
pub mod hooks;
pub mod load;
pub mod names;
pub mod restore;
pub mod retransform;
