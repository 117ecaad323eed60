//! How near the corrected times are to a uninstrumented program's, and how often their bars hold.

pub mod anchor;
pub mod calibration;
pub mod calibration_noise;
pub mod coverage;
pub mod generated;
pub mod shares;
pub mod trust;
