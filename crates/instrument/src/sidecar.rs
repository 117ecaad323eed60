//! `jfathom/output.json` in an output directory: what the rewritings into it left there, for
//! `record` and for the next rewriting. The manifests in the jars are the truth; this file says
//! where they came from and which flags they need.

use crate::failure::context;
use anyhow::{Context, Result, bail};
use jfathom_archive::Input;
use jfathom_plan::{Digest, DigestHasher, IdRange, Placement};
use jfathom_runtime_java::{Flags, jvm_flags};
use serde::{Deserialize, Serialize};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The folder in the output directory that holds the file and the runtime's jar.
pub(crate) const FOLDER: &str = "jfathom";

/// The runtime's jar in [`FOLDER`], for placements that have it apart.
pub(crate) const RUNTIME_JAR: &str = "jfathom-runtime.jar";

/// The module that holds the runtime with [`Placement::JavaBase`], and the folder of its patch.
pub(crate) const JAVA_BASE: &str = "java.base";

const FILE: &str = "output.json";
const VERSION: u32 = 1;
const LIMIT: u64 = 64 << 20;

/// What an output directory holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Sidecar {
    version: u32,
    /// One for each rewritten jar, class directory or module.
    pub(crate) files: Vec<OutputFile>,
}

/// One rewritten jar, class directory or module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OutputFile {
    /// Its path below the output directory.
    pub(crate) path: PathBuf,
    /// Its further names there: links to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) links: Vec<PathBuf>,
    /// What it was made from: an absolute path, or a module of `java_home`.
    pub(crate) source: PathBuf,
    /// The ids of its methods.
    pub(crate) ids: IdRange,
    /// Where the runtime is.
    pub(crate) placement: Placement,
    /// The plan that it was rewritten by.
    pub(crate) plan: Digest,
    /// Its module, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) module: Option<String>,
    /// The Java home that a module of the JDK was taken from; it runs with no other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) java_home: Option<PathBuf>,
    /// What the source was when it was read ([`identity`]), so that it can be rewritten another
    /// time; none for modules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) identity: Option<Digest>,
}

/// A digest that changes with the content of a jar or directory, taken without reading all of it:
/// over the names, sizes and CRCs of a jar's entries; over the names, sizes and times of a
/// directory's files. None for modules of the JDK.
pub(crate) fn identity(input: &Input) -> Option<Digest> {
    let mut hasher = DigestHasher::default();
    input.identify(&mut |piece| hasher.bytes(piece)).then(|| hasher.finish())
}

impl Default for Sidecar {
    fn default() -> Self {
        Self { version: VERSION, files: Vec::new() }
    }
}

impl Sidecar {
    /// One that knows a single file.
    pub(crate) fn with(file: OutputFile) -> Self {
        Self { files: vec![file], ..Self::default() }
    }

    /// Reads the file in the output directory `out`; an empty one where there is none. Rewritten
    /// files that are not there any more are left out.
    pub(crate) fn read(out: &Path) -> Result<Self> {
        let path = out.join(FOLDER).join(FILE);
        let length = match fs::metadata(&path) {
            Ok(metadata) => metadata.len(),
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                return Ok(Self::default());
            }
            Err(error) => return Err(context(error, &path, "cannot read")),
        };
        if length > LIMIT {
            bail!("{}: {length} bytes are too many for this file; remove it", path.display());
        }
        let text = fs::read(&path).map_err(|error| context(error, &path, "cannot read"))?;
        let mut sidecar: Self = serde_json::from_slice(&text).with_context(|| {
            format!("{}: not written by jfathom; remove it or choose another -o", path.display())
        })?;
        if sidecar.version != VERSION {
            bail!(
                "{}: has version {}, this jfathom writes version {VERSION}; choose another -o",
                path.display(),
                sidecar.version
            );
        }
        sidecar.files.retain(|file| out.join(&file.path).exists());
        Ok(sidecar)
    }

    /// Writes the file into the output directory `out`: first under another name, so that no half
    /// file is ever there.
    pub(crate) fn write(&self, out: &Path) -> Result<()> {
        let folder = out.join(FOLDER);
        jfathom_files::create_directories(&folder, 0o777)
            .map_err(|error| context(error, &folder, "cannot create"))?;
        let mut text = serde_json::to_vec_pretty(self).context("output.json")?;
        text.push(b'\n');
        write_file(&folder.join(FILE), &text)
    }

    /// The first id that no file has, but for those at `replaced`, which are forgotten.
    pub(crate) fn next_id(&mut self, replaced: &[PathBuf]) -> u32 {
        self.files.retain(|file| !replaced.contains(&file.path));
        self.files
            .iter()
            .filter(|file| file.ids.len > 0)
            .map(|file| file.ids.end())
            .max()
            .unwrap_or(0)
    }
}

/// What is known of a run of the rewritten program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Run {
    /// Feature version of its JVM.
    pub(crate) java: Option<u32>,
    /// Whether it uses an AOT cache or CDS archive of its own, which flags that only save time
    /// would cost it.
    pub(crate) keep_cache: bool,
    /// Whether the clock is forced to `nano`.
    pub(crate) nano_clock: bool,
}

impl Sidecar {
    /// The JVM flags for a program that runs with the files of the output directory `out`. With an
    /// unknown JVM only those that it cannot run without.
    pub(crate) fn flags(&self, out: &Path, run: &Run) -> Result<Vec<String>> {
        let out = std::path::absolute(out).map_err(|error| context(error, out, "cannot find"))?;
        let at = |placement| self.files.iter().filter(move |file| file.placement == placement);
        let mut flags = Vec::new();
        let mut add = |placement, runtime: Option<PathBuf>, modules| {
            let runtime = runtime.map(|path| path.display().to_string());
            let Run { java, keep_cache, nano_clock } = *run;
            for flag in
                jvm_flags(&Flags { placement, java, runtime, modules, keep_cache, nano_clock })
            {
                if !flags.contains(&flag) {
                    flags.push(flag);
                }
            }
        };
        let runtime_jar = out.join(FOLDER).join(RUNTIME_JAR);
        for placement in [Placement::Boot, Placement::Modular] {
            if at(placement).next().is_some() {
                add(
                    placement,
                    Some(runtime_jar.clone()),
                    at(placement).filter_map(|file| file.module.clone()).collect(),
                );
            }
        }
        if at(Placement::JavaBase).next().is_some() {
            add(Placement::JavaBase, Some(out.join(JAVA_BASE)), Vec::new());
        }
        if at(Placement::Main).next().is_some() || self.files.is_empty() {
            add(Placement::Main, None, Vec::new());
        }
        // The runtime in java.base is seen by class paths and modules that are told so.
        let exports = |to: &str| format!("--add-exports={JAVA_BASE}/jfathom.runtime={to}");
        if at(Placement::JavaBase).next().is_some() && !flags.contains(&exports("ALL-UNNAMED")) {
            flags.push(exports("ALL-UNNAMED"));
        }
        for file in at(Placement::JavaBase).filter(|file| file.java_home.is_some()) {
            let Some(module) = file.module.as_deref().filter(|module| *module != JAVA_BASE) else {
                continue;
            };
            flags.push(format!("--patch-module={module}={}", out.join(&file.path).display()));
            flags.push(exports(module));
        }
        Ok(flags)
    }
}

/// Writes a file under a temporary name in its folder and renames it.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    jfathom_files::write(path, bytes).map_err(|error| context(error, path, "cannot write"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, start: u32, len: u32) -> OutputFile {
        OutputFile {
            path: PathBuf::from(path),
            links: Vec::new(),
            source: PathBuf::from("/src").join(path),
            ids: IdRange { start, len },
            placement: Placement::Main,
            plan: Digest(3),
            module: None,
            java_home: None,
            identity: None,
        }
    }

    #[test]
    fn ids_go_on_behind_what_is_there() {
        let mut sidecar = Sidecar {
            files: vec![file("a.jar", 0, 10), file("b.jar", 10, 5), file("c.jar", 99, 0)],
            ..Sidecar::default()
        };
        assert_eq!(sidecar.clone().next_id(&[]), 15);
        assert_eq!(sidecar.next_id(&[PathBuf::from("b.jar")]), 10);
        assert_eq!(sidecar.files.len(), 2);
    }

    #[test]
    fn what_is_written_is_read() {
        let out = tempfile::tempdir().unwrap();
        assert_eq!(Sidecar::read(out.path()).unwrap(), Sidecar::default());
        let sidecar = Sidecar { files: vec![file("a.jar", 0, 10)], ..Sidecar::default() };
        sidecar.write(out.path()).unwrap();
        assert_eq!(Sidecar::read(out.path()).unwrap(), Sidecar::default(), "a.jar is not there");
        fs::write(out.path().join("a.jar"), "").unwrap();
        assert_eq!(Sidecar::read(out.path()).unwrap(), sidecar);
        assert_eq!(fs::read_dir(out.path().join(FOLDER)).unwrap().count(), 1);
        fs::write(out.path().join(FOLDER).join(FILE), "{\"version\":7,\"files\":[]}").unwrap();
        assert!(Sidecar::read(out.path()).unwrap_err().to_string().contains("has version 7"));
        fs::write(out.path().join(FOLDER).join(FILE), "[]").unwrap();
        assert!(
            Sidecar::read(out.path()).unwrap_err().to_string().contains("not written by jfathom")
        );
    }
}
