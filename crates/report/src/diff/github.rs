//! A gate's verdict as workflow commands of GitHub Actions, which annotate the sources.

use super::{
    findings::{Finding, Outcome},
    judged::Judged,
};
use jfathom_plan::printable;
use std::io::{self, Write};

const TITLE: &str = "jfathom gate";

/// Annotations of one level that GitHub shows per step.
const SHOWN: usize = 10;

/// Writes one command per line: an error for each finding beyond its limit and each limit that is
/// not answered, a warning for each in doubt, then the verdict. `sources` turns a path below a
/// folder of sources into one of the repository.
pub fn gate_github(
    judged: &Judged,
    sources: &dyn Fn(&str) -> String,
    out: &mut dyn Write,
) -> io::Result<()> {
    let of = |outcome| judged.findings.iter().filter(move |finding| finding.outcome == outcome);
    let refused =
        judged.refused.iter().map(|why| command("error", None, &format!("cannot answer {why}")));
    let beyond = of(Outcome::Beyond).map(|finding| annotation("error", finding, sources));
    write_some(refused.chain(beyond).collect(), "error", out)?;
    let in_doubt = of(Outcome::InDoubt).map(|finding| annotation("warning", finding, sources));
    write_some(in_doubt.collect(), "warning", out)?;
    let notes = judged.notes.iter().map(|note| command("notice", None, note));
    let verdict = command("notice", None, &format!("gate: {}", judged.verdict));
    write_some(std::iter::once(verdict).chain(notes).collect(), "notice", out)
}

/// Writes as many commands as are shown; the last one counts the others.
fn write_some(mut commands: Vec<String>, level: &str, out: &mut dyn Write) -> io::Result<()> {
    if commands.len() > SHOWN {
        let more = commands.split_off(SHOWN - 1).len();
        commands.push(command(level, None, &format!("and {more} more (without github: all)")));
    }
    commands.iter().try_for_each(|command| writeln!(out, "{command}"))
}

fn annotation(level: &str, finding: &Finding, sources: &dyn Fn(&str) -> String) -> String {
    let place = finding.location.as_ref().map(|place| (sources(&place.path), place.line));
    command(level, place, &finding.sentence())
}

fn command(level: &str, place: Option<(String, Option<u32>)>, message: &str) -> String {
    let mut properties = String::new();
    if let Some((file, line)) = place {
        properties += &format!("file={},", property(&file));
        if let Some(line) = line {
            properties += &format!("line={line},");
        }
    }
    format!("::{level} {properties}title={}::{}", property(TITLE), data(message))
}

/// Escapes a message. Unprintable characters become escapes of Java first.
fn data(text: &str) -> String {
    printable(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
