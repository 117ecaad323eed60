//! User messages of `plan`.

use super::notices;
use jfathom_archive::Notice;
use jfathom_instrument::{Analysis, InputRow, PathAnswer, PathLink, PlanOutcome};
use jfathom_report::{AnalysisView, PlanInput, PlanView, WhyAnswer, WhyStep};

/// Contents of the text of a dry run.
pub(crate) fn view(plan: &PlanOutcome) -> PlanView<'_> {
    let reasons = plan.by_reason().into_iter();
    PlanView {
        has_roots: plan.selection.has_roots(),
        analysis: plan.analysis.as_ref().map(|analysis| analysis_view(plan, analysis)),
        methods: plan.methods.len(),
        all_methods: plan.all_methods,
        classes: plan.classes(),
        all_classes: plan.all_classes,
        by_reason: reasons.map(|(reason, count)| (reason.name(), count)).collect(),
        by_package: plan.by_package(),
        inputs: plan.inputs.iter().map(input).collect(),
        code: plan.sizes.code,
        class_files: plan.sizes.classes,
        hand_offs: plan.hand_offs,
    }
}

fn analysis_view<'a>(plan: &'a PlanOutcome, analysis: &'a Analysis) -> AnalysisView<'a> {
    let missing = analysis.missing.iter();
    AnalysisView {
        roots: &analysis.roots,
        assumed: &analysis.assumed,
        call_graph: plan.selection.call_graph().unwrap_or_default(),
        objects: &analysis.objects,
        profiled: analysis.profiled.as_ref(),
        jdk_version: &analysis.jdk.version,
        jdk_home: &analysis.jdk.home,
        jdk_methods: analysis.jdk_methods,
        include_jdk: plan.selection.include_jdk,
        unfollowed: &analysis.unfollowed,
        unnamed: &analysis.unnamed,
        missing: missing.map(|missing| (&*missing.what, &missing.from)).collect(),
        recursion: &analysis.recursion,
    }
}

fn input(row: &InputRow) -> PlanInput<'_> {
    PlanInput {
        name: &row.name,
        methods: row.methods,
        all_methods: row.all_methods,
        skips: &row.skips,
    }
}

pub(crate) fn answers(plan: &PlanOutcome) -> Vec<WhyAnswer<'_>> {
    plan.paths.iter().map(answer).collect()
}

fn answer(answer: &PathAnswer) -> WhyAnswer<'_> {
    WhyAnswer {
        method: &answer.method,
        path: answer.path.as_deref().map(steps),
        cha_path: answer.cha_path.as_deref().map(steps),
        not_instrumented: answer.not_instrumented.as_deref(),
    }
}

fn steps(path: &[PathLink]) -> Vec<WhyStep<'_>> {
    path.iter()
        .map(|PathLink { method, how, is_jdk, .. }| WhyStep { method, how, is_jdk: *is_jdk })
        .collect()
}

/// Notices and warnings, one line each.
pub(crate) fn warnings(plan: &PlanOutcome, verbose: bool) -> String {
    let mut text = String::new();
    let is_known = |notice: &Notice| {
        matches!(
            notice,
            Notice::MultiRelease { .. }
                | Notice::DuplicateName { .. }
                | Notice::SeveralNames { .. }
                | Notice::PlacedApart { .. }
        )
    };
    notices(&mut text, &plan.notices, verbose, is_known);
    for input in plan.inputs.iter().filter(|input| input.is_signed && input.changed > 0) {
        put_line!(
            text,
            "jfathom: notice: {}: is signed; rewriting drops the signature",
            input.name
        );
    }
    for notice in plan.analysis.iter().flat_map(|analysis| &analysis.notices) {
        put_line!(text, "jfathom: notice: {notice}");
    }
    text
}
