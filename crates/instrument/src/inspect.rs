//! Reads what the manifests of rewritten files say.

mod code;

pub use code::{CodeListing, code_listings};

use crate::{
    error::{Error, Result},
    rewritten::{Rewritten, RuntimeAt, files},
    sidecar::{Run, Sidecar},
};
use jfathom_plan::{
    InspectedMethod, Inspection, InstrumentedMethod, MANIFEST_PATH, MethodKey, SkipReason,
};
use std::{collections::BTreeMap, path::Path};

/// Which lists an inspection has.
#[derive(Clone, Copy, Debug, Default)]
pub struct InspectOptions {
    /// The skipped classes and methods.
    pub skips: bool,
    /// The instrumented methods.
    pub methods: bool,
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
    let listed = |(_, method, _): &(_, &InstrumentedMethod, _)| method.resumed_method().is_none();
    let methods = all().filter(|_| options.methods).filter(listed).map(|(class, method, name)| {
        InspectedMethod {
            id: method.id.get(),
            name,
            source: class.source.clone(),
            line: method.line,
            digest: method.digest.to_string(),
            root: method.root,
            counted_only: method.counted,
        }
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
        method_count: manifest.method_count(),
        counted_only: manifest.counted_only(),
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
