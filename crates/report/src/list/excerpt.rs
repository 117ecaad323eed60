//! The lines of a source file that belong to a method.

use super::Listing;
use jfathom_profile::Profile;

/// Lines before those of the code: the method's head.
const BEFORE: u32 = 2;

/// Lines behind those of the code: the method's last brace.
const BEHIND: u32 = 1;

/// Lines without code that are shown between two with code. The code of constructors also has the
/// lines of field initializers, which may be far away.
const GAP: u32 = 12;

/// Lines that are shown of a method whose code is not known.
const WITHOUT_CODE: u32 = 40;

/// A row of an excerpt.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Row<'a> {
    /// A line, numbered from 1; without text where the file does not have it.
    Line {
        /// Its number.
        line: u32,
        /// Its text.
        text: &'a str,
    },
    /// Lines are left out.
    Gap,
}

/// The source lines of a method. Without a source file, the lines that have callees.
pub(super) fn excerpt<'a>(profile: &Profile, listing: &'a Listing<'_>) -> Vec<Row<'a>> {
    let listed = listing.listed;
    let known = listing.known_lines();
    let Some(source) = &listed.source else {
        let lines = known.iter().filter(|line| listing.at(**line).next().is_some());
        return lines.map(|line| Row::Line { line: *line, text: "" }).collect();
    };
    let count = u32::try_from(source.lines.len()).unwrap_or(u32::MAX);
    let mut rows = Vec::new();
    let mut until = 0;
    for (from, to) in match known.is_empty() {
        true => without_code(profile, listing),
        false => stretches(&known),
    } {
        if until > 0 {
            rows.push(Row::Gap);
        }
        // Lines behind the end are shown if something calls from there.
        for line in from..=to {
            let text = source.lines.get(line as usize - 1);
            if text.is_some() || (line > count && listing.at(line).next().is_some()) {
                rows.push(Row::Line { line, text: text.map_or("", String::as_str) });
            }
        }
        until = to;
    }
    if matches!(rows.last(), Some(Row::Gap)) {
        rows.pop();
    }
    rows
}

/// Stretches of ascending lines with their context, first and last line.
fn stretches(lines: &[u32]) -> Vec<(u32, u32)> {
    let mut all: Vec<(u32, u32)> = Vec::new();
    for line in lines.iter().copied().filter(|line| *line > 0) {
        let (from, to) = (line.saturating_sub(BEFORE).max(1), line + BEHIND);
        match all.last_mut() {
            Some((_, until)) if from <= until.saturating_add(GAP) => *until = to,
            _ => all.push((from, to)),
        }
    }
    all
}

/// From the method's first line to the next recorded method of the file.
fn without_code(profile: &Profile, listing: &Listing<'_>) -> Vec<(u32, u32)> {
    let info = |at: u32| profile.methods.get(at as usize).map(|method| &method.info);
    let Some(own) = info(listing.listed.method.0) else { return Vec::new() };
    let Some(first) = own.line.filter(|line| *line > 0) else { return Vec::new() };
    let package =
        |class: &str| class.rsplit_once('/').map_or("", |(package, _)| package).to_owned();
    let of_file = profile.methods.iter().map(|method| &method.info).filter(|other| {
        other.source == own.source && package(&other.key.class) == package(&own.key.class)
    });
    let next = of_file.filter_map(|other| other.line).filter(|line| *line > first).min();
    let last = first.saturating_add(WITHOUT_CODE - 1);
    let last = next.map_or(last, |next| last.min(next.saturating_sub(BEFORE).max(first)));
    vec![(first.saturating_sub(BEFORE).max(1), last)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_lines_are_stretches_of_their_own() {
        assert_eq!(stretches(&[5, 6, 9]), [(3, 10)]);
        assert_eq!(stretches(&[1, 40]), [(1, 2), (38, 41)]);
        assert_eq!(stretches(&[5, 20]), [(3, 21)]);
        assert_eq!(stretches(&[0, 65_535]), [(65_533, 65_536)]);
        assert!(stretches(&[]).is_empty());
    }
}
