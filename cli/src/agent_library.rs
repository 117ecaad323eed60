//! The library that JVMs load: it lies in this program, and is unpacked to where a JVM of this user
//! can read it.

use crate::failure::context;
use anyhow::{Context, Result};
use jfathom_files::{Directory, trusted_directory};
use rustix::process::geteuid;
use std::{
    ffi::OsStr,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    time::Duration,
};

/// The library.
pub(crate) const BYTES: &[u8] = include_bytes!(env!("JFATHOM_AGENT_LIBRARY"));

/// Its name: that of its folder is the hash of its content, so that other versions lie beside it.
pub(crate) const FILE: &str = "libjfathom.so";

/// The name of the symbolic link beside it that leads to this program: the agent finds its recorder
/// by it.
pub(crate) const PROGRAM: &str = "jfathom";

/// The unpacked library; unpacks it if it is not there.
pub(crate) fn unpacked() -> Result<PathBuf> {
    let mut trouble = None;
    for base in bases() {
        match unpack_below(&base) {
            Ok(library) => return Ok(library),
            Err(error) => trouble = trouble.or(Some(error)),
        }
    }
    Err(trouble.unwrap_or_else(|| anyhow::anyhow!("no directory")))
        .context("cannot unpack libjfathom.so")
}

/// Where it may lie, best first.
fn bases() -> Vec<PathBuf> {
    let absolute =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache =
        absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")));
    let own = PathBuf::from(format!("/tmp/jfathom-{}", geteuid().as_raw()));
    cache.map(|cache| cache.join("jfathom")).into_iter().chain([own]).collect()
}

/// Unpacks it below a directory, of whose path no other user can change a part: a JVM loads the
/// library by its path, so what is checked here must stay true until then (`docs/live.md`).
fn unpack_below(base: &Path) -> Result<PathBuf> {
    let failed = |e: io::Error| context(e, base, "cannot be used");
    let (directory, base_path) = trusted_directory(base).map_err(failed)?;
    directory.require_own_unshared().map_err(failed)?;
    let version = format!("agent-{:016x}", hash(BYTES));
    let name = OsStr::new(&version);
    let failed = |e: io::Error| context(e, &base_path.join(name), "cannot be used");
    if directory.hold(name).is_err() {
        forget_old(&directory);
    }
    let folder = match directory.create_directory(name, 0o700) {
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => directory.beneath(Path::new(name)),
        made => made,
    };
    let folder = folder.map_err(failed)?;
    folder.require_own_unshared().map_err(failed)?;
    place(&folder, &base_path.join(name), BYTES)
}

/// Versions that were unpacked so long ago are removed when another one is. A JVM that has one
/// loaded keeps it.
const OLD: Duration = Duration::from_secs(30 * 24 * 3600);

/// Removes other versions. Trouble leaves them there and nothing else.
fn forget_old(base: &Directory) {
    for name in base.names().unwrap_or_default() {
        let Ok(folder) = base.beneath(Path::new(&name)) else { continue };
        let is_version = name.to_string_lossy().starts_with("agent-");
        let modified = folder
            .hold(OsStr::new(FILE))
            .and_then(|file| file.metadata())
            .and_then(|meta| meta.modified());
        let is_old = modified.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > OLD));
        if is_version && is_old {
            for file in [FILE, PROGRAM] {
                let _ = folder.remove_file(OsStr::new(file));
            }
            let _ = base.remove_directory(&name);
        }
    }
}

/// Puts the library and the link into a private folder, whose path is `path`.
fn place(folder: &Directory, path: &Path, bytes: &[u8]) -> Result<PathBuf> {
    let (name, library) = (OsStr::new(FILE), path.join(FILE));
    // Compared whole: what is loaded into a JVM must be what lies in this program, whatever became
    // of the file.
    let limit = bytes.len() as u64;
    if folder.read(name, limit).ok().as_deref() != Some(bytes) {
        let written = folder.replace(name, 0o500, |file| file.write_all(bytes));
        written.map_err(|e| context(e, &library, "cannot write"))?;
    }
    let program = std::env::current_exe().context("the path of this program")?;
    let link = path.join(PROGRAM);
    if !fs::read_link(&link).is_ok_and(|to| to == program) {
        folder
            .replace_link(OsStr::new(PROGRAM), &program)
            .map_err(|e| context(e, &link, "cannot link"))?;
    }
    Ok(library)
}

/// FNV-1a over words of eight bytes: names a version, and defends against nothing.
fn hash(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(0xcbf2_9ce4_8422_2325 ^ bytes.len() as u64, |hash, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        let mixed = (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x0000_0100_0000_01b3);
        mixed ^ mixed >> 29
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    #[test]
    fn unpacked_once_and_mended_when_changed() {
        let temp = tempfile::tempdir().unwrap();
        let base = temp.path().join("cache/jfathom");
        let library = unpack_below(&base).unwrap();
        assert_eq!(fs::read(&library).unwrap(), BYTES);
        assert_eq!(&BYTES[..4], b"\x7fELF");
        let inode = fs::metadata(&library).unwrap().ino();
        assert_eq!(unpack_below(&base).unwrap(), library);
        assert_eq!(fs::metadata(&library).unwrap().ino(), inode, "what is whole stays");
        assert_eq!(fs::metadata(&library).unwrap().mode() & 0o777, 0o500);
        fs::remove_file(&library).unwrap();
        fs::write(&library, "damaged").unwrap();
        assert_eq!(fs::read(unpack_below(&base).unwrap()).unwrap(), BYTES);
        let folder = library.parent().unwrap();
        assert_eq!(fs::read_link(folder.join(PROGRAM)).unwrap(), std::env::current_exe().unwrap());
        assert_eq!(fs::metadata(folder).unwrap().permissions().mode() & 0o777, 0o700);
        assert_eq!(fs::read_dir(folder).unwrap().count(), 2);
    }

    #[test]
    fn other_versions_go_after_a_while() {
        let temp = tempfile::tempdir().unwrap();
        for (name, days) in [("agent-1", 31), ("agent-2", 29), ("index", 31)] {
            let folder = temp.path().join(name);
            fs::create_dir(&folder).unwrap();
            let file = fs::File::create(folder.join(FILE)).unwrap();
            file.set_modified(std::time::SystemTime::now() - Duration::from_secs(days * 24 * 3600))
                .unwrap();
        }
        unpack_below(temp.path()).unwrap();
        let there = |name: &str| temp.path().join(name).exists();
        assert_eq!(["agent-1", "agent-2", "index"].map(there), [false, true, true]);
    }

    #[test]
    fn directories_that_others_can_change_are_refused() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        let above = root.join("above");
        let base = above.join("base");
        fs::create_dir_all(&base).unwrap();
        // Whoever can write to what lies above can put another directory in its place.
        for open in [&base, &above] {
            fs::set_permissions(open, fs::Permissions::from_mode(0o777)).unwrap();
            let message = format!("{:#}", unpack_below(&base).unwrap_err());
            assert!(
                message.contains(&format!("{}: ", open.display())) && message.contains("chmod"),
                "{message}"
            );
            assert_eq!(fs::read_dir(&base).unwrap().count(), 0);
            fs::set_permissions(open, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let link = root.join("link");
        symlink("above/base", &link).unwrap();
        let library = unpack_below(&link).unwrap();
        assert!(library.starts_with(&base), "by a path without links: {}", library.display());
        // A link in the place of the library, or of its folder, is replaced or refused, and never
        // followed.
        let victim = root.join("victim");
        fs::write(&victim, BYTES).unwrap();
        fs::remove_file(&library).unwrap();
        symlink(&victim, &library).unwrap();
        unpack_below(&base).unwrap();
        assert!(fs::symlink_metadata(&library).unwrap().is_file());
        let folder = library.parent().unwrap();
        fs::rename(folder, root.join("moved")).unwrap();
        symlink(root.join("moved"), folder).unwrap();
        assert!(unpack_below(&base).is_err());
    }

    #[test]
    fn other_contents_have_other_names() {
        let contents: [&[u8]; 5] = [b"", b"a", b"a\0", b"12345678", b"123456781"];
        let hashes: std::collections::HashSet<u64> = contents.into_iter().map(hash).collect();
        assert_eq!(hashes.len(), contents.len());
    }
}
