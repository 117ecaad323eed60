//! The manifest of an output.

use super::input::{Found, Job};
use crate::sources::Source;
use jfathom_plan::{
    ClassCalls, ClassChoice, ClassSummary, IdRange, InstrumentedMethod, KnownInterface, Manifest,
    ManifestClass, MethodKey, MethodPlan, MethodSummary, ProbeKind, RegionPlan, ResumptionPlan,
    Skip, SkipReason, signature_hash,
};
use jfathom_rewriter::Instrumented;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The manifest of an input without an instrumented method.
pub(super) fn empty(job: &Job) -> Manifest {
    Manifest {
        tool: job.selection.tool.to_owned(),
        plan: job.plan_id,
        placement: job.placement,
        module: None,
        ids: IdRange { start: job.plan.ids.start, len: 0 },
        has_roots: job.plan.has_roots,
        roots: job.selection.root_texts(),
        scheme: job.selection.scheme(),
        call_graph: job.selection.call_graph(),
        classes: Vec::new(),
        skips: Vec::new(),
        skip_counts: BTreeMap::new(),
        interfaces: Vec::new(),
        unfollowed: job.unfollowed.clone(),
    }
}

/// The manifest of an input, in the order of the input whatever the order of the threads.
pub(super) fn describe(number: usize, source: &Source, job: &Job, found: &mut Found) -> Manifest {
    found.sort();
    let mut manifest = Manifest {
        module: source.module.clone(),
        ids: job.summaries.ids(number, job.plan),
        skips: skips(number, job, found),
        ..empty(job)
    };
    let signatures = signatures(job);
    let mut code_before = 0;
    let mut last = None;
    each_method(job, found, |(class, _), method, plan, done| {
        if let Planned::Method(_) = plan {
            code_before += u64::from(method.code_length.unwrap_or(0));
        }
        if last.replace(class) != Some(class)
            && let Some(summary) = job.summaries.classes.get(class)
        {
            manifest.classes.push(ManifestClass {
                name: summary.name.clone(),
                source: summary.source.clone(),
                methods: Vec::new(),
                calls: calls_of(summary, &signatures),
            });
        }
        if let Some(of_class) = manifest.classes.last_mut() {
            of_class.methods.push(describe_method(method, plan, done));
        }
    });
    for class in &mut manifest.classes {
        class.methods.sort_by_key(|method| method.id);
    }
    manifest.interfaces = interfaces(number, job, &manifest.classes);
    found.sizes.code.0 = code_before;
    let abstract_methods = abstract_methods(number, job);
    if abstract_methods > 0 {
        manifest.skip_counts.insert(SkipReason::Abstract, abstract_methods);
    }
    manifest
}

/// The signatures of all methods of the plan.
fn signatures(job: &Job) -> HashSet<u32> {
    let methods = job.plan.classes.iter().flat_map(|chosen| &chosen.plan.methods);
    methods.map(|plan| signature_hash(plan.name.as_bytes(), plan.descriptor.as_bytes())).collect()
}

/// The selected interfaces of an input without code that are above classes of its manifest.
fn interfaces(number: usize, job: &Job, classes: &[ManifestClass]) -> Vec<KnownInterface> {
    let summaries = job.summaries.classes.get(job.summaries.range(number)).unwrap_or_default();
    let without_code = choices(number, job).iter().zip(summaries).filter(|(chosen, summary)| {
        chosen.abstract_methods > 0
            && summary.methods.iter().all(|method| method.code_length.is_none())
    });
    let mut known: HashMap<&str, &ClassSummary> =
        without_code.map(|(_, summary)| (summary.name.as_str(), summary)).collect();
    let mut open: Vec<&String> = classes.iter().flat_map(|class| &class.calls.interfaces).collect();
    let mut found = Vec::new();
    while let Some(name) = open.pop() {
        let Some(summary) = known.remove(name.as_str()) else { continue };
        open.extend(&summary.interfaces);
        found.push(KnownInterface { name: name.clone(), above: summary.interfaces.clone() });
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

fn calls_of(summary: &ClassSummary, signatures: &HashSet<u32>) -> ClassCalls {
    summary.calls.without_jdk(|signature| signatures.contains(&signature))
}

/// What a plan names: a method, a region of it, or its resumptions.
#[derive(Clone, Copy)]
pub(super) enum Planned<'p> {
    Method(&'p MethodPlan),
    Region(&'p RegionPlan),
    Resumptions(&'p ResumptionPlan),
}

impl Planned<'_> {
    pub(super) fn kind(self) -> ProbeKind {
        match self {
            Self::Method(plan) => plan.kind,
            Self::Region(plan) => plan.kind,
            Self::Resumptions(_) => ProbeKind::InRoot,
        }
    }
}

fn describe_method(
    method: &MethodSummary,
    plan: Planned<'_>,
    done: &Instrumented,
) -> InstrumentedMethod {
    let of_method = InstrumentedMethod {
        id: done.id,
        name: method.name.clone(),
        descriptor: method.descriptor.clone(),
        line: method.first_line,
        digest: method.digest,
        root: plan.kind() == ProbeKind::Root,
        trivial: method.trivial,
        waits: method.waits,
        resumes: method.resumes,
        counted: done.counted,
        region: None,
    };
    match plan {
        Planned::Method(_) => of_method,
        Planned::Resumptions(plan) => of_method.resumptions(plan.id),
        Planned::Region(plan) => InstrumentedMethod {
            name: plan.name(),
            line: Some(plan.lines.first()),
            digest: InstrumentedMethod::region_digest(method.digest, method.first_line, plan.lines),
            trivial: false,
            region: Some(plan.lines),
            ..of_method
        },
    }
}

/// Calls `each` for the instrumented methods, the regions and then the resumptions of each class in
/// the order of the summaries: with the indices of class and method, the summary, the plan, and the
/// result. `found` is sorted.
pub(super) fn each_method(
    job: &Job,
    found: &Found,
    mut each: impl FnMut((usize, usize), &MethodSummary, Planned<'_>, &Instrumented),
) {
    for (class, done) in &found.done {
        let (Some(summary), Some(chosen)) =
            (job.summaries.classes.get(*class), job.plan.classes.get(*class))
        else {
            continue;
        };
        let mut done: Vec<&Instrumented> = done.iter().collect();
        done.sort_unstable_by_key(|method| method.id);
        let result = |id| {
            let at = done.binary_search_by_key(&id, |method| method.id).ok()?;
            done.get(at).copied()
        };
        // Plans keep the order of the class file, so that one pass finds the summary of each
        // method.
        let mut summaries = summary.methods.iter().enumerate();
        for plan in &chosen.plan.methods {
            let method = summaries.find(|(_, method)| {
                method.name == plan.name && method.descriptor == plan.descriptor
            });
            if let (Some((at, method)), Some(result)) = (method, result(plan.id)) {
                each((*class, at), method, Planned::Method(plan), result);
            }
        }
        let of_name = |name: &str, descriptor: &str| {
            let mut methods = summary.methods.iter().enumerate();
            methods.find(|(_, method)| method.name == name && method.descriptor == descriptor)
        };
        let regions =
            chosen.plan.regions.iter().map(|plan| {
                (plan.id, of_name(&plan.method, &plan.descriptor), Planned::Region(plan))
            });
        let resumptions = chosen.plan.resumptions.iter().map(|plan| {
            (plan.id, of_name(&plan.method, &plan.descriptor), Planned::Resumptions(plan))
        });
        for (id, method, plan) in regions.chain(resumptions) {
            if let (Some((at, method)), Some(result)) = (method, result(id)) {
                each((*class, at), method, plan, result);
            }
        }
    }
}

/// The skipped classes and methods of an input. `found` is sorted.
pub(super) fn skips(number: usize, job: &Job, found: &Found) -> Vec<Skip> {
    let unreadable = job.summaries.skips(number).iter();
    let chosen = choices(number, job).iter().flat_map(|chosen| &chosen.skips);
    let refused = found.skips.iter().flat_map(|(_, skips)| skips);
    unreadable.chain(chosen).chain(refused).cloned().collect()
}

/// The number of selected abstract methods of an input.
pub(super) fn abstract_methods(number: usize, job: &Job) -> u32 {
    choices(number, job).iter().map(|chosen| chosen.abstract_methods).sum()
}

fn choices<'a>(number: usize, job: &Job<'a>) -> &'a [ClassChoice] {
    job.plan.classes.get(job.summaries.range(number)).unwrap_or_default()
}

/// The roots of a manifest, as selectors.
pub(super) fn roots(manifest: &Manifest) -> Vec<String> {
    let roots = manifest.methods().filter(|(_, method)| method.root);
    roots
        .map(|(class, method)| {
            let (name, descriptor) = (method.name.clone(), method.descriptor.clone());
            MethodKey { class: class.name.clone(), name, descriptor }.selector()
        })
        .collect()
}
