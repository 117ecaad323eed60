//! What the tests of several crates share: session files made as the JVM makes them, and folders
//! and files that tests leave behind. A dev-dependency, never a part of the product.
#![forbid(unsafe_code)]
// Under loom there are no session files, only rings.
#![cfg(not(loom))]

mod attach_files;
mod process_dir;
pub mod session_writer;

pub use attach_files::remove_attach_files;
pub use process_dir::process_dir;
