//! Folders that become archives, and the tar archive.

use super::{binaries::Programs, notices::Notice, pages::Pages, release::Release};
use crate::shell;
use anyhow::{Context, Result};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

/// A folder in which an archive's files are collected.
pub struct Stage {
    folder: PathBuf,
}

impl Stage {
    /// An empty one below `target/dist/stage`.
    pub fn new(release: &Release, name: &str) -> Result<Self> {
        let folder = release.folder.join("stage").join(name);
        fresh(&folder)?;
        mode(&folder, 0o755)?;
        Ok(Self { folder })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Writes a file at a path below it that others may read.
    pub fn write(&self, below: &str, bytes: &[u8]) -> Result<()> {
        let file = self.parent_made(below)?;
        fs::write(&file, bytes).with_context(|| file.display().to_string())?;
        mode(&file, 0o644)
    }

    /// Copies a program.
    pub fn program(&self, below: &str, from: &Path) -> Result<()> {
        let file = self.parent_made(below)?;
        fs::copy(from, &file).with_context(|| from.display().to_string())?;
        mode(&file, 0o755)
    }

    /// Copies a file that others may read.
    pub fn copy(&self, below: &str, from: &Path) -> Result<()> {
        self.write(below, &fs::read(from).with_context(|| from.display().to_string())?)
    }

    /// Makes a folder in which everybody may make files.
    pub fn shared_folder(&self, below: &str) -> Result<()> {
        let folder = self.parent_made(below)?;
        fs::create_dir(&folder).with_context(|| folder.display().to_string())?;
        mode(&folder, 0o1777)
    }

    /// Compresses a file of it, without name and time.
    pub fn compress(&self, below: &str) -> Result<()> {
        shell::run(Command::new("gzip").args(["-9nf"]).arg(self.folder.join(below)))
    }

    fn parent_made(&self, below: &str) -> Result<PathBuf> {
        let file = self.folder.join(below);
        let mut folder = self.folder.clone();
        for part in Path::new(below).parent().unwrap_or(Path::new("")) {
            folder.push(part);
            if !folder.is_dir() {
                fs::create_dir(&folder).with_context(|| folder.display().to_string())?;
                mode(&folder, 0o755)?;
            }
        }
        Ok(file)
    }
}

/// Makes an empty folder.
pub fn fresh(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Ok(fs::create_dir_all(folder)?)
}

/// The umask of who releases must not show in an archive.
fn mode(path: &Path, bits: u32) -> Result<()> {
    fs::set_permissions(path, fs::Permissions::from_mode(bits))
        .with_context(|| path.display().to_string())
}

/// A tar command that gives the same archive for the same files.
pub fn tar(release: &Release) -> Command {
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--format=gnu"]);
    tar.arg(format!("--mtime={}", release.date()));
    tar
}

/// The archive of the programs with their pages and notices. `kind` ends its name.
pub fn tarball(
    release: &Release,
    programs: &Programs,
    pages: &Pages,
    notices: &[Notice],
    kind: &str,
) -> Result<String> {
    let name = format!("jfathom-{}-{}-linux-{kind}", release.version, release.processor());
    let stage = Stage::new(release, &name)?;
    let root = shell::root();
    for (name, program) in programs.named() {
        stage.program(name, program)?;
    }
    for (below, from) in [
        ("LICENSE", "LICENSE"),
        ("CHANGELOG.md", "CHANGELOG.md"),
        ("INSTALL.md", "docs/how-to/install.md"),
    ] {
        stage.copy(below, &root.join(from))?;
    }
    for notice in notices {
        stage.write(notice.name, &notice.text)?;
    }
    for page in &pages.manual {
        stage.copy(&format!("man/man1/{}", file_name(page)), page)?;
    }
    for (shell, file) in &pages.completions {
        stage.copy(&format!("completions/{shell}/{}", file_name(file)), file)?;
    }
    let file = format!("{name}.tar.gz");
    let mut tar = tar(release);
    tar.arg("--use-compress-program=gzip -9n").arg("-cf").arg(release.folder.join(&file));
    shell::run(tar.arg("-C").arg(release.folder.join("stage")).arg(&name))?;
    Ok(file)
}

/// The last part of a path, as text.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
