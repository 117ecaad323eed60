//! The runtime's files, put where the placement says.

use crate::{
    error::{Error, Result, at},
    sidecar::{FOLDER, JAVA_BASE, RUNTIME_JAR, write_file},
    sources::Source,
};
use jfathom_archive::{Additions, JarManifest, NewEntry, create_jar};
use jfathom_plan::Placement;
use jfathom_runtime_java::CLASSES;
use std::path::{Path, PathBuf};

/// Where the runtime is put.
pub(super) struct Runtime {
    placement: Placement,
    output: PathBuf,
}

impl Runtime {
    /// # Errors
    /// Fails if a JVM flag will have to name `output` and cannot: `:` separates the paths in
    /// `-Xbootclasspath/a` and `--patch-module`, and nothing escapes it.
    pub(super) fn new(placement: Placement, output: &Path) -> Result<Self> {
        let path = std::path::absolute(output).map_err(at(output, "cannot find"))?;
        let is_in_flag = !matches!(placement, Placement::Main | Placement::Live);
        if is_in_flag && path.as_os_str().as_encoded_bytes().contains(&b':') {
            return Err(Error::Usage(format!(
                "{}: the path has a `:`, which no JVM flag can name: choose another output directory",
                path.display()
            )));
        }
        Ok(Self { placement, output: output.to_owned() })
    }

    /// Writes the files beside the outputs: a jar for the boot class path, or a patch of java.base
    /// unless one of the sources is java.base.
    pub(super) fn write(&self, sources: &[&Source]) -> Result<()> {
        match self.placement {
            // The agent defines it.
            Placement::Main | Placement::Live => Ok(()),
            Placement::Boot | Placement::Modular => {
                let manifest =
                    NewEntry::new("META-INF/MANIFEST.MF", JarManifest::default().to_bytes());
                let jar: Vec<NewEntry> = std::iter::once(manifest).chain(entries("")).collect();
                let folder = self.output.join(FOLDER);
                jfathom_files::create_directories(&folder, 0o777)
                    .map_err(at(&folder, "cannot create"))?;
                write_file(&folder.join(RUNTIME_JAR), &create_jar(&jar)?)
            }
            Placement::JavaBase if sources.iter().any(|source| is_java_base(source)) => Ok(()),
            Placement::JavaBase => self.write_patch(),
        }
    }

    fn write_patch(&self) -> Result<()> {
        for (name, bytes) in CLASSES {
            let path = self.output.join(JAVA_BASE).join(name);
            let folder = path.parent().unwrap_or(&self.output);
            jfathom_files::create_directories(folder, 0o777)
                .map_err(at(folder, "cannot create"))?;
            write_file(&path, bytes)?;
        }
        Ok(())
    }

    /// Adds the runtime to a container that must have it, in the folder where its class loader
    /// finds classes.
    pub(super) fn add_to(&self, additions: &mut Additions, source: &Source) {
        let holds = match self.placement {
            // A jar that another's Class-Path names finds the runtime in that one.
            Placement::Main => source.named,
            Placement::Boot | Placement::Modular | Placement::Live => false,
            Placement::JavaBase => is_java_base(source),
        };
        if holds {
            additions.entries.extend(entries(source.class_folder));
        }
    }
}

fn is_java_base(source: &Source) -> bool {
    source.java_home.is_some() && source.module.as_deref() == Some(JAVA_BASE)
}

fn entries(folder: &str) -> impl Iterator<Item = NewEntry> {
    CLASSES.iter().map(move |(name, bytes)| NewEntry::new(format!("{folder}{name}"), *bytes))
}
