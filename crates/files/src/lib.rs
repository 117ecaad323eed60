//! Files made and opened safely: in directories where other users, or processes of a container, can
//! write too.
//!
//! A name can be made to mean something else between two uses of it: by a link, or by a directory
//! that is moved away. What is checked here is therefore the open file, and what is made is made
//! relative to an open [`Directory`]:
//!
//! - new files and directories are made exclusively, and no link is followed to them (open(2):
//!   `O_EXCL`, `O_NOFOLLOW`);
//! - a file is replaced by renaming a new one, whose name nobody can know before it is there;
//! - what is read is a regular file of this user, and no more is read of it than the caller says;
//! - files of anybody, on a class path or in a directory, are read by [`open_plain`]: it neither
//!   blocks nor opens a device;
//! - an [`output`] that the user names may be a device, a pipe or a link: it is written to as a
//!   shell would, but for links that another user has put into a shared directory.
//!
//! A path is only ever taken from the user or from this program, never from the process that is
//! recorded.
//!
//! No other crate makes, replaces or copies files by the standard library (`docs/files.md`).
#![forbid(unsafe_code)]

mod directory;
mod name;
pub mod output;
mod path;
mod plain;
mod refusal;
mod resolve;
mod space;
mod trusted;
mod walk;

pub use directory::{Access, Directory};
pub use name::unpredictable;
pub use path::{
    copy, create, create_directories, create_directory, create_link, open, read, replace,
    replace_link, write,
};
pub use plain::{is_of_kernel, open_plain, read_plain};
pub use refusal::Refusal;
pub use space::{free_bytes, free_bytes_of};
pub use trusted::{trusted_directory, trusted_in_root};
