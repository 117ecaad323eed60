//! The library that JVMs load: it lies in this program, and is unpacked to where a JVM of this user can read it.

use crate::failure::context;
use anyhow::{Context, Result, bail};
use rustix::process::geteuid;
use std::{
    fs::{self, DirBuilder},
    io,
    os::unix::fs::{DirBuilderExt, MetadataExt, symlink},
    path::{Path, PathBuf},
    time::Duration,
};

/// The library.
pub(crate) const BYTES: &[u8] = include_bytes!(env!("JFATHOM_AGENT_LIBRARY"));

/// Its name: that of its folder is the hash of its content, so that other versions lie beside it.
pub(crate) const FILE: &str = "libjfathom.so";

/// The name of the symbolic link beside it that leads to this program: the agent finds its recorder by it.
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
    Err(trouble.unwrap_or_else(|| anyhow::anyhow!("no directory"))).context("cannot unpack libjfathom.so")
}

/// Where it may lie, best first.
fn bases() -> Vec<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")));
    let own = PathBuf::from(format!("/tmp/jfathom-{}", geteuid().as_raw()));
    cache.map(|cache| cache.join("jfathom")).into_iter().chain([own]).collect()
}

fn unpack_below(base: &Path) -> Result<PathBuf> {
    fs::create_dir_all(base.parent().unwrap_or(base)).map_err(|e| context(e, base, "cannot create"))?;
    private(base)?;
    let folder = base.join(format!("agent-{:016x}", hash(BYTES)));
    if !folder.exists() {
        forget_old(base);
    }
    private(&folder)?;
    place(&folder, BYTES)
}

/// Versions that were unpacked so long ago are removed when another one is. A JVM that has one loaded keeps it.
const OLD: Duration = Duration::from_secs(30 * 24 * 3600);

/// Removes other versions. Trouble leaves them there and nothing else.
fn forget_old(base: &Path) {
    for entry in fs::read_dir(base).into_iter().flatten().flatten() {
        let folder = entry.path();
        let is_version = entry.file_name().to_string_lossy().starts_with("agent-");
        let modified = fs::metadata(folder.join(FILE)).and_then(|meta| meta.modified());
        let is_old = modified.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > OLD));
        if is_version && is_old {
            for file in [FILE, PROGRAM] {
                let _ = fs::remove_file(folder.join(file));
            }
            let _ = fs::remove_dir(&folder);
        }
    }
}

/// Puts the library and the link into a private folder.
fn place(folder: &Path, bytes: &[u8]) -> Result<PathBuf> {
    let library = folder.join(FILE);
    // Compared whole: what is loaded into a JVM must be what lies in this program, whatever became of the file.
    if fs::read(&library).ok().as_deref() != Some(bytes) {
        let failed = |e: io::Error| context(e, &library, "cannot write");
        let temporary = tempfile::Builder::new().tempfile_in(folder).map_err(failed)?;
        fs::write(temporary.path(), bytes).map_err(failed)?;
        temporary.persist(&library).map_err(|e| failed(e.error))?;
    }
    link(&folder.join(PROGRAM))?;
    Ok(library)
}

/// Makes a symbolic link to this program.
fn link(link: &Path) -> Result<()> {
    let program = std::env::current_exe().context("the path of this program")?;
    if fs::read_link(link).is_ok_and(|to| to == program) {
        return Ok(());
    }
    let temporary = link.with_extension(format!("{}.tmp", std::process::id()));
    let _ = fs::remove_file(&temporary);
    symlink(&program, &temporary).and_then(|()| fs::rename(&temporary, link)).map_err(|e| {
        let _ = fs::remove_file(&temporary);
        context(e, link, "cannot link")
    })
}

/// Makes a directory that only this user can write to, or holds that it is one. Nobody else may have put there what a JVM is
/// going to load.
fn private(path: &Path) -> Result<()> {
    match DirBuilder::new().mode(0o700).create(path) {
        Ok(()) => {}
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
        Err(e) => return Err(context(e, path, "cannot create")),
    }
    let meta = fs::symlink_metadata(path).map_err(|e| context(e, path, "cannot read"))?;
    if !meta.is_dir() {
        bail!("{}: is not a directory", path.display());
    }
    if meta.uid() != geteuid().as_raw() {
        bail!("{}: belongs to another user", path.display());
    }
    if meta.mode() & 0o022 != 0 {
        bail!("{}: other users can write to it (mode {:o}); `chmod 700` it", path.display(), meta.mode() & 0o777);
    }
    Ok(())
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
    use std::os::unix::fs::PermissionsExt;

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
            file.set_modified(std::time::SystemTime::now() - Duration::from_secs(days * 24 * 3600)).unwrap();
        }
        unpack_below(temp.path()).unwrap();
        let there = |name: &str| temp.path().join(name).exists();
        assert_eq!(["agent-1", "agent-2", "index"].map(there), [false, true, true]);
    }

    #[test]
    fn directories_of_others_are_refused() {
        let temp = tempfile::tempdir().unwrap();
        let base = temp.path().join("open");
        fs::create_dir(&base).unwrap();
        fs::set_permissions(&base, fs::Permissions::from_mode(0o777)).unwrap();
        assert!(unpack_below(&base).unwrap_err().to_string().contains("chmod 700"));
        let link = temp.path().join("link");
        symlink(temp.path(), &link).unwrap();
        assert!(unpack_below(&link).unwrap_err().to_string().contains("not a directory"));
    }

    #[test]
    fn other_contents_have_other_names() {
        let contents: [&[u8]; 5] = [b"", b"a", b"a\0", b"12345678", b"123456781"];
        let hashes: std::collections::HashSet<u64> = contents.into_iter().map(hash).collect();
        assert_eq!(hashes.len(), contents.len());
    }
}
