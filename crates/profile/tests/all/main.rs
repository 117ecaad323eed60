//! Records to profiles, and profiles to files and back.

mod allocation;
mod caught;
mod cpu;
mod demotion;
mod events;
mod files;
mod folding;
mod kept;
mod latencies;
mod model;
mod parked;
mod session;
mod streams;
