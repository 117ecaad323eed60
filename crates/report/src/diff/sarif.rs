//! A gate's verdict in the Static Analysis Results Interchange Format, SARIF 2.1.0 (OASIS).

use super::{
    findings::{Finding, Outcome, Rule},
    judged::Judged,
};
use jfathom_compare::Column;
use jfathom_plan::printable;
use serde_json::{Value, json};
use std::io::{self, Write};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Writes one log with one run, followed by a newline: a result for each finding beyond its limit
/// (an error) or in doubt (a warning), a notification for each note and each limit that is not
/// answered. `sources` turns a path below a folder of sources into one of the repository.
pub fn gate_sarif(
    judged: &Judged,
    sources: &dyn Fn(&str) -> String,
    out: &mut dyn Write,
) -> io::Result<()> {
    let results = judged.findings.iter().filter_map(|finding| match finding.outcome {
        Outcome::Beyond => Some(result(finding, "error", sources)),
        Outcome::InDoubt => Some(result(finding, "warning", sources)),
        Outcome::Within | Outcome::Negligible => None,
    });
    let notification =
        |level: &str, text: &str| json!({ "level": level, "message": { "text": message(text) } });
    let refused =
        judged.refused.iter().map(|why| notification("error", &format!("cannot answer {why}")));
    let notes = judged.notes.iter().map(|note| notification("note", note));
    let verdict = notification("note", &format!("gate: {}", judged.verdict));
    let notifications: Vec<Value> = std::iter::once(verdict).chain(refused).chain(notes).collect();
    let document = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "jfathom",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": Rule::all().map(rule).collect::<Vec<_>>(),
            } },
            "invocations": [{
                "executionSuccessful": judged.refused.is_empty(),
                "toolExecutionNotifications": notifications,
            }],
            "results": results.collect::<Vec<_>>(),
        }],
    });
    serde_json::to_writer(&mut *out, &document)?;
    writeln!(out)
}

fn rule(rule: Rule) -> Value {
    let of_column;
    let text = match rule {
        Rule::Time => "A root takes longer than its limit allows.",
        Rule::Column(Column { name, .. }) => {
            of_column = format!("A root has more {name} than its limit allows.");
            &of_column
        }
        Rule::Ratio => "A method has more calls per call of another than its limit allows.",
        Rule::Calls => "A method has more calls than its limit allows.",
        Rule::Growth => "The calls of a method grow faster with the input than its limit allows.",
    };
    json!({ "id": rule.id(), "shortDescription": { "text": text } })
}

fn result(finding: &Finding, level: &str, sources: &dyn Fn(&str) -> String) -> Value {
    let subject = printable(&finding.subject);
    let mut location = json!({
        "logicalLocations": [{ "fullyQualifiedName": subject, "kind": "function" }],
    });
    if let Some(place) = &finding.location {
        let mut physical = json!({ "artifactLocation": { "uri": uri(&sources(&place.path)) } });
        if let Some(line) = place.line {
            physical["region"] = json!({ "startLine": line });
        }
        location["physicalLocation"] = physical;
    }
    json!({
        "ruleId": finding.rule.id(),
        "level": level,
        "message": { "text": message(&finding.sentence()) },
        "locations": [location],
        // The same method and limit in another log.
        "partialFingerprints": { "jfathomSubject/v1": format!("{} {subject}", finding.rule.id()) },
    })
}

/// The text of a message, in which braces would be placeholders and brackets links (SARIF 3.11).
fn message(text: &str) -> String {
    printable(text).replace('{', "{{").replace('}', "}}").replace('[', "\\[")
}

/// A relative path as a URI reference (RFC 3986): bytes that are not unreserved are written in
/// hexadecimal digits, slashes excepted.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
