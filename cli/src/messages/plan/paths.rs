//! The answers to `plan --why`.

use jfathom_instrument::{PathAnswer, PathLink, PlanOutcome};
use jfathom_plan::{CallGraph, MethodKey};
use jfathom_report::number::counted;

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
        put_line!(text, "  {}{jdk} — {}", readable(&link.method), link.how);
    }
}

/// A method with the simple names of its parameters: `com.acme.Engine::run(int, String[])`.
fn readable(key: &MethodKey) -> String {
    let mut parameters = Vec::new();
    let mut rest = key.descriptor.trim_start_matches('(');
    while let Some(first) =
        rest.trim_start_matches('[').chars().next().filter(|&first| first != ')')
    {
        let arrays = rest.len() - rest.trim_start_matches('[').len();
        let end = if first == 'L' {
            rest.find(';').unwrap_or(rest.len() - 1)
        } else {
            arrays + first.len_utf8() - 1
        };
        let (parameter, tail) = rest.split_at(end + 1);
        let name = match first {
            'B' => "byte",
            'C' => "char",
            'D' => "double",
            'F' => "float",
            'I' => "int",
            'J' => "long",
            'S' => "short",
            'Z' => "boolean",
            _ => {
                let class = parameter.trim_start_matches('[').trim_end_matches(';');
                class.strip_prefix('L').unwrap_or(class).rsplit('/').next().unwrap_or("")
            }
        };
        parameters.push(format!("{name}{}", "[]".repeat(arrays)));
        rest = tail;
    }
    format!("{}::{}({})", key.class.replace('/', "."), key.name, parameters.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_readable() {
        for (descriptor, text) in [
            ("()V", ""),
            ("(I[[JLjava/lang/String;[La/B$C;Z)V", "int, long[][], String, B$C[], boolean"),
            ("(LLong;)V", "Long"),
        ] {
            let key = MethodKey {
                class: "a/B".to_owned(),
                name: "c".to_owned(),
                descriptor: descriptor.to_owned(),
            };
            assert_eq!(readable(&key), format!("a.B::c({text})"));
        }
    }
}
