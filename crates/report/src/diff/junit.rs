//! A gate's verdict as JUnit XML: one test case per root, ratio, and method beyond the limit of
//! calls.

use super::{
    findings::{Finding, Outcome, Rule},
    judged::Judged,
};
use jfathom_plan::printable;
use std::io::{self, Write};

const SUITE: &str = "jfathom gate";

/// A test case: its rule, its name, and what is inside of its element.
struct Case {
    rule: &'static str,
    name: String,
    result: CaseResult,
}

enum CaseResult {
    Passed,
    Skipped(String),
    /// The message, and the place in the sources.
    Failed(String, String),
    Error(String),
}

/// Writes a document with one suite. `sources` turns a path below a folder of sources into one of
/// the repository.
pub fn gate_junit(
    judged: &Judged,
    sources: &dyn Fn(&str) -> String,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut cases: Vec<Case> =
        judged.findings.iter().map(|finding| of_finding(finding, sources)).collect();
    let case = |(rule, name): &(Rule, String), result| Case {
        rule: rule.id(),
        name: name.clone(),
        result,
    };
    cases.extend(judged.within.iter().map(|within| case(within, CaseResult::Passed)));
    let left_out = || CaseResult::Skipped("left out".to_owned());
    cases.extend(judged.left_out.iter().map(|methods| case(methods, left_out())));
    cases.extend(judged.refused.iter().map(|why| Case {
        rule: "unanswered",
        name: why.clone(),
        result: CaseResult::Error(format!("cannot answer {why}")),
    }));
    let count = |is: fn(&CaseResult) -> bool| cases.iter().filter(|case| is(&case.result)).count();
    let totals = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\"",
        cases.len(),
        count(|result| matches!(result, CaseResult::Failed(..))),
        count(|result| matches!(result, CaseResult::Error(_))),
    );
    let skipped = count(|result| matches!(result, CaseResult::Skipped(_)));
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"{SUITE}\" {totals}>")?;
    writeln!(out, "  <testsuite name=\"{SUITE}\" {totals} skipped=\"{skipped}\">")?;
    cases.iter().try_for_each(|case| write_case(case, out))?;
    let notes =
        judged.notes.iter().map(|note| format!("note: {}\n", xml(note))).collect::<String>();
    if !notes.is_empty() {
        writeln!(out, "    <system-out>{notes}</system-out>")?;
    }
    writeln!(out, "  </testsuite>\n</testsuites>")
}

fn of_finding(finding: &Finding, sources: &dyn Fn(&str) -> String) -> Case {
    let place = finding.location.as_ref().map_or(String::new(), |place| {
        let line = place.line.map_or(String::new(), |line| format!(":{line}"));
        format!("{}{line}", sources(&place.path))
    });
    Case {
        rule: finding.rule.id(),
        name: format!("{} of {}", finding.rule.what(), finding.subject),
        result: match finding.outcome {
            Outcome::Beyond => CaseResult::Failed(finding.sentence(), place),
            Outcome::InDoubt | Outcome::Negligible => {
                CaseResult::Skipped(format!("{}: {}", finding.outcome.word(), finding.sentence()))
            }
            Outcome::Within => CaseResult::Passed,
        },
    }
}

fn write_case(case: &Case, out: &mut dyn Write) -> io::Result<()> {
    let Case { rule, name, result } = case;
    let head = format!("    <testcase classname=\"jfathom.gate.{rule}\" name=\"{}\"", xml(name));
    let inside = match result {
        CaseResult::Passed => return writeln!(out, "{head}/>"),
        CaseResult::Skipped(why) => format!("<skipped message=\"{}\"/>", xml(why)),
        CaseResult::Error(why) => format!("<error message=\"{}\" type=\"{rule}\"/>", xml(why)),
        CaseResult::Failed(why, place) => {
            format!("<failure message=\"{}\" type=\"{rule}\">{}</failure>", xml(why), xml(place))
        }
    };
    writeln!(out, "{head}>{inside}</testcase>")
}

/// Escapes text and values of attributes. Unprintable characters become escapes of Java first;
/// what XML 1.0 has no place for beyond them becomes U+FFFD.
fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in printable(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}
