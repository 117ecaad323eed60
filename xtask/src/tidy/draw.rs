//! The picture of the crates, `docs/pictures/crates.svg`, drawn from the table of edges.
//!
//! A crate stands above all that it may use. An arrow is left out where a longer way says the same.

use super::{edges, finding::Finding};
use crate::shell;
use anyhow::{Context, Result};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
};

const PICTURE: &str = "docs/pictures/crates.svg";

const BOX: (usize, usize) = (128, 40);
const STEP: (usize, usize) = (152, 96);
const MARGIN: usize = 24;

type Uses = BTreeMap<&'static str, BTreeSet<&'static str>>;

/// Writes the picture anew.
pub fn write() -> Result<()> {
    fs::write(shell::root().join(PICTURE), svg(&table())).context(PICTURE)
}

/// Whether the picture is that of the table.
pub fn check() -> Vec<Finding> {
    let is_current =
        fs::read_to_string(shell::root().join(PICTURE)).is_ok_and(|old| old == svg(&table()));
    let stale = Finding::new(PICTURE, "is not that of the table: cargo xtask tidy --draw");
    (!is_current).then_some(stale).into_iter().collect()
}

fn table() -> Uses {
    edges::product()
        .into_iter()
        .map(|(name, uses)| (name, uses.iter().copied().collect()))
        .collect()
}

fn svg(uses: &Uses) -> String {
    let uses = reduced(uses);
    let rows = rows(&uses);
    let widest = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = 2 * MARGIN + widest * STEP.0 - (STEP.0 - BOX.0);
    let height = 2 * MARGIN + rows.len() * STEP.1 - (STEP.1 - BOX.1);
    let mut places = BTreeMap::new();
    for (row, names) in rows.iter().enumerate() {
        let left = (width - (names.len() * STEP.0 - (STEP.0 - BOX.0))) / 2;
        for (column, name) in names.iter().enumerate() {
            places.insert(*name, (left + column * STEP.0, MARGIN + row * STEP.1));
        }
    }
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\" \
         aria-label=\"The crates and which uses which\">\n{STYLE}"
    );
    for (name, used) in &uses {
        for used in used {
            arrow(&mut out, places[name], places[used]);
        }
    }
    for (name, (x, y)) in &places {
        let kind = if is_in_crates(name) { "part" } else { "acts" };
        let (w, h) = BOX;
        let _ = writeln!(
            out,
            "<rect class=\"{kind}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"6\"/>\
             <text x=\"{}\" y=\"{}\">{name}</text>",
            x + w / 2,
            y + h / 2 + 5,
        );
    }
    out.push_str("</svg>\n");
    out
}

const STYLE: &str = "<style>\
    text{font:14px ui-sans-serif,system-ui,sans-serif;text-anchor:middle;fill:#1f2328}\
    rect{stroke:#57606a}.acts{fill:#ddf4ff}.part{fill:#f6f8fa}.paper{fill:#fff;stroke:none}\
    path{fill:none;stroke:#8c959f}</style>\n\
    <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n";

/// A line from the middle of a box's lower edge to that of another's upper edge.
fn arrow(out: &mut String, from: (usize, usize), to: (usize, usize)) {
    let (x1, y1) = (from.0 + BOX.0 / 2, from.1 + BOX.1);
    let (x2, y2) = (to.0 + BOX.0 / 2, to.1);
    let bend = (y2.max(y1) - y1) / 2;
    // Around the boxes that lie straight between the two.
    let aside = if y2 > y1 + STEP.1 && x1.abs_diff(x2) < BOX.0 / 2 { BOX.0 } else { 0 };
    let _ = writeln!(
        out,
        "<path d=\"M{x1} {y1}C{} {} {} {} {x2} {y2}\"/>\
         <path d=\"M{} {}L{x2} {y2}L{} {}\"/>",
        x1 + aside,
        y1 + bend,
        x2 + aside,
        y2 - bend,
        x2 - 4,
        y2 - 7,
        x2 + 4,
        y2 - 7,
    );
}

fn is_in_crates(name: &str) -> bool {
    shell::root().join("crates").join(name).is_dir()
}

/// The uses without those that follow from others.
fn reduced(uses: &Uses) -> Uses {
    let below = |name: &str| -> BTreeSet<&str> {
        uses.get(name).into_iter().flatten().flat_map(|used| all_below(uses, used)).collect()
    };
    uses.iter()
        .map(|(name, used)| {
            let indirect = below(name);
            (*name, used.iter().copied().filter(|used| !indirect.contains(used)).collect())
        })
        .collect()
}

fn all_below(uses: &Uses, name: &str) -> BTreeSet<&'static str> {
    let mut all = BTreeSet::new();
    let mut next: Vec<&'static str> = uses.get(name).into_iter().flatten().copied().collect();
    while let Some(name) = next.pop() {
        if all.insert(name) {
            next.extend(uses.get(name).into_iter().flatten().copied());
        }
    }
    all
}

/// The crates by floor, the highest first; in a floor they stand near those that use them.
fn rows(uses: &Uses) -> Vec<Vec<&'static str>> {
    let floors: BTreeMap<&str, usize> =
        uses.keys().map(|name| (*name, floor(uses, name, uses.len()))).collect();
    let top = floors.values().copied().max().unwrap_or_default();
    let mut rows: Vec<Vec<&'static str>> = Vec::new();
    let mut columns: BTreeMap<&str, f64> = BTreeMap::new();
    for floor in (0..=top).rev() {
        let mut row: Vec<&str> =
            uses.keys().copied().filter(|name| floors[name] == floor).collect();
        let wish = |name: &&str| -> f64 {
            let users: Vec<f64> = uses
                .iter()
                .filter(|(_, used)| used.contains(name))
                .filter_map(|(user, _)| columns.get(user).copied())
                .collect();
            users.iter().sum::<f64>() / users.len().max(1) as f64
        };
        row.sort_by(|a, b| wish(a).total_cmp(&wish(b)).then(a.cmp(b)));
        let middle = (row.len() as f64 - 1.0) / 2.0;
        for (column, name) in row.iter().enumerate() {
            columns.insert(name, column as f64 - middle);
        }
        rows.push(row);
    }
    rows
}

/// One more than the highest floor of what a crate uses. `depth` ends a circle.
fn floor(uses: &Uses, name: &str, depth: usize) -> usize {
    let below = uses.get(name).into_iter().flatten();
    if depth == 0 {
        return 0;
    }
    below.map(|used| floor(uses, used, depth - 1) + 1).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses() -> Uses {
        Uses::from([
            ("cli", BTreeSet::from(["plan", "report"])),
            ("report", BTreeSet::from(["plan"])),
            ("plan", BTreeSet::new()),
        ])
    }

    #[test]
    fn arrows_that_follow_are_left_out() {
        assert_eq!(reduced(&uses())["cli"], BTreeSet::from(["report"]));
    }

    #[test]
    fn users_stand_above() {
        assert_eq!(rows(&uses()), [["cli"], ["report"], ["plan"]]);
    }
}
