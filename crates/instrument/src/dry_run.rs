//! The dry run: it selects as a rewriting does, rewrites in memory, and writes nothing.

mod dot;
mod json;
mod paths;

pub use paths::{PathAnswer, PathLink};

use crate::{
    error::Result,
    progress::{Observer, Stage, StageProgress},
    rewrite::{Job, Sizes, TriedInput, try_one},
    root_query::{ObjectSource, ProfiledCalls, RootQuery, StartReason, Unnamed},
    select::{self, Selected},
    selection::Selection,
    sources::Source,
    summaries::Summaries,
};
use jfathom_archive::Notice;
use jfathom_plan::{MethodKey, Placement, ProbeKind, Selector, Skip, SkipReason, UnfollowedCounts};
use jfathom_reachability::{MethodIx, Missing, Reason};
use jfathom_world::JdkInfo;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

/// A dry run.
#[derive(Clone, Copy, Debug)]
pub struct PlanRequest<'a> {
    /// The inputs and the methods to instrument.
    pub selection: &'a Selection,
    /// Selectors of methods whose shortest paths from a root are wanted.
    pub why: &'a [Selector],
    /// Draw the graph of the instrumented methods.
    pub graph: bool,
    /// Report also notices about speed.
    pub verbose: bool,
}

/// What a rewriting would instrument.
#[derive(Debug)]
pub struct PlanOutcome {
    /// The selection that it is about.
    pub selection: Selection,
    /// Where the runtime would be.
    pub placement: Placement,
    /// Methods with code in all inputs; `None` if not all classes were read.
    pub all_methods: Option<usize>,
    /// Classes in all inputs.
    pub all_classes: usize,
    /// The methods to instrument, in the order of the inputs.
    pub methods: Vec<Planned>,
    /// The inputs.
    pub inputs: Vec<InputRow>,
    /// Selected methods without code.
    pub abstract_methods: u32,
    /// Sizes of all inputs.
    pub sizes: Sizes,
    /// Hand-offs that would be followed.
    pub hand_offs: u64,
    /// The reachability analysis of the roots, if there was one.
    pub analysis: Option<Analysis>,
    /// The answers to [`PlanRequest::why`].
    pub paths: Vec<PathAnswer>,
    /// The graph in Graphviz's language, if requested.
    pub dot: Option<String>,
    /// The absolute paths of the inputs.
    pub sources: Vec<PathBuf>,
    /// Notices of the archive crate.
    pub notices: Vec<Notice>,
}

/// The result of a reachability analysis.
#[derive(Debug)]
pub struct Analysis {
    /// The roots.
    pub roots: Vec<MethodKey>,
    /// Methods taken as called.
    pub assumed: Vec<MethodKey>,
    /// The methods whose instantiations virtual calls consider.
    pub objects: ObjectSource,
    /// The part of profiles in it.
    pub profiled: Option<ProfiledCalls>,
    /// The JDK that the program runs on.
    pub jdk: JdkInfo,
    /// The program's methods with code in the call subgraph, selected or not.
    pub methods: usize,
    /// The JDK's methods in the call subgraph, with or without code.
    pub jdk_methods: usize,
    /// Call sites in the call subgraph.
    pub call_sites: usize,
    /// Methods that only reflection calls.
    pub reflective: usize,
    /// What could not be followed.
    pub unfollowed: UnfollowedCounts,
    /// Methods that load classes by unknown names.
    pub unnamed: Unnamed,
    /// Classes and methods that are missing from inputs and JDK.
    pub missing: Vec<Missing>,
    /// Groups of methods that call each other in cycles, largest first.
    pub recursion: Vec<Vec<MethodKey>>,
    /// Reasons why the answer may surprise.
    pub notices: Vec<String>,
}

/// One input.
#[derive(Debug)]
pub struct InputRow {
    /// As the user named it; `jrt:/NAME` for a JDK module.
    pub name: String,
    /// The module that it declares.
    pub module: Option<String>,
    /// Whether it is a JDK module.
    pub is_jdk: bool,
    /// Its methods with code; `None` if not all classes were read.
    pub all_methods: Option<usize>,
    /// Its classes.
    pub all_classes: usize,
    /// Its methods to instrument.
    pub methods: usize,
    /// Its classes that would be changed.
    pub changed: usize,
    /// Its sizes.
    pub sizes: Sizes,
    /// Whether it is a signed jar.
    pub is_signed: bool,
    /// Its classes and methods that would be skipped.
    pub skips: Vec<Skip>,
}

/// One method that would be instrumented.
#[derive(Debug)]
pub struct Planned {
    /// The method.
    pub key: MethodKey,
    /// The index of its input.
    pub input: usize,
    /// Its source file.
    pub source: Option<String>,
    /// Its first line.
    pub line: Option<u16>,
    /// The kind of its probes.
    pub kind: ProbeKind,
    /// Why it is in the plan.
    pub why: PlanReason,
    /// The program's method before it on the shortest path; `None` at the start of a path.
    pub from: Option<MethodKey>,
}

/// Why a method is in the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlanReason {
    /// The selectors choose it, without an analysis.
    Selected,
    /// The analysis starts from it.
    Start(StartReason),
    /// The last step of its shortest path.
    Step(Reason),
    /// It is in a version of a class of the call subgraph that the JDK at hand does not load.
    OtherVersion,
}

impl PlanReason {
    /// In lower case, words apart: `virtual call`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Selected => "selected",
            Self::Start(StartReason::Root) => "root",
            Self::Start(StartReason::Assumed) => "assumed",
            Self::Start(StartReason::Profiled) => "profiled",
            Self::Step(reason) => reason.name(),
            Self::OtherVersion => "other version",
        }
    }
}

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
    let work = select::work(selection);
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
    let methods = methods(&tried, selected.query.as_ref());
    let rows = selected.sources.iter().zip(tried.iter_mut()).enumerate();
    let inputs: Vec<InputRow> =
        rows.map(|(at, (source, input))| row(at, source, input, summaries)).collect();
    let abstract_methods =
        tried.iter().filter_map(|input| input.manifest.omitted.get(&SkipReason::Abstract)).sum();
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

/// The methods of the manifests, each with the reason for it.
fn methods(tried: &[TriedInput], query: Option<&RootQuery<'_>>) -> Vec<Planned> {
    let reasons = query.map(paths::last_steps).unwrap_or_default();
    let mut methods = Vec::new();
    for (input, tried) in tried.iter().enumerate() {
        for (class, method) in tried.manifest.methods() {
            let key = MethodKey {
                class: class.name.clone(),
                name: method.name.clone(),
                descriptor: method.descriptor.clone(),
            };
            let (why, from) = match (reasons.get(&key), query) {
                (Some((why, from)), _) => (*why, from.clone()),
                (None, Some(_)) => (PlanReason::OtherVersion, None),
                (None, None) if method.root => (PlanReason::Start(StartReason::Root), None),
                (None, None) => (PlanReason::Selected, None),
            };
            let kind = match (method.root, tried.manifest.rooted) {
                (true, _) => ProbeKind::Root,
                (false, true) => ProbeKind::InRoot,
                (false, false) => ProbeKind::Always,
            };
            let (source, line) = (class.source.clone(), method.line);
            methods.push(Planned { key, input, source, line, kind, why, from });
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
        name: source.input.place().to_string(),
        module: source.module.clone(),
        is_jdk: source.java_home.is_some(),
        all_methods: summaries.is_whole().then(|| with_code.count()),
        all_classes: tried.classes,
        methods: tried.manifest.methods().count(),
        changed: tried.changed,
        sizes: tried.sizes,
        is_signed: source.input.names().filter_map(|name| name.as_str()).any(is_signature),
        skips: std::mem::take(&mut tried.manifest.skips),
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
    /// The JSON document of the plan on one line (`docs/plan-json.md`).
    ///
    /// # Errors
    /// Fails if a path is not UTF-8.
    pub fn to_json(&self) -> Result<String> {
        json::write(self)
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
            self.methods.iter().map(|method| (method.input, &*method.key.class)).collect();
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
