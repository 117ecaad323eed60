//! The answers to `plan --why`.

use jfathom_instrument::{PathAnswer, PathLink, PlanOutcome};
use jfathom_plan::CallGraph;
use jfathom_report::{method_with_parameters, number::counted};

/// Paths that are shown in full without --verbose.
const PATHS: usize = 3;

/// The answers to `--why`.
pub(crate) fn paths(plan: &PlanOutcome, verbose: bool) -> String {
    let mut text = String::new();
    let mut answers: Vec<&PathAnswer> = plan.paths.iter().collect();
    answers.sort_by_key(|answer| {
        let length = |path: &Option<Vec<PathLink>>| path.as_ref().map_or(usize::MAX, Vec::len);
        (length(&answer.path), length(&answer.cha_path))
    });
    let call_graph = plan.selection.call_graph().unwrap_or_default();
    for (at, answer) in answers.iter().enumerate() {
        path(&mut text, answer, call_graph, at < PATHS || verbose);
    }
    if answers.len() > PATHS && !verbose {
        put_line!(
            text,
            "(-v shows all paths; a descriptor as in the lines above selects one method)"
        );
    }
    text
}

fn path(text: &mut String, answer: &PathAnswer, call_graph: CallGraph, whole: bool) {
    let links_of = |text: &mut String, links: &[PathLink]| {
        if whole {
            links_of(text, links);
        }
    };
    match (&answer.path, &answer.cha_path) {
        (Some(links), _) => {
            put_line!(text, "why {}: reached in {}", answer.method, steps(links));
            links_of(text, links);
            if let Some(reason) = &answer.not_instrumented {
                put_line!(text, "  not instrumented: {reason}");
            }
        }
        (None, Some(links)) => {
            put_line!(
                text,
                "why {}: not reached by call graph {call_graph}; --call-graph cha would reach it in {}",
                answer.method,
                steps(links)
            );
            links_of(text, links);
        }
        (None, None) => {
            put_line!(text, "why {}: not reached, not even by call graph cha", answer.method);
        }
    }
}

fn steps(links: &[PathLink]) -> String {
    counted(links.len().saturating_sub(1), "step", "steps")
}

fn links_of(text: &mut String, links: &[PathLink]) {
    for link in links {
        let jdk = if link.is_jdk { " [JDK]" } else { "" };
        put_line!(text, "  {}{jdk} — {}", method_with_parameters(&link.method), link.how);
    }
}
