//! File systems that are soon full.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// A file system in memory, which ends with this.
#[derive(Debug)]
pub struct SmallDisk(PathBuf);

impl SmallDisk {
    /// Makes the folder `path` and mounts it there, with so many bytes as `mount` takes them:
    /// `4m`. None where that is not allowed: it needs root.
    ///
    /// # Panics
    /// If the folder cannot be made.
    pub fn mount(path: &Path, size: &str) -> Option<Self> {
        fs::create_dir(path).expect("a folder can be made");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"]).arg(path);
        let is_mounted = mount.output().is_ok_and(|output| output.status.success());
        is_mounted.then(|| Self(path.to_owned()))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}
