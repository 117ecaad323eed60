//! The dry run: it selects as a rewriting does, rewrites in memory, and writes nothing.

mod dot;
mod json;
mod method_table;
mod outcome;
mod paths;

pub use method_table::{KeyRef, MethodTable};
pub use outcome::{Analysis, InputRow, PlanOutcome, PlanReason, PlanRequest, Planned};
pub use paths::{PathAnswer, PathLink};

use crate::{
    error::Result,
    method_finder::MethodFinder,
    progress::{Observer, Stage, StageProgress},
    rewrite::{Job, Sizes, TriedInput, TriedMethod, try_one},
    root_query::{RootQuery, StartReason},
    select::{self, Selected},
    sources::Source,
    summaries::Summaries,
};
use jfathom_plan::{LineRange, MethodKey, ProbeKind, Skip};
use jfathom_reachability::MethodIx;
use method_table::{KeyNumber, Row};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    io::{self, Write},
};

/// Finds out what a rewriting would instrument; nothing is written.
///
/// # Errors
/// Fails if the request is wrong, or if an input cannot be read.
pub fn plan(request: &PlanRequest<'_>, observer: &dyn Observer) -> Result<PlanOutcome> {
    select::select(
        request.selection,
        None,
        observer,
        |_| 0,
        |mut selected| {
            let mut outcome = gather(request, &mut selected, observer)?;
            outcome.dot = match &selected.query {
                Some(query) if request.graph => Some(dot::write(&outcome, query)),
                _ => None,
            };
            Ok(outcome)
        },
    )
}

/// Rewrites in memory and gathers the results.
fn gather(
    request: &PlanRequest<'_>,
    selected: &mut Selected<'_>,
    observer: &dyn Observer,
) -> Result<PlanOutcome> {
    let selection = request.selection;
    let work = jfathom_archive::Work::default();
    let mut notices = std::mem::take(&mut selected.notices);
    let job = Job::new(selected, selection);
    let entries = select::entries(selected.sources.iter().copied());
    let progress = StageProgress::start(observer, Stage::Planning, entries);
    let mut tried = Vec::with_capacity(selected.sources.len());
    for (at, source) in selected.sources.iter().enumerate() {
        tried.push(try_one(at, source, &job, work, &progress)?);
        progress.next_input(source.entries);
    }
    drop(progress);
    let summaries = selected.summaries;
    notices.extend(tried.iter_mut().flat_map(|input| std::mem::take(&mut input.notices)));
    let has_roots = selected.plan.has_roots;
    let methods = methods(&tried, summaries, has_roots, selected.query.as_ref());
    let rows = selected.sources.iter().zip(tried.iter_mut()).enumerate();
    let inputs: Vec<InputRow> =
        rows.map(|(at, (source, input))| row(at, source, input, summaries)).collect();
    let abstract_methods = tried.iter().map(|input| input.abstract_methods).sum();
    let hand_offs = tried.iter().map(|input| input.hand_offs).sum();
    let paths = match &mut selected.query {
        Some(query) => paths::answer(request.why, query, summaries, &methods, &inputs)?,
        None => Vec::new(),
    };
    let sizes = inputs.iter().fold(Sizes::default(), |all, input| all.plus(input.sizes));
    Ok(PlanOutcome {
        selection: selection.clone(),
        placement: selected.placement,
        all_methods: inputs.iter().map(|input| input.all_methods).sum(),
        all_classes: inputs.iter().map(|input| input.all_classes).sum(),
        methods,
        inputs,
        abstract_methods,
        sizes,
        hand_offs,
        analysis: selected.query.as_ref().map(|query| analysis(query, request.verbose)),
        paths,
        dot: None,
        sources: selected.sources.iter().map(|source| source.origin.clone()).collect(),
        notices,
    })
}

/// The instrumented methods, each with the reason for it.
fn methods(
    tried: &[TriedInput],
    summaries: &Summaries,
    has_roots: bool,
    query: Option<&RootQuery<'_>>,
) -> MethodTable {
    let mut methods = MethodTable::default();
    let finder = query.map(|query| (query, MethodFinder::new(query, summaries)));
    let mut keys: HashMap<MethodIx, KeyNumber> = HashMap::new();
    for (input, tried) in tried.iter().enumerate() {
        for TriedMethod { class, method, kind, region } in &tried.methods {
            let Some(of_class) = summaries.classes.get(*class) else { continue };
            let Some(summary) = of_class.methods.get(*method) else { continue };
            let known = finder
                .as_ref()
                .and_then(|(query, finder)| Some((*query, finder.method(*class, *method)?)))
                .filter(|(query, known)| query.world.has_code(*known));
            let step = known.and_then(|(query, known)| paths::last_step(query, known));
            let (why, before) = match step {
                _ if region.is_some() && *kind == ProbeKind::Root => {
                    (PlanReason::Start(StartReason::Root), None)
                }
                _ if region.is_some() => (PlanReason::Selected, None),
                Some(step) => step,
                None if query.is_some() => (PlanReason::OtherVersion, None),
                None if *kind == ProbeKind::Root => (PlanReason::Start(StartReason::Root), None),
                None => (PlanReason::Selected, None),
            };
            let region_name = region.map(|lines| lines.region_name(&summary.name));
            let own_key = |methods: &mut MethodTable| {
                methods.key(KeyRef {
                    class: &of_class.name,
                    name: region_name.as_ref().unwrap_or(&summary.name),
                    descriptor: &summary.descriptor,
                })
            };
            let key = match known {
                Some((_, known)) if region.is_none() => {
                    *keys.entry(known).or_insert_with(|| own_key(&mut methods))
                }
                _ => own_key(&mut methods),
            };
            let from = query.zip(before).map(|(query, before)| {
                let key = || methods.key(KeyRef::from(&query.world.key(before)));
                *keys.entry(before).or_insert_with(key)
            });
            let kind = match (*kind, has_roots) {
                (ProbeKind::Root, _) => ProbeKind::Root,
                (_, true) => ProbeKind::InRoot,
                (_, false) => ProbeKind::Always,
            };
            let source = of_class.source.as_deref().map(|source| methods.text(source));
            let line = region.map(LineRange::first).or(summary.first_line);
            let input = input as u32;
            methods.push(Row { key, from, source, input, line, kind, why });
        }
    }
    methods
}

fn row(at: usize, source: &Source, tried: &mut TriedInput, summaries: &Summaries) -> InputRow {
    let classes = summaries.classes.get(summaries.range(at)).unwrap_or_default();
    let with_code = classes
        .iter()
        .flat_map(|class| &class.methods)
        .filter(|method| method.code_length.is_some());
    let is_signature = |name: &str| {
        name.starts_with("META-INF/") && name.ends_with(".SF") && !name[9..].contains('/')
    };
    InputRow {
        name: source.input.location().to_string(),
        module: source.module.clone(),
        is_jdk: source.java_home.is_some(),
        all_methods: summaries.is_whole().then(|| with_code.count()),
        all_classes: tried.classes,
        methods: tried.methods.len(),
        changed: tried.changed,
        sizes: tried.sizes,
        is_signed: source.input.names().filter_map(|name| name.as_str()).any(is_signature),
        skips: std::mem::take(&mut tried.skips),
    }
}

fn analysis(query: &RootQuery<'_>, verbose: bool) -> Analysis {
    let statistics = &query.statistics;
    let world = &query.world;
    let missing = query.reached.missing(world);
    let of_program = |&method: &MethodIx| {
        world.is_program(world.class_of_method(method)) && world.has_code(method)
    };
    let groups = query.reached.cycles().into_iter().map(|group| {
        let mut group: Vec<MethodKey> =
            group.into_iter().filter(of_program).map(|method| world.key(method)).collect();
        group.sort();
        group
    });
    let mut recursion: Vec<Vec<MethodKey>> = groups.filter(|group| !group.is_empty()).collect();
    recursion.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    Analysis {
        roots: query.roots.clone(),
        assumed: query.assumed.clone(),
        objects: query.objects.clone(),
        profiled: query.profiled.clone(),
        jdk: query.jdk.clone(),
        methods: statistics.methods,
        jdk_methods: statistics.jdk_methods,
        call_sites: statistics.call_sites,
        reflective: statistics.reflective,
        unfollowed: statistics.unfollowed.clone(),
        unnamed: query.unnamed.clone(),
        missing,
        recursion,
        notices: query.notices(verbose),
    }
}

impl PlanOutcome {
    /// Writes the JSON document of the plan on one line (`docs/reference/json.md`), piece by piece.
    ///
    /// # Errors
    /// Fails if a path is not UTF-8, or if `out` cannot be written.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        json::write(self, out)
    }

    /// How many methods each reason has, most first.
    pub fn by_reason(&self) -> Vec<(PlanReason, usize)> {
        ranked(self.methods.iter().map(|method| method.why))
    }

    /// How many methods each package has, most first; the unnamed package is empty.
    pub fn by_package(&self) -> Vec<(&str, usize)> {
        ranked(
            self.methods
                .iter()
                .map(|method| method.key.class.rsplit_once('/').map_or("", |(package, _)| package)),
        )
    }

    /// The number of classes with such a method.
    pub fn classes(&self) -> usize {
        let classes: BTreeSet<(usize, &str)> =
            self.methods.iter().map(|method| (method.input, method.key.class)).collect();
        classes.len()
    }

    /// The skipped classes and methods of all inputs.
    pub fn skips(&self) -> impl Iterator<Item = &Skip> {
        self.inputs.iter().flat_map(|input| &input.skips)
    }
}

fn ranked<T: Ord + Copy>(items: impl Iterator<Item = T>) -> Vec<(T, usize)> {
    let mut counts = BTreeMap::new();
    for item in items {
        *counts.entry(item).or_insert(0) += 1;
    }
    let mut counts: Vec<(T, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}
