//! The binaries: two of each program.

use super::{elf, release::Release};
use crate::shell;
use anyhow::{Context, Result, ensure};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Both of `jfathom` have the same agent, which JVMs load: it needs glibc in either.
pub struct Binaries {
    /// Linked to the system's glibc.
    pub dynamic: Programs,
    /// With glibc in them.
    pub static_linked: Programs,
}

/// The programs of a release.
pub struct Programs {
    /// `jfathom`.
    pub command: PathBuf,
    /// `jfathom-push`. None where it is static: glibc loads modules to resolve names, and a static
    /// program would load those of another glibc.
    pub push: Option<PathBuf>,
}

impl Programs {
    /// The programs, with the names that they have where they are installed.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let push = self.push.iter().map(|push| ("jfathom-push", &**push));
        std::iter::once(("jfathom", &*self.command)).chain(push)
    }
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
        let build = |package: &str, name: &str, end: &str, options: &[&str]| -> Result<PathBuf> {
            let mut cargo = shell::cargo();
            cargo.args(["rustc", "--release", "--locked", "-p", package, "--bin", name]);
            shell::run(cargo.arg("--").args(options))?;
            let made = shell::target().join("release").join(name);
            let kept = folder.join(format!("{name}{end}"));
            fs::copy(&made, &kept).with_context(|| made.display().to_string())?;
            Ok(kept)
        };
        let options = ["-C", "target-feature=+crt-static"];
        let static_linked =
            Programs { command: build("jfathom-cli", "jfathom", "-static", &options)?, push: None };
        let dynamic = Programs {
            command: build("jfathom-cli", "jfathom", "", &[])?,
            push: Some(build("jfathom-push", "jfathom-push", "", &[])?),
        };
        let binaries = Self { dynamic, static_linked };
        binaries.check()?;
        Ok(binaries)
    }

    /// The library that JVMs load, beside the other crates.
    pub fn agent() -> PathBuf {
        shell::target().join("release/deps/libjfathom.so")
    }

    fn check(&self) -> Result<()> {
        for (_, path) in self.static_linked.named() {
            let program = fs::read(path)?;
            let is_static = elf::interpreter(&program)?.is_none();
            ensure!(is_static, "{}: is not static", path.display());
        }
        let expected = fs::read(Self::agent())?;
        for binary in [&self.dynamic.command, &self.static_linked.command] {
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
