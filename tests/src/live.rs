//! Live recordings: programs that do what they are told (`samples/live`), recordings that can be
//! watched, ended and killed, and what an independent agent sees of a class's code.

mod code;
mod compiled;
mod desk;
mod lines;
mod recording;
pub mod server;
mod watched;

pub use code::CodeAgent;
pub use compiled::{LINKS, classes, links};
pub use desk::{Desk, signal};
pub use lines::Lines;
pub use recording::{Live, Recording};
pub use watched::Watched;
