//! `jfathom gate --max growth`: the growth of calls over profiles of several sizes.

use super::{Args, Form};
use crate::{failure::usage, growth::growth_of, out, output::to_output};
use anyhow::Result;
use jfathom_compare::{Growth, GrowthGate, GrowthLimit, MethodSet, gate_growth};
use jfathom_profile::MethodIx;
use jfathom_report::{
    Judged, gate_github, gate_markdown, growth_gate_text, growth_json, judged_growth,
};
use std::{path::PathBuf, process::ExitCode};

/// Checks the profiles of `args` against a limit on their growth.
pub(super) fn check(args: &Args, limit: GrowthLimit) -> Result<ExitCode> {
    let paths: Vec<PathBuf> =
        std::iter::once(&args.base).chain(&args.new).chain(&args.more).cloned().collect();
    let growth = growth_of(&paths)?;
    let selected = MethodSet::new(&growth.table, &args.include);
    let selected = selected.map_err(|error| super::unmatched(args, error))?;
    let is_selected = |at: usize| u32::try_from(at).is_ok_and(|at| selected.contains(MethodIx(at)));
    let gate = gate_growth(&growth, limit, args.strict, is_selected)
        .ok_or_else(|| usage("the selectors leave no method to check"))?;
    super::written(write(args, &growth, &gate))?;
    Ok(if gate.is_failed() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn write(args: &Args, growth: &Growth, gate: &GrowthGate) -> Result<()> {
    let judged: Judged = judged_growth(growth, gate);
    if super::write_files(args, &judged)? {
        return Ok(());
    }
    let in_place = args.in_place()?;
    let sources = |path: &str| super::find_source(&args.sources, path);
    to_output(None, |to| match args {
        Args { json: true, .. } => growth_json(growth, Some(gate), to),
        _ if in_place == Some(Form::Markdown) => gate_markdown(&judged, to),
        _ if in_place == Some(Form::Github) => gate_github(&judged, &sources, to),
        _ => growth_gate_text(growth, gate, out::terminal_width(), to),
    })
}
