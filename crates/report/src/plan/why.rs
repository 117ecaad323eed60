//! The shortest call paths from a root to methods.

use crate::number::counted;
use jfathom_plan::{CallGraph, MethodKey};
use jfathom_views::method_with_parameters;
use std::io::{self, Write};

/// The answer about one method.
#[derive(Debug)]
pub struct WhyAnswer<'a> {
    /// The method.
    pub method: &'a MethodKey,
    /// Its shortest path; `None` if it is not in the call subgraph.
    pub path: Option<Vec<WhyStep<'a>>>,
    /// If it is not in the call subgraph: its shortest path by class hierarchy analysis.
    pub cha_path: Option<Vec<WhyStep<'a>>>,
    /// Why it is not instrumented though it is in the call subgraph.
    pub not_instrumented: Option<&'a str>,
}

/// One method on a path.
#[derive(Clone, Copy, Debug)]
pub struct WhyStep<'a> {
    /// The method.
    pub method: &'a MethodKey,
    /// How the method before calls it, for people.
    pub how: &'a str,
    /// Whether it is a method of the JDK.
    pub is_jdk: bool,
}

/// Paths that are shown in full without --verbose.
const PATHS: usize = 3;

/// Writes the answers, shortest paths first; the steps of all paths if `verbose`. `call_graph` is
/// the algorithm that found the call subgraph.
pub fn why_text(
    mut answers: Vec<WhyAnswer<'_>>,
    call_graph: CallGraph,
    verbose: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    answers.sort_by_key(|answer| {
        let length = |path: &Option<Vec<WhyStep>>| path.as_ref().map_or(usize::MAX, Vec::len);
        (length(&answer.path), length(&answer.cha_path))
    });
    for (at, answer) in answers.iter().enumerate() {
        write_answer(answer, call_graph, at < PATHS || verbose, out)?;
    }
    if answers.len() > PATHS && !verbose {
        writeln!(
            out,
            "(-v shows all paths; a descriptor as in the lines above selects one method)"
        )?;
    }
    Ok(())
}

fn write_answer(
    answer: &WhyAnswer<'_>,
    call_graph: CallGraph,
    whole: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let method = answer.method;
    match (&answer.path, &answer.cha_path) {
        (Some(path), _) => {
            write_line!(out, "why {method}: reached in {}", steps(path))?;
            write_steps(path, whole, out)?;
            match answer.not_instrumented {
                Some(reason) => write_line!(out, "  not instrumented: {reason}"),
                None => Ok(()),
            }
        }
        (None, Some(path)) => {
            write_line!(
                out,
                "why {method}: not reached by call graph {call_graph}; --scheme cha would reach it in {}",
                steps(path)
            )?;
            write_steps(path, whole, out)
        }
        (None, None) => {
            write_line!(out, "why {method}: not reached, not even by call graph cha")
        }
    }
}

fn steps(path: &[WhyStep<'_>]) -> String {
    counted(path.len().saturating_sub(1), "step", "steps")
}

fn write_steps(path: &[WhyStep<'_>], whole: bool, out: &mut dyn Write) -> io::Result<()> {
    for step in path.iter().filter(|_| whole) {
        let jdk = if step.is_jdk { " [JDK]" } else { "" };
        write_line!(out, "  {}{jdk} — {}", method_with_parameters(step.method), step.how)?;
    }
    Ok(())
}
