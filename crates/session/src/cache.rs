//! Directories for files that jfathom can make again, and for what took longer to find out.

use std::path::PathBuf;

/// Where jfathom keeps files of the user that it can make again: `jfathom` in the directory of the
/// XDG base directory specification. None if neither `XDG_CACHE_HOME` nor `HOME` is an absolute
/// path.
pub fn cache_directory() -> Option<PathBuf> {
    directory("XDG_CACHE_HOME", ".cache")
}

/// Where jfathom keeps what was found out about this machine: `jfathom` in the configuration
/// directory of the same specification. None if neither `XDG_CONFIG_HOME` nor `HOME` is an absolute
/// path.
pub fn configuration_directory() -> Option<PathBuf> {
    directory("XDG_CONFIG_HOME", ".config")
}

fn directory(variable: &str, at_home: &str) -> Option<PathBuf> {
    let absolute =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = absolute(variable).or_else(|| absolute("HOME").map(|home| home.join(at_home)));
    base.map(|base| base.join("jfathom"))
}

/// The same in the temporary directory (`TMPDIR`, else `/tmp`), for users without a cache
/// directory that can be used.
pub fn temporary_cache_directory() -> PathBuf {
    std::env::temp_dir().join(format!("jfathom-{}", rustix::process::geteuid().as_raw()))
}
