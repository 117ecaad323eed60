//! Records to profiles, and profiles to files and back.

mod demotion;
mod files;
mod kept;
mod latencies;
mod model;
mod session;
mod streams;
