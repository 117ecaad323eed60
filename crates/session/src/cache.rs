//! The user's cache directory.

use std::path::PathBuf;

/// Where jfathom keeps files of the user that it can make again: `jfathom` in the directory of the
/// XDG base directory specification. None if neither `XDG_CACHE_HOME` nor `HOME` is an absolute
/// path.
pub fn cache_directory() -> Option<PathBuf> {
    let absolute =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache =
        absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")));
    cache.map(|cache| cache.join("jfathom"))
}
