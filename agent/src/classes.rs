//! Probes get into the JVM's classes, and out of them again.

pub mod load;
pub mod restore;
pub mod retransform;
