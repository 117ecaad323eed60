//! Rewritten files, as their manifests describe them.

mod code;

pub use code::{CodeListing, code_listings};

use crate::{
    error::{Error, Result},
    rewritten::{Rewritten, RuntimeAt, files},
    sidecar::{Run, Sidecar},
};
use jfathom_plan::{
    CallGraph, IdRange, MANIFEST_PATH, MethodKey, Placement, Scheme, Skip, SkipReason,
};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// Which lists an inspection has.
#[derive(Clone, Copy, Debug, Default)]
pub struct InspectOptions {
    /// The skipped classes and methods.
    pub skips: bool,
    /// The instrumented methods.
    pub methods: bool,
}

/// One rewritten file; also the JSON form.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Inspection {
    /// The file.
    pub path: PathBuf,
    /// Its original, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<PathBuf>,
    /// The program that rewrote it, with its version.
    pub tool: String,
    /// The digest of the plan.
    pub plan: String,
    /// Where the runtime is put.
    pub placement: Placement,
    /// Its module, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// The ids of its methods.
    pub ids: IdRange,
    /// Its classes with instrumented methods.
    pub class_count: usize,
    /// Its instrumented methods.
    pub method_count: usize,
    /// Whether probes record only inside roots.
    pub has_roots: bool,
    /// Its roots.
    pub roots: Vec<String>,
    /// The selectors of the roots of the whole plan.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub root_selectors: Vec<String>,
    /// Which methods have probes: `static` for the roots' call subgraph, `total` for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheme: Option<Scheme>,
    /// The call-graph algorithm: `rta` or `cha`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_graph: Option<CallGraph>,
    /// Where the runtime is; `None` if it is missing.
    pub runtime: Option<String>,
    /// The JVM flags that a program needs to run with the file.
    pub flags: Vec<String>,
    /// How many classes and methods were skipped, by reason.
    pub skipped: BTreeMap<SkipReason, usize>,
    /// The skipped classes and methods, if requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skips: Vec<Skip>,
    /// The instrumented methods, if requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub methods: Vec<InspectedMethod>,
}

/// One instrumented method.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InspectedMethod {
    /// Its id.
    pub id: u32,
    /// `com.acme.Engine::run(I)V`.
    pub name: String,
    /// `Engine.java`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Its first line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u16>,
    /// Its code digest.
    pub digest: String,
    /// Whether it is a root.
    pub root: bool,
}

/// Describes the rewritten files at `path`: a file, or an output directory.
///
/// # Errors
/// Fails if `path` is a file that was not rewritten, or if a file cannot be read.
pub fn inspect(path: &Path, options: InspectOptions) -> Result<Vec<Inspection>> {
    let mut inspections = Vec::new();
    for file in files(path)? {
        let rewritten = Rewritten::open(&file)?;
        match inspect_file(&rewritten, options)? {
            Some(inspection) => inspections.push(inspection),
            None if file == path => {
                let problem = format!("has no {MANIFEST_PATH}; it was not rewritten");
                return Err(Error::failed(file.display(), problem));
            }
            None => {}
        }
    }
    Ok(inspections)
}

fn inspect_file(file: &Rewritten, options: InspectOptions) -> Result<Option<Inspection>> {
    let Some(manifest) = &file.manifest else { return Ok(None) };
    let key = |class: &str, name: &str, descriptor: &str| {
        let (class, name, descriptor) = (class.to_owned(), name.to_owned(), descriptor.to_owned());
        MethodKey { class, name, descriptor }.selector()
    };
    let all = || {
        manifest.methods().map(|(class, method)| {
            (class, method, key(&class.name, &method.name, &method.descriptor))
        })
    };
    let methods = all().filter(|_| options.methods).map(|(class, method, name)| InspectedMethod {
        id: method.id.get(),
        name,
        source: class.source.clone(),
        line: method.line,
        digest: method.digest.to_string(),
        root: method.root,
    });
    let mut skipped: BTreeMap<SkipReason, usize> = BTreeMap::new();
    for skip in &manifest.skips {
        *skipped.entry(skip.reason).or_default() += 1;
    }
    for (reason, count) in &manifest.skip_counts {
        *skipped.entry(*reason).or_default() += *count as usize;
    }
    Ok(Some(Inspection {
        path: file.path.clone(),
        source: file.origin.as_ref().map(|(_, origin)| origin.source.clone()),
        tool: manifest.tool.clone(),
        plan: manifest.plan.to_string(),
        placement: manifest.placement,
        module: manifest.module.clone(),
        ids: manifest.ids,
        class_count: manifest.classes.len(),
        method_count: manifest.methods().count(),
        has_roots: manifest.has_roots,
        roots: all().filter(|(_, method, _)| method.root).map(|(_, _, name)| name).collect(),
        root_selectors: manifest.roots.clone(),
        scheme: manifest.scheme,
        call_graph: manifest.call_graph,
        runtime: runtime(&file.runtime),
        flags: match &file.origin {
            Some((out, origin)) => Sidecar::with(origin.clone()).flags(out, &Run::default())?,
            None => Vec::new(),
        },
        skipped,
        skips: if options.skips { manifest.skips.clone() } else { Vec::new() },
        methods: methods.collect(),
    }))
}

fn runtime(place: &RuntimeAt) -> Option<String> {
    match place {
        RuntimeAt::Here => Some("in this file".to_owned()),
        RuntimeAt::At(path) => Some(path.display().to_string()),
        RuntimeAt::Elsewhere => Some("in the jar whose Class-Path names this file".to_owned()),
        RuntimeAt::Missing(_) => None,
    }
}
