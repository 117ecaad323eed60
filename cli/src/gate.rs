//! `jfathom gate`: holds a profile against limits, for CI.

use crate::{
    failure::{is_closed_pipe, usage},
    out,
    report::{read, to_output},
};
use anyhow::Result;
use jfathom_compare::{CallLimit, Gate, GateError, Limits, MethodDiff, diff, gate};
use jfathom_plan::{ClassSummary, MethodSummary, Selector};
use jfathom_profile::{Method, MethodIx, Profile};
use jfathom_report::{Comparison, gate_json, gate_text};
use std::{collections::BTreeMap, path::PathBuf, process::ExitCode};

/// Hold a new profile against limits that a base sets
///
/// Calls are compared per method and exactly; what differs between equal runs is left out and
/// named. Times are compared per root, over several runs on each side (`record --runs 10`), so that
/// equal builds break the limit less than once in a thousand times, or five in a thousand where
/// both sides were recorded in turn (`record --base`). A method that is new counts as one
/// without calls before.
///
/// Exit code: 0 within the limits, 1 broken, 2 wrong arguments, a profile that cannot be read, or a
/// limit that these profiles cannot answer
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("limits").args(["max_calls", "max_time"]).required(true).multiple(true))]
#[command(after_help = "Examples:\n  \
    jfathom gate base.jfp new.jfp --max-calls +0% --max-time +5%\n  \
    jfathom gate base.jfp new.jfp --max-calls +0 --only 'com.acme.**'")]
pub(crate) struct Args {
    /// What to compare with
    #[arg(value_name = "BASE")]
    base: PathBuf,
    /// What must stay within the limits
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// By how much the calls of each method may grow: a share (+5%) or a number (+10)
    #[arg(long, value_name = "LIMIT")]
    max_calls: Option<CallLimit>,
    /// By how much the time of each root may grow: a share (+5%)
    #[arg(long, value_name = "LIMIT", value_parser = Limits::time_of)]
    max_time: Option<f64>,
    /// Only these methods and roots: a class, a method, a package (com.acme.**); !… leaves out
    #[arg(long, value_name = "SELECTOR")]
    only: Vec<Selector>,
    /// Write JSON (docs/diff-json.md)
    #[arg(long)]
    json: bool,
}

/// A limit could not be held against the profiles.
const NOT_ANSWERED: u8 = 2;

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    // Whatever goes wrong, it is no broken limit.
    hold(args).map_err(|error| usage(format!("{error:#}")))
}

fn hold(args: &Args) -> Result<ExitCode> {
    let (base, new) = (read(&args.base)?, read(&args.new)?);
    let called = [args.base.display().to_string(), args.new.display().to_string()];
    let found = diff(&base, &new);
    let chosen = [chosen(&base, &args.only)?, chosen(&new, &args.only)?];
    if let Some(selector) =
        (0..args.only.len()).find(|at| chosen.iter().all(|side| !side.matched[*at]))
    {
        return Err(usage(format!(
            "--only {} matches no method of the profiles",
            args.only[selector]
        )));
    }
    let is_chosen = |side: usize, at: Option<MethodIx>| {
        at.is_some_and(|at| chosen[side].methods[at.0 as usize])
    };
    let select = |method: &MethodDiff| is_chosen(0, method.base) || is_chosen(1, method.new);
    let limits = Limits { calls: args.max_calls, time: args.max_time };
    let held: Gate = match gate(&base, &new, &found, &limits, select) {
        Ok(held) => held,
        Err(error @ GateError::UnrelatedPrograms { .. }) => {
            return Err(usage(format!("{} and {}: {error}", called[0], called[1])));
        }
        Err(error) => return Err(usage(error.to_string())),
    };
    let compared =
        Comparison { base: &base, new: &new, called: [&called[0], &called[1]], diff: &found };
    let told = to_output(None, |to| match args.json {
        true => gate_json(&compared, &held, to),
        false => gate_text(&compared, &held, out::terminal_width(), to),
    });
    // Whoever reads the table may have read enough; the exit code is for another one.
    if let Err(error) = told
        && !is_closed_pipe(&error)
    {
        return Err(error);
    }
    Ok(match held.is_failed() {
        true => ExitCode::FAILURE,
        false if !held.refused.is_empty() => ExitCode::from(NOT_ANSWERED),
        false => ExitCode::SUCCESS,
    })
}

/// The methods of a profile that selectors choose.
struct Chosen {
    /// By place in the method table.
    methods: Vec<bool>,
    /// Whether each selector matches anything.
    matched: Vec<bool>,
}

fn chosen(profile: &Profile, selectors: &[Selector]) -> Result<Chosen> {
    let classes = surveys(&profile.methods);
    let every: Vec<ClassSummary> = classes.values().cloned().collect();
    let readings: Vec<_> =
        selectors.iter().map(|selector| selector.resolve_target(&every)).collect();
    let all = selectors.iter().all(Selector::is_exclusion);
    let mut matched = vec![false; selectors.len()];
    let mut methods = Vec::with_capacity(profile.methods.len());
    for method in &profile.methods {
        let (mut included, mut excluded) = (all, false);
        let survey = survey(method);
        let class = classes.get(&*method.info.key.class);
        for (at, selector) in selectors.iter().enumerate() {
            let selects = class.is_some_and(|class| {
                selector.matches_class(readings[at], class)
                    || selector.matches_method(readings[at], class, &survey)
            });
            matched[at] |= selects;
            included |= selects && !selector.is_exclusion();
            excluded |= selects && selector.is_exclusion();
        }
        methods.push(included && !excluded);
    }
    Ok(Chosen { methods, matched })
}

/// The classes of a method table as selectors see them; annotations are not known.
fn surveys(methods: &[Method]) -> BTreeMap<&str, ClassSummary> {
    let mut classes: BTreeMap<&str, ClassSummary> = BTreeMap::new();
    for method in methods {
        let name = &method.info.key.class;
        let class = classes
            .entry(name)
            .or_insert_with(|| ClassSummary { name: name.clone(), ..ClassSummary::default() });
        class.methods.push(survey(method));
    }
    classes
}

fn survey(method: &Method) -> MethodSummary {
    let key = &method.info.key;
    MethodSummary {
        name: key.name.clone(),
        descriptor: key.descriptor.clone(),
        ..MethodSummary::default()
    }
}
