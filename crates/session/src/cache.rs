//! Directories for files that jfathom can make again, and for what took longer to find out.

use std::path::PathBuf;

/// Where jfathom keeps files of the user that it can make again: `jfathom` in the directory of the
/// XDG base directory specification. None if neither `XDG_CACHE_HOME` nor `HOME` is an absolute
/// path.
pub fn cache_directory() -> Option<PathBuf> {
    let absolute =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base =
        absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")));
    base.map(|base| base.join("jfathom"))
}

/// The same in the temporary directory (`TMPDIR`, else `/tmp`), for users without a cache
/// directory that can be used.
pub fn temporary_cache_directory() -> PathBuf {
    std::env::temp_dir().join(format!("jfathom-{}", rustix::process::geteuid().as_raw()))
}
