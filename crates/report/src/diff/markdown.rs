//! A gate's verdict in Markdown, ten lines at most, for a pull request.

use super::{
    findings::{Finding, Outcome},
    judged::Judged,
};
use crate::number::counted;
use jfathom_compare::Gate;
use jfathom_plan::printable;
use jfathom_views::Comparison;
use std::io::{self, Write};

/// Rows of the table.
const ROWS: usize = 4;

/// Writes the verdict, a table of the worst findings, and what else there is in one line.
pub fn gate_markdown(judged: &Judged, out: &mut dyn Write) -> io::Result<()> {
    let findings = &judged.findings;
    let count = |outcome| findings.iter().filter(|finding| finding.outcome == outcome).count();
    writeln!(
        out,
        "**jfathom gate: {}** ({} beyond a limit, {} in doubt, {} not answered)\n",
        judged.verdict,
        count(Outcome::Beyond),
        count(Outcome::InDoubt),
        judged.refused.len(),
    )?;
    if !findings.is_empty() {
        write_table(findings, out)?;
    }
    let refused = judged.refused.iter().map(|why| format!("not answered: {}", code(why)));
    let notes = judged.notes.iter().map(|note| format!("note: {}", code(note)));
    let remarks: Vec<String> = judged.remarks.iter().cloned().chain(refused).chain(notes).collect();
    writeln!(out, "{}", remarks.join("; "))
}

fn write_table(findings: &[Finding], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "| limit on | base | new | change | allowed | verdict |")?;
    writeln!(out, "|---|--:|--:|--:|--:|---|")?;
    let shown = if findings.len() > ROWS { ROWS - 1 } else { ROWS };
    for finding in findings.iter().take(shown) {
        let Finding { rule, outcome, subject, base, new, change, limit, .. } = finding;
        writeln!(
            out,
            "| {} of {} | {} | {new} | {change} | {limit} | {} |",
            rule.what(),
            code(subject),
            base.as_deref().unwrap_or(""),
            outcome.word(),
        )?;
    }
    if let more @ 1.. = findings.len().saturating_sub(shown) {
        writeln!(out, "| and {more} more | | | | | |")?;
    }
    writeln!(out)
}

/// What was compared, and what is within the limits or left out.
pub(super) fn remarks(compared: &Comparison<'_>, gate: &Gate) -> Vec<String> {
    let [base, new] = [0, 1].map(|side: usize| {
        let runs = counted(compared.diff.runs[side], "run", "runs");
        format!("{} ({runs})", code(compared.called[side]))
    });
    let mut remarks = vec![format!("{new} against {base}")];
    if gate.calls_within > 0 {
        let within = counted(gate.calls_within, "method", "methods");
        remarks.push(format!("{within} within the limit of calls"));
    }
    for (methods, what) in [
        (gate.varying.len(), "left out, as calls vary between runs"),
        (gate.edited.len(), "edited"),
    ] {
        if methods > 0 {
            remarks.push(format!("{} {what}", counted(methods, "method", "methods")));
        }
    }
    remarks
}

/// A code span, in which nothing is markup, not even a mention. A row of a table splits at bars in
/// it too, unless they are escaped.
pub(crate) fn code(text: &str) -> String {
    let text = printable(text).replace('|', "\\|");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    match text.starts_with('`') || text.ends_with('`') {
        true => format!("{fence} {text} {fence}"),
        false => format!("{fence}{text}{fence}"),
    }
}
