//! Reads what rewritten jars say about themselves.

use crate::{
    failure::{archive, context},
    select::WAR_CLASSES,
    sidecar::{FOLDER, JAVA_BASE, OutputFile, RUNTIME_JAR, Sidecar},
};
use anyhow::{Context, Result};
use jfathom_archive::Input;
use jfathom_plan::{MANIFEST_PATH, Manifest, Placement, probe};
use std::path::{Path, PathBuf};

/// A rewritten jar, class directory or module patch.
#[derive(Debug)]
pub(crate) struct Rewritten {
    pub(crate) path: PathBuf,
    /// None in a jar of which nothing was chosen.
    pub(crate) manifest: Option<Manifest>,
    /// Whether the runtime lies where the placement says.
    pub(crate) runtime: RuntimeAt,
    /// The output directory and what its `output.json` says of this file.
    pub(crate) origin: Option<(PathBuf, OutputFile)>,
}

/// Where the runtime was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RuntimeAt {
    /// In the file itself.
    Here,
    /// In another file.
    At(PathBuf),
    /// Not in the file; jars that another jar's Class-Path names find it there.
    Elsewhere,
    /// It should be there and is not.
    Missing(PathBuf),
}

impl Rewritten {
    /// Opens a file and reads its manifest.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let input = Input::open(path).map_err(archive)?;
        let origin = origin(path)?;
        let manifest = read_manifest(&input)?;
        let placement = manifest.as_ref().map_or(Placement::Main, |manifest| manifest.placement);
        let runtime = runtime_at(&input, placement, origin.as_ref().map(|(out, _)| out.as_path()))?;
        Ok(Self { path: path.to_owned(), manifest, runtime, origin })
    }
}

fn read_manifest(input: &Input) -> Result<Option<Manifest>> {
    for folder in ["", WAR_CLASSES] {
        if let Some(bytes) = input.read(&format!("{folder}{MANIFEST_PATH}")).map_err(archive)? {
            let manifest = Manifest::from_json(&bytes);
            return manifest
                .map(Some)
                .with_context(|| format!("{}!{folder}{MANIFEST_PATH}", input.place()));
        }
    }
    Ok(None)
}

fn runtime_at(input: &Input, placement: Placement, out: Option<&Path>) -> Result<RuntimeAt> {
    let class = format!("{}.class", probe::CLASS);
    for folder in ["", WAR_CLASSES] {
        if input.read(&format!("{folder}{class}")).map_err(archive)?.is_some() {
            return Ok(RuntimeAt::Here);
        }
    }
    let apart = match (placement, out) {
        (Placement::Main | Placement::Live, _) | (_, None) => return Ok(RuntimeAt::Elsewhere),
        (Placement::Boot | Placement::Modular, Some(out)) => out.join(FOLDER).join(RUNTIME_JAR),
        (Placement::JavaBase, Some(out)) => out.join(JAVA_BASE).join(class),
    };
    Ok(if apart.is_file() { RuntimeAt::At(apart) } else { RuntimeAt::Missing(apart) })
}

/// The output directory that a file lies in, by the `output.json` of the nearest folder above that
/// knows the file.
pub(crate) fn origin(path: &Path) -> Result<Option<(PathBuf, OutputFile)>> {
    let path = path.canonicalize().map_err(|error| context(error, path, "cannot find"))?;
    for out in path.ancestors().skip(1) {
        if !out.join(FOLDER).is_dir() {
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
pub(crate) fn files(path: &Path) -> Result<Vec<PathBuf>> {
    let sidecar = Sidecar::read(path)?;
    if sidecar.files.is_empty() {
        return Ok(vec![path.to_owned()]);
    }
    Ok(sidecar.files.into_iter().map(|file| path.join(file.path)).collect())
}
