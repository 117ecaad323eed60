//! What the tests of several crates share: the machine's JVMs, compiled Java sources, records and
//! profiles in short notation, session files made as the JVM makes them, and folders and files
//! that tests leave behind. A dev-dependency, never a part of the product.
#![forbid(unsafe_code)]
// Under loom there are no session files, only rings.
#![cfg(not(loom))]

mod attach_files;
pub mod between;
mod class_file;
pub mod events;
mod javac;
pub mod jdk;
mod process_dir;
pub mod profiles;
mod random;
pub mod records;
pub mod reference;
pub mod session_writer;
mod small_disk;
pub mod small_profile;
mod taken;
pub mod tree_text;
pub mod walks;

pub use attach_files::remove_attach_files;
pub use class_file::{renamed, with_constants, without_methods};
pub use javac::{Javac, class_files, java_files};
pub use jdk::Jdk;
pub use process_dir::process_dir;
pub use random::Random;
pub use small_disk::SmallDisk;
pub use taken::TakenTime;
