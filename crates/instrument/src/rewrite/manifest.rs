//! The manifest of an output.

use super::input::{Found, Job};
use crate::sources::Source;
use jfathom_plan::{
    IdRange, InstrumentedMethod, Manifest, ManifestClass, MethodId, ProbeKind, Selector, SkipReason,
};
use jfathom_rewriter::Instrumented;
use std::collections::{BTreeMap, HashMap};

/// The manifest of an input without an instrumented method.
pub(super) fn empty(job: &Job) -> Manifest {
    Manifest {
        tool: job.selection.tool.to_owned(),
        plan: job.plan_id,
        placement: job.placement,
        module: None,
        ids: IdRange { start: job.plan.ids.start, len: 0 },
        has_roots: job.plan.has_roots,
        roots: job.selection.roots.iter().map(Selector::to_string).collect(),
        scheme: job.selection.scheme(),
        call_graph: job.selection.call_graph(),
        pinned: job.selection.pin_probes,
        classes: Vec::new(),
        skips: Vec::new(),
        skip_counts: BTreeMap::new(),
        unfollowed: job.unfollowed.clone(),
    }
}

/// The manifest of an input, in the order of the input whatever the order of the threads.
pub(super) fn describe(number: usize, source: &Source, job: &Job, found: &mut Found) -> Manifest {
    found.done.sort_by_key(|(class, _)| *class);
    found.skips.sort_by_key(|(class, _)| *class);
    let mut manifest = Manifest {
        module: source.module.clone(),
        ids: job.summaries.ids(number, job.plan),
        skips: job.summaries.skips(number).to_vec(),
        ..empty(job)
    };
    let mut code_before = 0;
    for (class, done) in &found.done {
        let (Some(summary), Some(chosen)) =
            (job.summaries.classes.get(*class), job.plan.classes.get(*class))
        else {
            continue;
        };
        let done: HashMap<MethodId, Instrumented> =
            done.iter().map(|method| (method.id, *method)).collect();
        let mut methods: Vec<InstrumentedMethod> = Vec::with_capacity(done.len());
        // Plans keep the order of the class file, so that one pass finds the summary of each
        // method.
        let mut summaries = summary.methods.iter();
        for plan in &chosen.plan.methods {
            let method = summaries
                .find(|method| method.name == plan.name && method.descriptor == plan.descriptor);
            let Some((method, done)) = method.zip(done.get(&plan.id)) else { continue };
            code_before += u64::from(method.code_length.unwrap_or(0));
            methods.push(InstrumentedMethod {
                id: plan.id,
                name: plan.name.clone(),
                descriptor: plan.descriptor.clone(),
                line: method.first_line,
                digest: method.digest,
                root: plan.kind == ProbeKind::Root,
                trivial: method.trivial,
                waits: method.waits,
                pinned: done.pinned,
            });
        }
        if !methods.is_empty() {
            manifest.classes.push(ManifestClass {
                name: summary.name.clone(),
                source: summary.source.clone(),
                methods,
            });
        }
    }
    found.sizes.code.0 = code_before;
    let mut abstract_methods = 0;
    for chosen in job.plan.classes.get(job.summaries.range(number)).unwrap_or_default() {
        manifest.skips.extend(chosen.skips.iter().cloned());
        abstract_methods += chosen.abstract_methods;
    }
    manifest.skips.extend(found.skips.iter().flat_map(|(_, skips)| skips.iter().cloned()));
    if abstract_methods > 0 {
        manifest.skip_counts.insert(SkipReason::Abstract, abstract_methods);
    }
    manifest
}

/// The roots of a manifest, as selectors.
pub(super) fn roots(manifest: &Manifest) -> Vec<String> {
    let roots = manifest.methods().filter(|(_, method)| method.root);
    roots
        .map(|(class, method)| {
            format!("{}::{}{}", class.name.replace('/', "."), method.name, method.descriptor)
        })
        .collect()
}
