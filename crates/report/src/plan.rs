//! What a rewriting would instrument, and why.

mod head;
mod lists;
mod why;

pub use why::{WhyAnswer, WhyStep, why_text};

use crate::{
    analysis::unnamed_lines,
    number::{counted, grouped, seconds, size},
};
use jfathom_plan::{
    CallGraph, MethodKey, ObjectSource, ProfiledCalls, Skip, UnfollowedCounts, Unnamed,
};
use lists::{gaps, inputs, skipped, table};
use std::{
    io::{self, Write},
    path::Path,
    time::Duration,
};

/// A dry run.
#[derive(Debug)]
pub struct PlanView<'a> {
    /// Whether there are roots.
    pub has_roots: bool,
    /// The reachability analysis of the roots, if there was one.
    pub analysis: Option<AnalysisView<'a>>,
    /// The methods to instrument.
    pub methods: usize,
    /// Methods with code in all inputs; `None` if not all classes were read.
    pub all_methods: Option<usize>,
    /// The classes with methods to instrument.
    pub classes: usize,
    /// Classes in all inputs.
    pub all_classes: usize,
    /// How many methods each reason has, most first.
    pub by_reason: Vec<(&'static str, usize)>,
    /// How many methods each package (`com/acme`) has, most first; the unnamed package is empty.
    pub by_package: Vec<(&'a str, usize)>,
    /// The inputs.
    pub inputs: Vec<PlanInput<'a>>,
    /// Bytes of the bytecode of the methods, before and after.
    pub code: (u64, u64),
    /// Bytes of the class files, before and after.
    pub class_files: (u64, u64),
    /// Hand-offs that would be followed.
    pub hand_offs: u64,
}

/// One input.
#[derive(Clone, Copy, Debug)]
pub struct PlanInput<'a> {
    /// As the user named it.
    pub name: &'a str,
    /// Its methods to instrument.
    pub methods: usize,
    /// Its methods with code; `None` if not all classes were read.
    pub all_methods: Option<usize>,
    /// Its classes and methods that would be skipped.
    pub skips: &'a [Skip],
}

/// A reachability analysis.
#[derive(Debug)]
pub struct AnalysisView<'a> {
    /// The roots.
    pub roots: &'a [MethodKey],
    /// Methods taken as called.
    pub assumed: &'a [MethodKey],
    /// The call-graph algorithm.
    pub call_graph: CallGraph,
    /// The methods whose instantiations virtual calls consider.
    pub objects: &'a ObjectSource,
    /// The part of profiles in it.
    pub profiled: Option<&'a ProfiledCalls>,
    /// The version of the JDK that the program runs on, such as `17.0.12`.
    pub jdk_version: &'a str,
    /// The JDK's home directory.
    pub jdk_home: &'a Path,
    /// The JDK's methods in the call subgraph.
    pub jdk_methods: usize,
    /// Whether these are instrumented.
    pub include_jdk: bool,
    /// What could not be followed.
    pub unfollowed: &'a UnfollowedCounts,
    /// Methods that load classes by unknown names.
    pub unnamed: &'a Unnamed,
    /// Classes and methods that are missing from inputs and JDK, each with a method that names it.
    pub missing: Vec<(&'a str, &'a MethodKey)>,
    /// Groups of methods that call each other in cycles, largest first.
    pub recursion: &'a [Vec<MethodKey>],
}

/// Rows of a list that is not shown in full.
const ROWS: usize = 10;

/// Writes which methods would be instrumented, and why. Lists are shown in full if `verbose`.
pub fn plan_text(
    plan: &PlanView<'_>,
    verbose: bool,
    time: Duration,
    out: &mut dyn Write,
) -> io::Result<()> {
    let rows = if verbose { usize::MAX } else { ROWS };
    if let Some(analysis) = &plan.analysis {
        for line in unnamed_lines(analysis.unnamed) {
            write_line!(out, "{line}")?;
        }
        head::write(analysis, rows, out)?;
    } else if plan.has_roots {
        writeln!(out, "scheme      total: every selected method, called by a root or not")?;
    }
    let methods = match plan.all_methods {
        Some(all) => {
            format!("{} of {}", grouped(plan.methods as u64), counted(all, "method", "methods"))
        }
        None => counted(plan.methods, "method", "methods"),
    };
    let [classes, all_classes] =
        [grouped(plan.classes as u64), counted(plan.all_classes, "class", "classes")];
    writeln!(out, "would instrument {methods} in {classes} of {all_classes}")?;
    if plan.analysis.is_some() {
        table("by reason", &plan.by_reason, rows, out)?;
    }
    let package = |&(name, count): &(&str, usize)| match name {
        "" => ("(no package)".to_owned(), count),
        name => (name.replace('/', "."), count),
    };
    let packages: Vec<_> = plan.by_package.iter().map(package).collect();
    table("by package", &packages, rows, out)?;
    inputs(&plan.inputs, rows, out)?;
    sizes(plan, out)?;
    skipped(&plan.inputs, verbose, out)?;
    if let Some(analysis) = &plan.analysis {
        gaps(analysis, rows, out)?;
    }
    if plan.has_roots {
        let [one, many] = ["hand-off to another thread", "hand-offs to other threads"];
        writeln!(out, "{} would be followed", counted(plan.hand_offs, one, many))?;
    }
    writeln!(out, "nothing was written; {}", seconds(time))
}

fn sizes(plan: &PlanView<'_>, out: &mut dyn Write) -> io::Result<()> {
    let row = |(before, after): (u64, u64)| {
        let percent = if before == 0 { 0.0 } else { (after as f64 / before as f64 - 1.0) * 100.0 };
        format!("{} → {} (+{percent:.0} %)", size(before), size(after))
    };
    writeln!(
        out,
        "size        bytecode of these methods {}, {} class files {}",
        row(plan.code),
        if plan.all_methods.is_some() { "all" } else { "their" },
        row(plan.class_files)
    )
}
