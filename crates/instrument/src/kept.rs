//! Outputs that an earlier run has written from the same files with the same options.
//!
//! Jars that are rewritten one by one into one directory often name each other in their
//! `Class-Path`: what is there already is then no conflict.

use crate::{
    error::Result,
    rewritten::{Rewritten, RuntimeAt},
    selection::Selection,
    sidecar::{OutputFile, Sidecar, identity},
    sources::Output,
};
use jfathom_archive::{Input, InputKind};
use jfathom_plan::{Digest, Placement};
use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

/// Inputs without those whose outputs stay.
pub(crate) struct Remaining {
    pub(crate) inputs: Vec<Input>,
    /// The outputs that stay.
    pub(crate) kept: Vec<PathBuf>,
    /// Containers whose outputs are replaced: an earlier run wrote them as libraries, without the
    /// runtime or with entry probes alone.
    pub(crate) renewed: HashSet<PathBuf>,
}

/// Takes out the inputs whose outputs are there already.
pub(crate) fn remaining(
    inputs: Vec<Input>,
    selection: &Selection,
    placement: Placement,
    output: Output<'_>,
) -> Result<Remaining> {
    let mut left = Remaining { inputs: Vec::new(), kept: Vec::new(), renewed: HashSet::new() };
    let options = |is_library| selection.options(is_library).filter(|_| !output.force);
    let (Some(of_own), Some(of_library)) = (options(false), options(true)) else {
        return Ok(Remaining { inputs, ..left });
    };
    let sidecar = Sidecar::read(output.directory)?;
    for input in inputs {
        let path = output.directory.join(input.relative_path());
        let file = |options| sidecar.files.iter().find(|file| is_of(file, &input, options));
        let (own, library) = (file(of_own), file(of_library));
        let found = own.or(library).and_then(|file| found(&path, file));
        let container = input.location().container();
        let is_named = selection.inputs.iter().any(|named| named == container);
        match found {
            Some(found)
                if is_named
                    && (own.is_none()
                        || found == Found::WithoutRuntime && placement == Placement::Main) =>
            {
                left.renewed.insert(container.to_owned());
                left.inputs.push(input);
            }
            Some(_) => left.kept.push(path),
            None => left.inputs.push(input),
        }
    }
    Ok(left)
}

/// Whether the file was made of this input with these options.
fn is_of(file: &OutputFile, input: &Input, options: Digest) -> bool {
    let source = input.location().container().canonicalize();
    input.kind() != InputKind::Module
        && file.path == input.relative_path()
        && file.links == input.links()
        && file.options == Some(options)
        && source.is_ok_and(|source| source == file.source)
        && file.identity.is_some()
        && file.identity == identity(input)
}

/// An output that is as it was written.
#[derive(PartialEq, Eq)]
enum Found {
    /// It needs no runtime, or has it.
    Whole,
    WithoutRuntime,
}

/// What is at the output's path; none if it is another file.
fn found(path: &Path, file: &OutputFile) -> Option<Found> {
    let rewritten = Rewritten::open(path).ok()?;
    match rewritten.manifest {
        Some(manifest) if manifest.ids == file.ids && manifest.plan == file.plan => {
            Some(match rewritten.runtime {
                RuntimeAt::Here => Found::Whole,
                RuntimeAt::At(_) | RuntimeAt::Elsewhere | RuntimeAt::Missing(_) => {
                    Found::WithoutRuntime
                }
            })
        }
        None if file.ids.len == 0 && rewritten.runtime != RuntimeAt::Here => {
            let output = Input::open(path).ok()?;
            (identity(&output) == file.identity).then_some(Found::Whole)
        }
        Some(_) | None => None,
    }
}
