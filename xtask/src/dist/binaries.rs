//! The two binaries.

use super::{elf, release::Release};
use crate::shell;
use anyhow::{Context, Result, ensure};
use std::{fs, path::PathBuf, process::Command};

/// Both have the same agent, which JVMs load: it needs glibc in either.
pub struct Binaries {
    /// Linked to the system's glibc.
    pub dynamic: PathBuf,
    /// With glibc in it.
    pub static_linked: PathBuf,
}

impl Binaries {
    /// Builds both, the ordinary one last: it stays in `target/release`.
    ///
    /// Only the last crate of the static one is compiled with `crt-static`, which makes the linker
    /// take glibc's archives. All other crates are the same in both, and so is the agent, which is
    /// a library and has to be dynamic.
    pub fn build(release: &Release) -> Result<Self> {
        let folder = release.folder.join("bin");
        fs::create_dir_all(&folder)?;
        let build = |name: &str, options: &[&str]| -> Result<PathBuf> {
            let mut cargo = shell::cargo();
            cargo.args(["rustc", "--release", "--locked", "-p", "jfathom-cli", "--bin", "jfathom"]);
            shell::run(cargo.arg("--").args(options))?;
            let (made, kept) = (shell::target().join("release/jfathom"), folder.join(name));
            fs::copy(&made, &kept).with_context(|| made.display().to_string())?;
            Ok(kept)
        };
        let static_linked = build("jfathom-static", &["-C", "target-feature=+crt-static"])?;
        let binaries = Self { dynamic: build("jfathom", &[])?, static_linked };
        binaries.check()?;
        Ok(binaries)
    }

    /// The library that JVMs load, beside the other crates.
    pub fn agent() -> PathBuf {
        shell::target().join("release/deps/libjfathom.so")
    }

    fn check(&self) -> Result<()> {
        let program = fs::read(&self.static_linked)?;
        ensure!(
            elf::interpreter(&program)?.is_none(),
            "{}: is not static",
            self.static_linked.display()
        );
        let expected = fs::read(Self::agent())?;
        for binary in [&self.dynamic, &self.static_linked] {
            // Asked, since a build without its library has an empty one.
            let cache = tempfile::tempdir()?;
            let mut ask = Command::new(binary);
            ask.arg("agent-path").env("XDG_CACHE_HOME", cache.path());
            let path = shell::output(&mut ask)?;
            let agent = fs::read(path.trim_end()).context("agent-path")?;
            ensure!(agent == expected, "{}: has another agent", binary.display());
        }
        Ok(())
    }
}
