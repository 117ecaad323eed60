//! ECJ, which compiles the sources of java.logging.

use crate::{corpus::Corpus, given, jfathom::Jfathom};
use anyhow::Result;
use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// Its main class.
pub const MAIN: &str = "org.eclipse.jdt.internal.compiler.batch.Main";

/// The compiler and what it compiles.
pub struct Ecj {
    /// Its jar.
    pub jar: PathBuf,
    sources: PathBuf,
}

impl Ecj {
    /// What the environment names.
    pub fn find(corpus: &Corpus) -> Result<Self> {
        let sources = given::folder("JFATHOM_LOGGING_SOURCES", "java.logging's sources")?;
        Ok(Self { jar: corpus.jar("ecj", "jdt")?, sources })
    }

    /// The jar rewritten below `folder`.
    pub fn rewritten(&self, jfathom: &Jfathom, folder: &Path, options: &[&str]) -> Result<PathBuf> {
        let out = folder.join("ecj-out");
        jfathom.rewrite([&self.jar], &out, options)?;
        Ok(out.join(self.jar.file_name().unwrap_or_default()))
    }

    /// Adds to a `java` what compiles into `out`.
    pub fn compile(&self, mut java: Command, jar: &Path, out: &Path) -> Command {
        java.arg("-cp").arg(jar).arg(MAIN).args(OPTIONS).arg(out).arg(&self.sources);
        java
    }
}

/// How it compiles, up to the output.
pub const OPTIONS: [&str; 4] = ["-17", "-nowarn", "-proc:none", "-d"];
