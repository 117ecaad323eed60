//! Recordings of real JVMs. The program calls the probes itself, so that nothing here depends on
//! the rewriter.

mod errors;
mod jvms;
mod kills;
mod launchers;
mod recorder;
mod runs;
mod world;
