//! `jfathom/output.json` in an output directory: the files that were rewritten into it, for
//! `record` and for the next rewriting. The manifests in the jars are authoritative; this file adds
//! where each came from and where its runtime is.

use crate::error::{Error, Result, at};
use jfathom_archive::Input;
use jfathom_files::read_plain;
use jfathom_plan::{Digest, DigestHasher, IdRange, Placement};
use jfathom_runtime_java::{Flags, jvm_flags};
use serde::{Deserialize, Serialize};
use std::{
    io::{
        self,
        ErrorKind::{NotADirectory, NotFound},
    },
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

/// The rewritten files of an output directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sidecar {
    version: u32,
    /// One per rewritten jar, class directory or module.
    pub files: Vec<OutputFile>,
}

/// One rewritten jar, class directory or module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputFile {
    /// Its path below the output directory.
    pub path: PathBuf,
    /// Its further names there: links to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<PathBuf>,
    /// What it was made from: an absolute path, or a module of `java_home`.
    pub source: PathBuf,
    /// The ids of its methods.
    pub ids: IdRange,
    /// Where the runtime is.
    pub placement: Placement,
    /// The plan that it was rewritten by.
    pub plan: Digest,
    /// Its module, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// The Java home that a module of the JDK was taken from; it runs with no other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub java_home: Option<PathBuf>,
    /// What the source was when it was read (`identity`), so that it can be rewritten another
    /// time; none for modules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<Digest>,
    /// The options that it was rewritten with; none if it depends on other inputs, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Digest>,
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
    /// The entry of a single file.
    pub fn with(file: OutputFile) -> Self {
        Self { files: vec![file], ..Self::default() }
    }

    /// Whether the directory `out` has the file.
    ///
    /// # Errors
    /// What the system says if that cannot be known.
    pub(crate) fn is_in(out: &Path) -> io::Result<bool> {
        match out.join(FOLDER).join(FILE).metadata() {
            Ok(_) => Ok(true),
            Err(error) if matches!(error.kind(), NotFound | NotADirectory) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Reads the file in the output directory `out`. It is empty if there is none, and lists only
    /// rewritten files that exist.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or if another program or version wrote it.
    pub fn read(out: &Path) -> Result<Self> {
        let path = out.join(FOLDER).join(FILE);
        if !Self::is_in(out).map_err(at(&path, "cannot read"))? {
            return Ok(Self::default());
        }
        let text = read_plain(&path, LIMIT).map_err(at(&path, "cannot read"))?;
        let mut sidecar: Self = serde_json::from_slice(&text).map_err(|error| {
            let problem =
                format!("not written by jfathom; remove it or choose another -o: {error}");
            Error::failed(path.display(), problem)
        })?;
        if sidecar.version != VERSION {
            let problem = format!(
                "has version {}, this jfathom writes version {VERSION}; choose another -o",
                sidecar.version
            );
            return Err(Error::failed(path.display(), problem));
        }
        sidecar.files.retain(|file| out.join(&file.path).exists());
        Ok(sidecar)
    }

    /// Writes the file into the output directory `out`: first under another name, so that no half
    /// file is ever there.
    pub(crate) fn write(&self, out: &Path) -> Result<()> {
        let folder = out.join(FOLDER);
        jfathom_files::create_directories(&folder, 0o777).map_err(at(&folder, "cannot create"))?;
        let mut text = serde_json::to_vec_pretty(self)
            .map_err(|error| Error::failed(folder.join(FILE).display(), error))?;
        text.push(b'\n');
        write_file(&folder.join(FILE), &text)
    }

    /// The first id after those of all files but the `replaced` ones, which are removed.
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

/// How a rewritten program is run.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Feature version of its JVM, if known.
    pub java: Option<u32>,
    /// Whether it has an AOT cache or CDS archive of its own: flags that only save time would make
    /// the JVM drop it.
    pub keep_cache: bool,
    /// Whether the clock is forced to `nano`.
    pub nano_clock: bool,
    /// Whether its command already says which modules may use native access.
    pub native_access: bool,
}

impl Sidecar {
    /// The JVM flags for a program that runs with the files of the output directory `out`. If the
    /// JVM's version is unknown, only those that the program cannot run without.
    ///
    /// # Errors
    /// Fails if the current directory is needed and cannot be found.
    pub fn flags(&self, out: &Path, run: &Run) -> Result<Vec<String>> {
        let out = std::path::absolute(out).map_err(at(out, "cannot find"))?;
        let at = |placement| self.files.iter().filter(move |file| file.placement == placement);
        let mut flags = Vec::new();
        let mut add = |placement, runtime: Option<PathBuf>, modules| {
            let runtime = runtime.map(|path| path.display().to_string());
            let Run { java, keep_cache, nano_clock, .. } = *run;
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
        // Class path and modules see the runtime in java.base only if it is exported to them.
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
        if run.native_access {
            flags.retain(|flag| !flag.starts_with("--enable-native-access"));
        }
        Ok(flags)
    }
}

/// Writes a file under a temporary name in its folder and renames it.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    jfathom_files::write(path, bytes).map_err(at(path, "cannot write"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

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
            options: None,
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
