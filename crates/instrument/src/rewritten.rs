//! Rewritten files, opened with their manifests and the output directory that they lie in.

use crate::{
    error::{Error, Result, at},
    sidecar::{FOLDER, JAVA_BASE, OutputFile, RUNTIME_JAR, Sidecar},
    sources::WAR_CLASSES,
};
use jfathom_archive::Input;
use jfathom_plan::{MANIFEST_PATH, Manifest, Placement, probe};
use std::path::{Path, PathBuf};

/// A rewritten jar, class directory or module patch.
#[derive(Debug)]
pub struct Rewritten {
    /// The file.
    pub path: PathBuf,
    /// `None` in a jar without an instrumented method.
    pub manifest: Option<Manifest>,
    /// Whether the runtime lies where the placement says.
    pub runtime: RuntimeAt,
    /// The output directory that the file lies in, and the file's entry in its `output.json`.
    pub origin: Option<(PathBuf, OutputFile)>,
}

/// Where the runtime was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuntimeAt {
    /// In the file itself.
    Here,
    /// In another file.
    At(PathBuf),
    /// In the jar whose `Class-Path` names this one.
    Elsewhere,
    /// Nowhere, though the placement needs it in this file.
    Missing(PathBuf),
}

impl Rewritten {
    /// Opens a file and reads its manifest.
    ///
    /// # Errors
    /// Fails if the file, its manifest or the `output.json` above it cannot be read.
    pub fn open(path: &Path) -> Result<Self> {
        let input = Input::open(path)?;
        let origin = origin(path)?;
        let manifest = read_manifest(&input)?;
        let placement = manifest.as_ref().map_or(Placement::Main, |manifest| manifest.placement);
        let runtime = runtime_at(&input, placement, origin.as_ref().map(|(out, _)| out.as_path()))?;
        Ok(Self { path: path.to_owned(), manifest, runtime, origin })
    }
}

fn read_manifest(input: &Input) -> Result<Option<Manifest>> {
    for folder in ["", WAR_CLASSES] {
        if let Some(bytes) = input.read(&format!("{folder}{MANIFEST_PATH}"))? {
            let manifest = Manifest::from_json(&bytes);
            let place = || format!("{}!{folder}{MANIFEST_PATH}", input.location());
            return manifest.map(Some).map_err(|error| Error::failed(place(), error));
        }
    }
    Ok(None)
}

fn runtime_at(input: &Input, placement: Placement, out: Option<&Path>) -> Result<RuntimeAt> {
    let class = format!("{}.class", probe::CLASS);
    for folder in ["", WAR_CLASSES] {
        if input.read(&format!("{folder}{class}"))?.is_some() {
            return Ok(RuntimeAt::Here);
        }
    }
    let other = match (placement, out) {
        (Placement::Main | Placement::Live, _) | (_, None) => return Ok(RuntimeAt::Elsewhere),
        (Placement::Boot | Placement::Modular, Some(out)) => out.join(FOLDER).join(RUNTIME_JAR),
        (Placement::JavaBase, Some(out)) => out.join(JAVA_BASE).join(class),
    };
    Ok(if other.is_file() { RuntimeAt::At(other) } else { RuntimeAt::Missing(other) })
}

/// The output directory that a file lies in, and the file's entry there: by the `output.json` of
/// the nearest folder above that lists the file.
///
/// # Errors
/// Fails if the file does not exist or an `output.json` cannot be read.
pub fn origin(path: &Path) -> Result<Option<(PathBuf, OutputFile)>> {
    let path = path.canonicalize().map_err(at(path, "cannot find"))?;
    for out in path.ancestors().skip(1) {
        // What this user may not look into was not written for him.
        if !Sidecar::is_in(out).unwrap_or(false) {
            continue;
        }
        let Ok(below) = path.strip_prefix(out) else { continue };
        if let Some(file) = Sidecar::read(out)?.files.into_iter().find(|file| file.path == below) {
            return Ok(Some((out.to_owned(), file)));
        }
    }
    Ok(None)
}

/// The rewritten files at `path`: itself, or all of an output directory.
///
/// # Errors
/// Fails if `output.json` cannot be read.
pub fn files(path: &Path) -> Result<Vec<PathBuf>> {
    let sidecar = Sidecar::read(path)?;
    if sidecar.files.is_empty() {
        return Ok(vec![path.to_owned()]);
    }
    Ok(sidecar.files.into_iter().map(|file| path.join(file.path)).collect())
}
