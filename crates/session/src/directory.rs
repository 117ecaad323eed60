//! New session directories.

use std::{
    ffi::OsStr,
    io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

/// The file system in memory.
pub const MEMORY: &str = "/dev/shm";
/// Session directories are made in memory if this many bytes are free there: space for some hundred
/// threads with rings of the usual size, and as much again for others. Containers often give
/// [`MEMORY`] 64 MB in all.
pub const MIN_FREE_BYTES: u64 = 1 << 30;

/// A session directory that cannot be made.
#[derive(Debug, thiserror::Error)]
#[error("{path}: no directory can be made: {cause}")]
pub struct DirectoryError {
    /// The directory.
    pub path: PathBuf,
    /// Why not.
    pub cause: io::Error,
}

/// Makes a new directory of mode 0700: in memory if that has space, or more than the temporary
/// directory has; else there.
///
/// # Errors
/// Fails if neither place can have one.
pub fn create_session_directory() -> Result<PathBuf, DirectoryError> {
    let (memory, disk) = (PathBuf::from(MEMORY), std::env::temp_dir());
    let free = jfathom_files::free_bytes(&memory);
    let is_memory_first =
        free.is_some_and(|free| free >= MIN_FREE_BYTES) || free > jfathom_files::free_bytes(&disk);
    let [first, second] = if is_memory_first { [memory, disk] } else { [disk, memory] };
    let name = new_session_name();
    create(&first.join(&name)).or_else(|_| create(&second.join(&name)))
}

fn create(path: &Path) -> Result<PathBuf, DirectoryError> {
    match jfathom_files::create_directory(path, 0o700) {
        Ok(_) => Ok(path.to_owned()),
        Err(cause) => Err(DirectoryError { path: path.to_owned(), cause }),
    }
}

/// A name for a new session directory.
pub fn new_session_name() -> String {
    format!("{}{}", name_prefix(std::process::id()), jfathom_files::unpredictable())
}

/// Whether a process with this id has named a session directory so.
pub fn is_session_name_of(process: u32, name: &OsStr) -> bool {
    name.as_bytes()
        .strip_prefix(name_prefix(process).as_bytes())
        .is_some_and(|rest| !rest.is_empty())
}

fn name_prefix(process: u32) -> String {
    format!("jfathom-{process}-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn names_tell_their_process() {
        let (own, name) = (std::process::id(), new_session_name());
        assert!(is_session_name_of(own, OsStr::new(&name)), "{name}");
        assert!(!is_session_name_of(own + 1, OsStr::new(&name)));
        let (other, prefix) = (format!("jfathom-1{own}-0"), format!("jfathom-{own}-"));
        assert!(![other, prefix].iter().any(|name| is_session_name_of(own, OsStr::new(name))));
    }

    #[test]
    fn directories_are_new_and_of_this_user_alone() {
        let [first, second] = [(); 2].map(|()| create_session_directory().unwrap());
        assert_ne!(first, second);
        for path in [first, second] {
            let permissions = std::fs::metadata(&path).unwrap().permissions();
            assert_eq!(permissions.mode() & 0o777, 0o700);
            std::fs::remove_dir(path).unwrap();
        }
        let error = create(Path::new("/no/such")).unwrap_err();
        assert!(error.to_string().starts_with("/no/such: no directory can be made: "), "{error}");
    }
}
