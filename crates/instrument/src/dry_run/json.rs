//! The JSON document of a plan (`docs/reference/json.md`).

use super::method_table::{KeyRef, MethodTable};
use super::outcome::{Analysis, PlanOutcome, PlanReason};
use super::paths::{PathAnswer, PathLink};
use crate::rewrite::Sizes;
use jfathom_plan::{
    CallGraph, MethodKey, ObjectSource, Placement, ProbeKind, Scheme, Skip, SkipReason,
    UnfollowedCounts,
};
use serde::{Serialize, Serializer};
use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::PathBuf,
};

/// Version of the format.
const VERSION: u32 = 2;

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    #[cfg_attr(test, schemars(extend("const" = "jfathom-plan")))]
    format: &'static str,
    #[cfg_attr(test, schemars(extend("const" = VERSION)))]
    version: u32,
    tool: &'static str,
    /// `main`, `boot`, `modular`, `java-base`
    #[cfg_attr(test, schemars(with = "String"))]
    placement: Placement,
    /// `static` (callees of the roots), `total`; null without roots, as `callGraph`
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    scheme: Option<Scheme>,
    /// `rta`, `cha`; null with `total`
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    call_graph: Option<CallGraph>,
    /// of `--root`; without, of `--include`
    root_selectors: Vec<String>,
    totals: Totals,
    /// methods
    by_reason: BTreeMap<String, usize>,
    /// methods
    by_package: BTreeMap<String, usize>,
    /// by reason
    #[cfg_attr(test, schemars(with = "BTreeMap<String, usize>"))]
    skipped: BTreeMap<SkipReason, usize>,
    inputs: Vec<Input<'a>>,
    #[cfg_attr(test, schemars(with = "Vec<PlannedMethod<'a>>"))]
    methods: Methods<'a>,
    skips: Vec<SkipRow<'a>>,
    /// null without roots and with `total`
    analysis: Option<AnalysisRow<'a>>,
    /// `--why`
    why: Vec<Answer<'a>>,
    notices: Vec<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct Totals {
    #[serde(skip_serializing_if = "Option::is_none")]
    /// with code; missing if large inputs were read in part
    all_methods: Option<usize>,
    all_classes: usize,
    /// to be instrumented
    methods: usize,
    /// to be instrumented
    classes: usize,
    /// more than `classes` if in some only call sites change
    changed_classes: usize,
    /// call sites to be followed
    hand_offs: u64,
    /// of the instrumented methods
    code_bytes: BeforeAfter,
    /// of all class files
    class_bytes: BeforeAfter,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct BeforeAfter {
    before: u64,
    after: u64,
}

impl From<(u64, u64)> for BeforeAfter {
    fn from((before, after): (u64, u64)) -> Self {
        Self { before, after }
    }
}

/// Numbers as in `Totals`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct Input<'a> {
    path: &'a str,
    /// of the JDK (`jrt:/NAME`)
    module: Option<&'a str>,
    jdk: bool,
    /// rewriting drops signatures
    signed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    all_methods: Option<usize>,
    all_classes: usize,
    methods: usize,
    changed_classes: usize,
    code_bytes: BeforeAfter,
    class_bytes: BeforeAfter,
}

/// The methods, written one by one: all rows of a large plan would take hundreds of megabytes.
struct Methods<'a>(&'a MethodTable);

impl Serialize for Methods<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|method| PlannedMethod {
            key: method.key,
            input: method.input,
            source: method.source,
            line: method.line,
            kind: method.kind,
            reason: kebab(method.why),
            from: method.from,
        }))
    }
}

/// A method to be instrumented.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PlannedMethod<'a> {
    #[serde(flatten)]
    key: KeyRef<'a>,
    /// place in `inputs`
    input: usize,
    source: Option<&'a str>,
    line: Option<u16>,
    /// `root`, `in-root`, `always`
    #[cfg_attr(test, schemars(with = "String"))]
    kind: ProbeKind,
    /// `selected` (no root limits the selection); `root`, `assumed`, `profiled` (the analysis
    /// starts there); `call`; `virtual-call`; `class-initialisation`; `lambda` (or method
    /// reference); `method-handle` (a constant or bootstrap method names it); `class-name` (a
    /// string names its class); `service` (`ServiceLoader` instantiates its class); `reflection`
    /// (constants name it where reflection looks it up); `jvm` (the JVM calls it); `other-version`
    /// (of a reached class, not loaded by this JDK)
    reason: String,
    /// before it on its shortest path
    from: Option<KeyRef<'a>>,
}

/// A method or class that is left out.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SkipRow<'a> {
    /// place in `inputs`
    input: usize,
    #[serde(flatten)]
    #[cfg_attr(test, schemars(with = "SkipKeys"))]
    skip: &'a Skip,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct AnalysisRow<'a> {
    /// where it starts
    #[cfg_attr(test, schemars(with = "Vec<KeyRef<'a>>"))]
    roots: &'a [MethodKey],
    /// where it starts, too
    #[cfg_attr(test, schemars(with = "Vec<KeyRef<'a>>"))]
    assumed_calls: &'a [MethodKey],
    entry_points: EntryPoints<'a>,
    jdk: Jdk<'a>,
    /// of the program: with code
    reached_methods: usize,
    reached_jdk_methods: usize,
    /// in the program's reached methods
    call_sites: usize,
    /// reached, of the program
    reflective_methods: usize,
    /// as in the report
    #[cfg_attr(test, schemars(with = "BTreeMap<String, u32>"))]
    unfollowed: &'a UnfollowedCounts,
    /// asking for unknown class names
    #[cfg_attr(test, schemars(with = "Vec<KeyRef<'a>>"))]
    unnamed: &'a [MethodKey],
    missing: Vec<Absent<'a>>,
    /// circles, largest first
    #[cfg_attr(test, schemars(with = "Vec<Vec<KeyRef<'a>>>"))]
    recursion: &'a [Vec<MethodKey>],
    /// of `--profile-use`
    profiled_calls: Option<ProfiledRow<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct EntryPoints<'a> {
    /// `roots`, `program` (any method), `mains`, `entries`
    from: &'static str,
    #[cfg_attr(test, schemars(with = "Vec<KeyRef<'a>>"))]
    entries: &'a [MethodKey],
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Jdk<'a> {
    home: String,
    release: u16,
    version: &'a str,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Absent<'a> {
    /// class or method
    what: &'a str,
    references: usize,
    /// one that refers to it
    #[cfg_attr(test, schemars(with = "KeyRef<'a>"))]
    from: &'a MethodKey,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct ProfiledRow<'a> {
    profiles: &'a [PathBuf],
    /// methods known here
    called: usize,
    /// other called methods
    unknown: usize,
    /// only by the profiles
    #[cfg_attr(test, schemars(with = "Vec<KeyRef<'a>>"))]
    found_only: &'a [MethodKey],
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    #[cfg_attr(test, schemars(with = "KeyRef<'a>"))]
    method: &'a MethodKey,
    /// from the start; null: not reached
    path: Option<Vec<LinkRow<'a>>>,
    /// if not reached: the path that `cha` finds
    cha_path: Option<Vec<LinkRow<'a>>>,
    /// why, though reached
    not_instrumented: Option<&'a str>,
}

/// A method of a path.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LinkRow<'a> {
    #[serde(flatten)]
    #[cfg_attr(test, schemars(with = "KeyRef<'a>"))]
    method: &'a MethodKey,
    reason: String,
    how: &'a str,
    jdk: bool,
}

// What a `Skip` serializes to.
#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[expect(dead_code, reason = "the schema's only")]
struct SkipKeys {
    class: String,
    /// name and descriptor; null: the class
    method: Option<String>,
    reason: String,
    detail: Option<String>,
}

/// One document on one line.
pub(super) fn write(outcome: &PlanOutcome, out: &mut dyn Write) -> io::Result<()> {
    let selection = &outcome.selection;
    let Sizes { classes, code } = outcome.sizes;
    let mut skipped = BTreeMap::new();
    for skip in outcome.skips() {
        *skipped.entry(skip.reason).or_insert(0) += 1;
    }
    if outcome.abstract_methods > 0 {
        skipped.insert(SkipReason::Abstract, outcome.abstract_methods as usize);
    }
    let analysis_notices =
        outcome.analysis.iter().flat_map(|analysis| analysis.notices.iter().cloned());
    let document = Document {
        format: "jfathom-plan",
        version: VERSION,
        tool: selection.tool,
        placement: outcome.placement,
        scheme: selection.scheme(),
        call_graph: selection.call_graph(),
        root_selectors: selection.root_texts(),
        totals: Totals {
            all_methods: outcome.all_methods,
            all_classes: outcome.all_classes,
            methods: outcome.methods.len(),
            classes: outcome.classes(),
            changed_classes: outcome.inputs.iter().map(|input| input.changed).sum(),
            hand_offs: outcome.hand_offs,
            code_bytes: code.into(),
            class_bytes: classes.into(),
        },
        by_reason: outcome
            .by_reason()
            .into_iter()
            .map(|(why, count)| (kebab(why), count))
            .collect(),
        by_package: outcome
            .by_package()
            .into_iter()
            .map(|(package, count)| (package.replace('/', "."), count))
            .collect(),
        skipped,
        inputs: outcome
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
        methods: Methods(&outcome.methods),
        skips: outcome
            .inputs
            .iter()
            .enumerate()
            .flat_map(|(input, row)| row.skips.iter().map(move |skip| SkipRow { input, skip }))
            .collect(),
        analysis: outcome.analysis.as_ref().map(analysis_row),
        why: outcome.paths.iter().map(answer_row).collect(),
        notices: outcome.notices.iter().map(ToString::to_string).chain(analysis_notices).collect(),
    };
    serde_json::to_writer(&mut *out, &document)?;
    out.write_all(b"\n")
}

fn analysis_row(analysis: &Analysis) -> AnalysisRow<'_> {
    AnalysisRow {
        roots: &analysis.roots,
        assumed_calls: &analysis.assumed,
        entry_points: match &analysis.objects {
            ObjectSource::Roots => EntryPoints { from: "roots", entries: &[] },
            ObjectSource::Program => EntryPoints { from: "program", entries: &[] },
            ObjectSource::Mains(entries) => EntryPoints { from: "mains", entries },
            ObjectSource::Entries(entries) => EntryPoints { from: "entries", entries },
        },
        jdk: Jdk {
            home: analysis.jdk.home.display().to_string(),
            release: analysis.jdk.release,
            version: &analysis.jdk.version,
        },
        reached_methods: analysis.methods,
        reached_jdk_methods: analysis.jdk_methods,
        call_sites: analysis.call_sites,
        reflective_methods: analysis.reflective,
        unfollowed: &analysis.unfollowed,
        unnamed: &analysis.unnamed.methods,
        missing: analysis
            .missing
            .iter()
            .map(|missing| Absent {
                what: &missing.what,
                references: missing.references,
                from: &missing.from,
            })
            .collect(),
        recursion: &analysis.recursion,
        profiled_calls: analysis.profiled.as_ref().map(|calls| ProfiledRow {
            profiles: &calls.profiles,
            called: calls.called,
            unknown: calls.unknown,
            found_only: &calls.found_only,
        }),
    }
}

fn answer_row(answer: &PathAnswer) -> Answer<'_> {
    Answer {
        method: &answer.method,
        path: answer.path.as_deref().map(link_rows),
        cha_path: answer.cha_path.as_deref().map(link_rows),
        not_instrumented: answer.not_instrumented.as_deref(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_testkit::reference::{Documents, hold_reference};

    #[test]
    fn the_reference_says_what_is_written() {
        hold_reference(&[Documents::of::<Document<'_>>("plan")]);
    }
}
