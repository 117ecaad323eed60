//! The JVM of a `java` command, as its files show it: nothing is run.

use jfathom_files::open_plain;
use jfathom_session::JavaRelease;
use std::{
    ffi::OsStr,
    io::Read,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

/// Bytes at the start of a program in which the name of its loader stands.
const ELF_HEAD_BYTES: u64 = 4096;
/// In the name of musl's loader.
const MUSL_LOADER: &[u8] = b"/ld-musl-";

/// The feature version (8, 11, 17 and so on) of the Java home that a `java` command belongs to.
/// `path` is the value of `PATH`. None if the home has no `release` file, as behind launcher
/// scripts.
pub fn java_version(java: &OsStr, path: Option<&OsStr>) -> Option<u32> {
    let launcher = find_program(java, path)?.canonicalize().ok()?;
    let bin = launcher.parent()?;
    // Java 8 had its launcher also in `jre/bin`.
    let homes = [bin.parent(), bin.parent().and_then(Path::parent)];
    homes.into_iter().flatten().find_map(|home| JavaRelease::read(home)?.feature_version())
}

/// The Java home that a `java` command belongs to. None behind launcher scripts.
pub fn java_home(java: &OsStr, path: Option<&OsStr>) -> Option<PathBuf> {
    let home = find_program(java, path)?.canonicalize().ok()?.parent()?.parent()?.to_owned();
    home.join("lib/modules").is_file().then_some(home)
}

/// Whether the Java home that a `java` command belongs to has a module. None if its files do not
/// say, as behind launcher scripts.
pub(crate) fn has_module(java: &OsStr, path: Option<&OsStr>, module: &str) -> Option<bool> {
    let launcher = find_program(java, path)?.canonicalize().ok()?;
    JavaRelease::read(launcher.parent()?.parent()?)?.has_module(module)
}

/// Why the JVM of a `java` command cannot load the agent: it would end at once. None if its files
/// do not show a reason.
pub(crate) fn unfit_for_agents(java: &OsStr, path: Option<&OsStr>) -> Option<&'static str> {
    let launcher = find_program(java, path)?.canonicalize().ok()?;
    let mut head = Vec::new();
    open_plain(&launcher).ok()?.take(ELF_HEAD_BYTES).read_to_end(&mut head).ok()?;
    if head.windows(MUSL_LOADER.len()).any(|window| window == MUSL_LOADER) {
        return Some("is a JVM with musl (Alpine), and the agent is built for glibc");
    }
    let release = JavaRelease::read(launcher.parent()?.parent()?)?;
    release.is_openj9().then_some("is an OpenJ9 JVM, and the agent runs in HotSpot")
}

/// The file of a command, looked for in `path` (the value of `PATH`) as execvp(3) does.
pub(crate) fn find_program(name: &OsStr, path: Option<&OsStr>) -> Option<PathBuf> {
    if name.as_bytes().contains(&b'/') {
        return Some(PathBuf::from(name));
    }
    std::env::split_paths(path?).map(|dir| dir.join(name)).find(|file| {
        file.is_file() && rustix::fs::access(file, rustix::fs::Access::EXEC_OK).is_ok()
    })
}
