//! What a dry run found, for its text and its JSON.

use super::{Args, PathAnswer, chain};
use crate::{
    progress::ProgressBar,
    rewrite::{DryRun, Job, Sizes, try_one},
    select::{self, ProfiledCalls, RootQuery, Selected, Source, StartReason, Surveyed},
};
use anyhow::Result;
use jfathom_archive::Notice;
use jfathom_plan::{MethodKey, Placement, ProbeKind, Skip, SkipReason, UnfollowedCounts};
use jfathom_reachability::{Missing, Reason};
use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

/// All that is told.
pub(crate) struct Report<'a> {
    pub(crate) args: &'a Args,
    pub(crate) placement: Placement,
    /// Methods with code of all inputs; none where not all classes were read.
    pub(crate) all_methods: Option<usize>,
    /// Classes of all inputs.
    pub(crate) all_classes: usize,
    /// What would be instrumented, in the order of the inputs.
    pub(crate) methods: Vec<Planned>,
    pub(crate) inputs: Vec<InputRow>,
    /// Selected methods that have no code.
    pub(crate) without_code: u32,
    pub(crate) sizes: Sizes,
    pub(crate) hand_offs: u64,
    pub(crate) walk: Option<WalkFacts>,
    pub(crate) asked: Vec<PathAnswer>,
    pub(crate) notices: Vec<Notice>,
    pub(crate) time: Duration,
}

/// What a walk found.
pub(crate) struct WalkFacts {
    pub(crate) roots: Vec<MethodKey>,
    pub(crate) also: Vec<MethodKey>,
    pub(crate) objects: select::ObjectSource,
    pub(crate) seen: Option<ProfiledCalls>,
    pub(crate) jdk: jfathom_world::JdkInfo,
    /// The program's methods with code that are reached, whether selected or not.
    pub(crate) reached: usize,
    /// Methods of the JDK that are reached, with those that have no code.
    pub(crate) jdk_methods: usize,
    pub(crate) call_sites: usize,
    pub(crate) reflective: usize,
    pub(crate) unfollowed: UnfollowedCounts,
    pub(crate) unnamed: select::Unnamed,
    pub(crate) missing: Vec<Missing>,
    /// Methods that call each other in circles, largest group first.
    pub(crate) recursion: Vec<Vec<MethodKey>>,
    pub(crate) notices: Vec<String>,
}

/// One input.
pub(crate) struct InputRow {
    /// As the user named it; `jrt:/NAME` for a module.
    pub(crate) name: String,
    pub(crate) module: Option<String>,
    pub(crate) is_jdk: bool,
    pub(crate) all_methods: Option<usize>,
    pub(crate) all_classes: usize,
    pub(crate) methods: usize,
    pub(crate) changed: usize,
    pub(crate) sizes: Sizes,
    pub(crate) is_signed: bool,
    pub(crate) skips: Vec<Skip>,
}

/// One method that would be instrumented.
pub(crate) struct Planned {
    pub(crate) key: MethodKey,
    /// The number of its input.
    pub(crate) input: usize,
    pub(crate) source: Option<String>,
    pub(crate) line: Option<u16>,
    pub(crate) kind: ProbeKind,
    pub(crate) why: PlanReason,
    /// The method of the program before it on the shortest way; none where the way begins.
    pub(crate) from: Option<MethodKey>,
}

/// Why a method is in the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PlanReason {
    /// Everything is.
    Selected,
    /// The walk begins there.
    Start(StartReason),
    /// The last step of the shortest way to it.
    Step(Reason),
    /// It is in a version of a reached class that the JDK at hand does not load.
    OtherVersion,
}

impl PlanReason {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Selected => "selected",
            Self::Start(StartReason::Root) => "root",
            Self::Start(StartReason::Also) => "also",
            Self::Start(StartReason::Seen) => "seen",
            Self::Step(reason) => reason.name(),
            Self::OtherVersion => "other version",
        }
    }
}

/// Rewrites in memory and gathers what is told of it.
pub(super) fn gather<'a>(
    args: &'a Args,
    selected: &mut Selected<'_>,
    bar: &ProgressBar,
    start: Instant,
) -> Result<Report<'a>> {
    let work = select::work(&args.selection);
    let mut notices = std::mem::take(&mut selected.notices);
    let job = Job::new(selected, &args.selection);
    let mut tried = Vec::with_capacity(selected.sources.len());
    for (at, source) in selected.sources.iter().enumerate() {
        tried.push(try_one(at, source, &job, work, bar)?);
        bar.next(source.entries);
    }
    let surveyed = selected.surveyed;
    notices.extend(tried.iter_mut().flat_map(|it| std::mem::take(&mut it.notices)));
    let mut methods = Vec::new();
    let mut reasons = BTreeMap::new();
    if let Some(walk) = &selected.walk {
        reasons = chain::last_steps(walk);
    }
    for (input, it) in tried.iter().enumerate() {
        for (class, method) in it.manifest.methods() {
            let key = MethodKey {
                class: class.name.clone(),
                name: method.name.clone(),
                descriptor: method.descriptor.clone(),
            };
            let known = reasons.get(&key);
            let (why, from) = match (known, &selected.walk) {
                (Some((why, from)), _) => (*why, from.clone()),
                (None, Some(_)) => (PlanReason::OtherVersion, None),
                (None, None) if method.root => (PlanReason::Start(StartReason::Root), None),
                (None, None) => (PlanReason::Selected, None),
            };
            let kind = match (method.root, it.manifest.rooted) {
                (true, _) => ProbeKind::Root,
                (false, true) => ProbeKind::InRoot,
                (false, false) => ProbeKind::Always,
            };
            let (source, line) = (class.source.clone(), method.line);
            methods.push(Planned { key, input, source, line, kind, why, from });
        }
    }
    let rows = selected.sources.iter().zip(tried.iter_mut()).enumerate();
    let inputs: Vec<InputRow> =
        rows.map(|(at, (source, it))| row(at, source, it, surveyed)).collect();
    let without_code =
        tried.iter().filter_map(|it| it.manifest.omitted.get(&SkipReason::Abstract)).sum();
    let hand_offs = tried.iter().map(|it| it.hand_offs).sum();
    let asked = match &mut selected.walk {
        Some(walk) => chain::answer(args, walk, surveyed, &methods, &inputs)?,
        None => Vec::new(),
    };
    let sizes = inputs.iter().fold(Sizes::default(), |all, input| all.plus(input.sizes));
    Ok(Report {
        args,
        placement: selected.placement,
        all_methods: inputs.iter().map(|it| it.all_methods).sum(),
        all_classes: inputs.iter().map(|it| it.all_classes).sum(),
        methods,
        inputs,
        without_code,
        sizes,
        hand_offs,
        walk: selected.walk.as_ref().map(|walk| facts(walk, args.verbose)),
        asked,
        notices,
        time: start.elapsed(),
    })
}

fn row(at: usize, source: &Source, tried: &mut DryRun, surveyed: &Surveyed) -> InputRow {
    let classes = surveyed.classes.get(surveyed.range(at)).unwrap_or_default();
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
        all_methods: surveyed.is_whole().then(|| with_code.count()),
        all_classes: tried.classes,
        methods: tried.manifest.methods().count(),
        changed: tried.changed,
        sizes: tried.sizes,
        is_signed: source.input.names().filter_map(|name| name.as_str()).any(is_signature),
        skips: std::mem::take(&mut tried.manifest.skips),
    }
}

fn facts(walk: &RootQuery<'_>, verbose: bool) -> WalkFacts {
    let statistics = &walk.statistics;
    let world = &walk.world;
    let missing = walk.reached.missing(world);
    let of_program = |&method: &jfathom_reachability::MethodIx| {
        world.is_program(world.class_of_method(method)) && world.has_code(method)
    };
    let groups = walk.reached.cycles().into_iter().map(|group| {
        let mut group: Vec<MethodKey> =
            group.into_iter().filter(of_program).map(|method| world.key(method)).collect();
        group.sort();
        group
    });
    let mut recursion: Vec<Vec<MethodKey>> = groups.filter(|group| !group.is_empty()).collect();
    recursion.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    WalkFacts {
        roots: walk.roots.clone(),
        also: walk.also.clone(),
        objects: walk.objects.clone(),
        seen: walk.seen.clone(),
        jdk: walk.jdk.clone(),
        reached: statistics.methods,
        jdk_methods: statistics.jdk_methods,
        call_sites: statistics.call_sites,
        reflective: statistics.reflective,
        unfollowed: statistics.unfollowed.clone(),
        unnamed: walk.unnamed.clone(),
        missing,
        recursion,
        notices: walk.notices(verbose),
    }
}

impl Report<'_> {
    /// The methods by why they are in the plan, most first.
    pub(crate) fn by_reason(&self) -> Vec<(PlanReason, usize)> {
        ranked(self.methods.iter().map(|method| method.why))
    }

    /// The methods by package, most first; the unnamed package is empty.
    pub(crate) fn by_package(&self) -> Vec<(&str, usize)> {
        ranked(
            self.methods
                .iter()
                .map(|method| method.key.class.rsplit_once('/').map_or("", |it| it.0)),
        )
    }

    /// In how many classes the methods are.
    pub(crate) fn classes(&self) -> usize {
        let classes: BTreeSet<(usize, &str)> =
            self.methods.iter().map(|method| (method.input, &*method.key.class)).collect();
        classes.len()
    }

    /// All that was left alone.
    pub(crate) fn skips(&self) -> impl Iterator<Item = &Skip> {
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
