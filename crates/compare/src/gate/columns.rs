//! The gate for a column of roots.
//!
//! Where a series keeps the sum alone, means are compared without a test. Other columns scatter
//! from run to run as times do, and may be off by what is not known of them. A root exceeds its
//! limit if it does by both.

use jfathom_plan::Problem;
use jfathom_profile::Profile;
use jfathom_statistics::holm;

use super::losses::lost_counts;
use super::outcome::Gate;
use super::run_test::{NOT_INTERLEAVED, RunTest, inexact_note, single_runs};
use super::verdict::{ColumnVerdict, Verdict};
use crate::column::{Column, Coverage, Value};
use crate::diff::{ColumnRuns, Diff, MethodDiff, growth};

/// Roots with a smaller share of the column on both sides do not count where there is a test.
const NEGLIGIBLE_SHARE: f64 = 0.01;

/// A root with its runs.
struct Judged<'a> {
    root: usize,
    sides: &'a [ColumnRuns; 2],
    means: [Value; 2],
}

/// Checks a column of the selected roots, or says why it cannot be checked.
pub(super) fn check(
    gate: &mut Gate,
    profiles: [&Profile; 2],
    diff: &Diff,
    (column, limit): (&'static Column, f64),
    selected: &[bool],
    interleaved: bool,
) {
    let found = comparable(profiles, column)
        .and_then(|()| judged(profiles, diff, column, selected))
        .and_then(|roots| match column.keeps_runs() {
            true => tested(gate, diff, column, limit, roots, interleaved),
            false => Ok(untested(column, limit, roots)),
        });
    match found {
        Ok(verdicts) => gate.columns.extend(verdicts),
        Err(why) => gate.refused.push(format!("{}: {why}", column.key)),
    }
}

/// Fails unless both sides have the whole column, told in the same way.
fn comparable(profiles: [&Profile; 2], column: &Column) -> Result<(), Problem> {
    let Column { name, option, .. } = column;
    let mut told = [""; 2];
    for ((side, profile), told) in ["base", "new"].into_iter().zip(profiles).zip(&mut told) {
        let Coverage::Whole(by) = column.coverage_of_runs(profile) else {
            return Err(format!(
                "the {side} profile has no {name}, or not of all its recordings; record both sides \
                 with --metrics {option}"
            )
            .into());
        };
        *told = by;
        if let Some(loss) = lost_counts(&profile.quality).filter(|_| !column.keeps_runs()) {
            return Err(format!("the {side} profile lacks some of the {name}: {loss}").into());
        }
    }
    match told {
        [base, new] if base != new => Err(format!(
            "the {name} of the two sides was told in different ways, {base} and {new}; record both \
             in the same way"
        )
        .into()),
        _ => Ok(()),
    }
}

/// The selected roots that both sides have.
fn judged<'a>(
    profiles: [&Profile; 2],
    diff: &'a Diff,
    column: &Column,
    selected: &[bool],
) -> Result<Vec<Judged<'a>>, Problem> {
    let mut judged = Vec::new();
    let place = diff.place(column).unwrap_or(usize::MAX);
    for (root, of) in diff.roots.iter().enumerate().filter(|(_, root)| selected[root.method]) {
        let Some(sides) = of.columns.get(place) else { continue };
        let means = sides.each_ref().map(ColumnRuns::mean);
        if means.iter().flatten().any(|mean| mean.known().is_none()) {
            return Err(format!(
                "{} has not read {} on both sides; record both with --metrics {option}, or with \
                 +{option} of --probe for it",
                name_of(profiles, &diff.methods[of.method]),
                column.name,
                option = column.option,
            )
            .into());
        }
        let [Some(base), Some(new)] = means else { continue };
        judged.push(Judged { root, sides, means: [base, new] });
    }
    match judged.is_empty() {
        true => Err("no root that is selected is in both profiles; name roots with \
                     `rewrite --root`"
            .into()),
        false => Ok(judged),
    }
}

fn untested(column: &'static Column, limit: f64, roots: Vec<Judged<'_>>) -> Vec<ColumnVerdict> {
    let verdict = |of: Judged<'_>| {
        let [base, new] = of.means.map(|mean| mean.number);
        ColumnVerdict {
            column,
            root: of.root,
            sides: [base, new],
            growth: (base > 0.0).then(|| new / base - 1.0).or((new == 0.0).then_some(0.0)),
            error: 0.0,
            p_value: None,
            exact: true,
            verdict: match new <= base * (1.0 + limit) {
                true => Verdict::Within,
                false => Verdict::Exceeded,
            },
        }
    };
    roots.into_iter().map(verdict).collect()
}

fn tested(
    gate: &mut Gate,
    diff: &Diff,
    column: &'static Column,
    limit: f64,
    roots: Vec<Judged<'_>>,
    interleaved: bool,
) -> Result<Vec<ColumnVerdict>, Problem> {
    let name = column.name;
    if let Some(who) = single_runs(diff.runs) {
        return Err(
            format!("{who} one run, which has no spread; record both with --runs 10").into()
        );
    }
    let (mut verdicts, decide) = undecided(diff, column, &roots)?;
    if decide.is_empty() {
        return Err(format!(
            "all selected roots have less than 1 % of the {name}, so there is nothing to compare"
        )
        .into());
    }
    let test = RunTest::new(diff.runs, decide.len(), gate.alpha, interleaved);
    // A root within its limit needs no test, but counts in the number of roots.
    let p_value = |(at, runs): &(usize, [Vec<f64>; 2])| match verdicts[*at].growth {
        Some(growth) if growth <= limit => 1.0,
        _ => test.p_value(runs),
    };
    let mut p_values: Vec<f64> = decide.iter().map(p_value).collect();
    holm(&mut p_values);
    for ((at, _), p_value) in decide.iter().zip(p_values) {
        decide_one(&mut verdicts[*at], limit, p_value, gate.alpha);
    }
    verdicts.iter_mut().for_each(|of| of.exact = test.exact);
    let is_wide = verdicts.iter().any(|of| of.error > limit);
    let notes = [
        (!test.exact).then(|| inexact_note(diff.runs, gate.alpha)),
        (!interleaved).then(|| NOT_INTERLEAVED.to_owned()),
        is_wide.then(|| format!("the {name} of a root may be off by more than its limit")),
    ];
    for note in notes.into_iter().flatten() {
        // Another limit may have said it already.
        if !gate.notes.contains(&note) {
            gate.notes.push(note);
        }
    }
    Ok(verdicts)
}

/// Roots that a test decides: their places among the verdicts, and their runs.
type Decide = Vec<(usize, [Vec<f64>; 2])>;

/// Verdicts, all of them negligible so far, and which of them a test decides.
fn undecided(
    diff: &Diff,
    column: &'static Column,
    roots: &[Judged<'_>],
) -> Result<(Vec<ColumnVerdict>, Decide), Problem> {
    let name = column.name;
    let place = diff.place(column).unwrap_or(usize::MAX);
    let mean =
        |sides: &[ColumnRuns; 2], side: usize| sides[side].mean().map_or(0.0, |of| of.number);
    let whole = [0, 1].map(|side: usize| {
        let all = diff.roots.iter().filter_map(|root| root.columns.get(place));
        all.map(|sides| mean(sides, side)).sum::<f64>()
    });
    let is_negligible = |of: &Judged<'_>| {
        let share = |side: usize| match whole[side] > 0.0 {
            true => mean(of.sides, side) / whole[side],
            false => 0.0,
        };
        share(0).max(share(1)) < NEGLIGIBLE_SHARE
    };
    let mut verdicts = Vec::new();
    let mut decide = Decide::new();
    for of in roots {
        let negligible = is_negligible(of);
        let runs = of.sides.each_ref().map(|side| side.numbers.clone());
        for (side, mean) in ["base", "new"].into_iter().zip(of.means) {
            if mean.is_least() && !negligible {
                return Err(format!(
                    "too much of a root's {name} in the {side} profile is not known"
                )
                .into());
            }
        }
        let Some(growth) = growth(&runs) else {
            if negligible {
                continue;
            }
            return Err(format!("a root has no {name} in the base to compare with").into());
        };
        let sides = of.sides.each_ref().map(ColumnRuns::lower_half);
        let error = of.means.iter().map(|mean| mean.bar()).sum::<f64>() / sides[0];
        decide.extend((!negligible).then_some((verdicts.len(), runs)));
        verdicts.push(ColumnVerdict {
            column,
            root: of.root,
            sides,
            growth: Some(growth),
            error,
            p_value: None,
            exact: true,
            verdict: Verdict::Negligible,
        });
    }
    Ok((verdicts, decide))
}

/// Sets the verdict of a root by its growth, by how much that may be off, and by its p-value.
fn decide_one(of: &mut ColumnVerdict, limit: f64, p_value: f64, alpha: f64) {
    let (growth, error) = (of.growth.unwrap_or(f64::INFINITY), of.error);
    (of.verdict, of.p_value) = match growth <= limit {
        // With a wider bar than the limit it may be beyond as well.
        true if error <= limit || growth + error <= limit => (Verdict::Within, None),
        true => (Verdict::Inconclusive, None),
        false if p_value <= alpha && growth - error > limit => (Verdict::Exceeded, Some(p_value)),
        false => (Verdict::Inconclusive, Some(p_value)),
    };
}

/// A method's name in options.
fn name_of(profiles: [&Profile; 2], method: &MethodDiff) -> String {
    let places = profiles.into_iter().zip([method.base, method.new]);
    let mut name = places.filter_map(|(profile, at)| Some(profile.method(at?).info.key.selector()));
    name.next_back().unwrap_or_default()
}
