//! The JSON form of a dry run (`docs/plan-json.md`).

use super::{PathAnswer, PathLink, PlanReason, Report, report::WalkFacts};
use crate::{rewrite::Sizes, select::ObjectSource};
use anyhow::{Context, Result};
use jfathom_plan::{MethodKey, Placement, ProbeKind, Skip, SkipReason, UnfollowedCounts};
use serde::Serialize;
use std::{collections::BTreeMap, path::PathBuf};

/// Version of the format.
const VERSION: u32 = 1;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    format: &'static str,
    version: u32,
    tool: &'static str,
    placement: Placement,
    policy: Option<&'static str>,
    root_selectors: Vec<String>,
    totals: Totals,
    by_reason: BTreeMap<String, usize>,
    by_package: BTreeMap<String, usize>,
    left_alone: BTreeMap<SkipReason, usize>,
    inputs: Vec<Input<'a>>,
    methods: Vec<Method<'a>>,
    skips: Vec<SkipRow<'a>>,
    walk: Option<Walked<'a>>,
    why: Vec<Answer<'a>>,
    notices: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Totals {
    #[serde(skip_serializing_if = "Option::is_none")]
    all_methods: Option<usize>,
    all_classes: usize,
    methods: usize,
    classes: usize,
    changed_classes: usize,
    hand_offs: u64,
    code_bytes: BeforeAfter,
    class_bytes: BeforeAfter,
}

#[derive(Serialize)]
struct BeforeAfter {
    before: u64,
    after: u64,
}

impl From<(u64, u64)> for BeforeAfter {
    fn from((before, after): (u64, u64)) -> Self {
        Self { before, after }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Input<'a> {
    path: &'a str,
    module: Option<&'a str>,
    jdk: bool,
    signed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    all_methods: Option<usize>,
    all_classes: usize,
    methods: usize,
    changed_classes: usize,
    code_bytes: BeforeAfter,
    class_bytes: BeforeAfter,
}

#[derive(Serialize)]
struct Method<'a> {
    #[serde(flatten)]
    key: &'a MethodKey,
    input: usize,
    source: Option<&'a str>,
    line: Option<u16>,
    kind: ProbeKind,
    reason: String,
    from: Option<&'a MethodKey>,
}

#[derive(Serialize)]
struct SkipRow<'a> {
    input: usize,
    #[serde(flatten)]
    skip: &'a Skip,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Walked<'a> {
    roots: &'a [MethodKey],
    also: &'a [MethodKey],
    objects: Source<'a>,
    jdk: Jdk<'a>,
    reached_methods: usize,
    reached_jdk_methods: usize,
    call_sites: usize,
    reflective_methods: usize,
    unfollowed: &'a UnfollowedCounts,
    unnamed: &'a [MethodKey],
    missing: Vec<Absent<'a>>,
    recursion: &'a [Vec<MethodKey>],
    seen: Option<SeenRow<'a>>,
}

#[derive(Serialize)]
struct Source<'a> {
    from: &'static str,
    entries: &'a [MethodKey],
}

#[derive(Serialize)]
struct Jdk<'a> {
    home: String,
    release: u16,
    version: &'a str,
}

#[derive(Serialize)]
struct Absent<'a> {
    what: &'a str,
    references: usize,
    from: &'a MethodKey,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SeenRow<'a> {
    profiles: &'a [PathBuf],
    called: usize,
    unknown: usize,
    found_only: &'a [MethodKey],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    method: &'a MethodKey,
    way: Option<Vec<LinkRow<'a>>>,
    by_hierarchy: Option<Vec<LinkRow<'a>>>,
    not_instrumented: Option<&'a str>,
}

#[derive(Serialize)]
struct LinkRow<'a> {
    #[serde(flatten)]
    method: &'a MethodKey,
    reason: String,
    how: &'a str,
    jdk: bool,
}

/// One document on one line.
pub(super) fn write(report: &Report<'_>) -> Result<String> {
    let selection = &report.args.selection;
    let Sizes { classes, code } = report.sizes;
    let mut left_alone = BTreeMap::new();
    for skip in report.skips() {
        *left_alone.entry(skip.reason).or_insert(0) += 1;
    }
    if report.without_code > 0 {
        left_alone.insert(SkipReason::Abstract, report.without_code as usize);
    }
    let walk_notices = report.walk.iter().flat_map(|walk| walk.notices.iter().cloned());
    let document = Document {
        format: "jfathom-plan",
        version: VERSION,
        tool: crate::TOOL,
        placement: report.placement,
        policy: (!selection.root.is_empty()).then(|| selection.policy.name()),
        root_selectors: selection.root.iter().map(ToString::to_string).collect(),
        totals: Totals {
            all_methods: report.all_methods,
            all_classes: report.all_classes,
            methods: report.methods.len(),
            classes: report.classes(),
            changed_classes: report.inputs.iter().map(|input| input.changed).sum(),
            hand_offs: report.hand_offs,
            code_bytes: code.into(),
            class_bytes: classes.into(),
        },
        by_reason: report.by_reason().into_iter().map(|(why, count)| (kebab(why), count)).collect(),
        by_package: report
            .by_package()
            .into_iter()
            .map(|(package, count)| (package.replace('/', "."), count))
            .collect(),
        left_alone,
        inputs: report
            .inputs
            .iter()
            .map(|input| Input {
                path: &input.name,
                module: input.module.as_deref(),
                jdk: input.is_jdk,
                signed: input.is_signed,
                all_methods: input.all_methods,
                all_classes: input.all_classes,
                methods: input.methods,
                changed_classes: input.changed,
                code_bytes: input.sizes.code.into(),
                class_bytes: input.sizes.classes.into(),
            })
            .collect(),
        methods: report
            .methods
            .iter()
            .map(|method| Method {
                key: &method.key,
                input: method.input,
                source: method.source.as_deref(),
                line: method.line,
                kind: method.kind,
                reason: kebab(method.why),
                from: method.from.as_ref(),
            })
            .collect(),
        skips: report
            .inputs
            .iter()
            .enumerate()
            .flat_map(|(input, row)| row.skips.iter().map(move |skip| SkipRow { input, skip }))
            .collect(),
        walk: report.walk.as_ref().map(walked),
        why: report.asked.iter().map(answer).collect(),
        notices: report.notices.iter().map(ToString::to_string).chain(walk_notices).collect(),
    };
    Ok(serde_json::to_string(&document).context("the plan as JSON")? + "\n")
}

fn walked(walk: &WalkFacts) -> Walked<'_> {
    Walked {
        roots: &walk.roots,
        also: &walk.also,
        objects: match &walk.objects {
            ObjectSource::Roots => Source { from: "roots", entries: &[] },
            ObjectSource::Program => Source { from: "program", entries: &[] },
            ObjectSource::Mains(entries) => Source { from: "mains", entries },
            ObjectSource::Entries(entries) => Source { from: "entries", entries },
        },
        jdk: Jdk {
            home: walk.jdk.home.display().to_string(),
            release: walk.jdk.release,
            version: &walk.jdk.version,
        },
        reached_methods: walk.reached,
        reached_jdk_methods: walk.jdk_methods,
        call_sites: walk.call_sites,
        reflective_methods: walk.reflective,
        unfollowed: &walk.unfollowed,
        unnamed: &walk.unnamed.methods,
        missing: walk
            .missing
            .iter()
            .map(|it| Absent { what: &it.what, references: it.references, from: &it.from })
            .collect(),
        recursion: &walk.recursion,
        seen: walk.seen.as_ref().map(|seen| SeenRow {
            profiles: &seen.profiles,
            called: seen.called,
            unknown: seen.unknown,
            found_only: &seen.found_only,
        }),
    }
}

fn answer(asked: &PathAnswer) -> Answer<'_> {
    Answer {
        method: &asked.method,
        way: asked.way.as_deref().map(link_rows),
        by_hierarchy: asked.by_hierarchy.as_deref().map(link_rows),
        not_instrumented: asked.not_instrumented.as_deref(),
    }
}

fn link_rows(links: &[PathLink]) -> Vec<LinkRow<'_>> {
    links
        .iter()
        .map(|PathLink { method, why, how, is_jdk }| LinkRow {
            method,
            reason: kebab(*why),
            how,
            jdk: *is_jdk,
        })
        .collect()
}

/// `virtual call` as `virtual-call`.
fn kebab(why: PlanReason) -> String {
    why.name().to_lowercase().replace(' ', "-")
}
