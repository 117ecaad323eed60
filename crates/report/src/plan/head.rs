//! The roots, and how their call subgraph was found.

use super::{
    AnalysisView,
    lists::{NAMES, more},
};
use crate::{
    analysis::{entry_points, names_and_more},
    number::{counted, grouped},
};
use jfathom_plan::{CallGraph, ObjectSource, ProfiledCalls};
use std::io::{self, Write};

pub(super) fn write(
    analysis: &AnalysisView<'_>,
    rows: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    for (name, keys) in [("root", analysis.roots), ("assumed", analysis.assumed)] {
        if !keys.is_empty() {
            write_line!(out, "{name:<12}{}", names_and_more(keys, NAMES))?;
        }
    }
    let call_graph = match analysis.call_graph {
        CallGraph::Cha => "cha: a virtual call may have any class as its receiver",
        CallGraph::Rta => "rta: a virtual call may have any instantiated class as its receiver",
    };
    writeln!(out, "call graph  {call_graph}")?;
    let hint = match analysis.objects {
        ObjectSource::Program => "; --entry-point makes the plan smaller",
        ObjectSource::Mains(_) => "; --entry-point names others",
        ObjectSource::Roots | ObjectSource::Entries(_) => "",
    };
    write_line!(out, "entries     {}{hint}", entry_points(analysis.objects))?;
    if let Some(calls) = analysis.profiled {
        profiled(calls, rows, out)?;
    }
    let instrumented = if analysis.include_jdk { "" } else { ", not instrumented" };
    write_line!(
        out,
        "JDK         {} at {}: {} analyzed{instrumented}",
        analysis.jdk_version,
        analysis.jdk_home.display(),
        counted(analysis.jdk_methods, "method", "methods")
    )
}

fn profiled(calls: &ProfiledCalls, rows: usize, out: &mut dyn Write) -> io::Result<()> {
    let files: Vec<String> = calls.profiles.iter().map(|path| path.display().to_string()).collect();
    let unknown = match calls.unknown {
        0 => String::new(),
        unknown => format!(", {} not in the inputs", grouped(unknown as u64)),
    };
    write_line!(
        out,
        "profiled    {} in {}; {} found only there{unknown}",
        counted(calls.called, "called method", "called methods"),
        files.join(", "),
        grouped(calls.found_only.len() as u64),
    )?;
    for key in calls.found_only.iter().take(rows) {
        write_line!(out, "              {key}")?;
    }
    more(calls.found_only.len(), rows, out)
}
