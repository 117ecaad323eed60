//! The callers of methods by walked stacks: as text.

use crate::{
    caller_lines::{CallerLine, add_line, caller_lines},
    number::{counted, grouped},
    table::Table,
    view::View,
};
use jfathom_profile::Profile;
use jfathom_views::{Nothing, WalkedCaller, WalkedCallers, walked_callers};
use std::io::{self, Write};

/// Writes the callers of each method whose stacks were walked.
pub(crate) fn write(profile: &Profile, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let mut all = walked_callers(profile);
    all.retain(|of| view.of.as_ref().is_none_or(|chosen| chosen.contains(of.method.method)));
    if all.is_empty() {
        write_line!(out, "callers by walked stacks")?;
        return match Nothing::of_walks(profile) {
            Some(why) => write_line!(out, "none: {why}"),
            None => write_line!(out, "none: the stacks of the methods in focus were not walked"),
        };
    }
    write_line!(
        out,
        "callers by walked stacks: below a method stand its callers; ~ a frame without recorded calls"
    )?;
    let more = all.len().saturating_sub(view.limit);
    all.truncate(view.limit);
    let mut hidden = 0_u64;
    let mut table = Table::new(&["%", "walks", "calls"], "method and its callers");
    for (at, callers) in all.iter().enumerate() {
        if at > 0 {
            table.row(Vec::new(), 0, String::new());
        }
        let cells = cells(callers, callers.walks);
        table.row(cells, 0, format!("{}  ({})", callers.name, callers.interval()));
        hidden += add_rows(&mut table, callers, view);
    }
    table.write(view.width, out)?;
    if hidden > 0 {
        write_line!(
            out,
            "not shown are {} with less than {} % of the method's walks, or deeper",
            counted(hidden, "caller", "callers"),
            view.threshold
        )?;
    }
    for callers in &all {
        if let Some(sentence) = callers.lacks() {
            write_line!(out, "{sentence}")?;
        }
    }
    let cut = profile.stack_walks.cut;
    if cut > 0 {
        write_line!(
            out,
            "{} lack their outermost frames, which were too many",
            counted(cut, "walk", "walks")
        )?;
    }
    if more > 0 {
        write_line!(out, "{} more methods (--limit shows more)", grouped(more as u64))?;
    }
    Ok(())
}

/// Adds the callers that are large enough. Returns how many are not.
fn add_rows(table: &mut Table<'_>, callers: &WalkedCallers, view: &View) -> u64 {
    let is_small = |row: &WalkedCaller| {
        row.walks as f64 * 100.0 < view.threshold * callers.walks as f64
            || view.depth.is_some_and(|depth| row.depth > depth)
    };
    let mut below: Option<u32> = None;
    let is_shown = |row: &&WalkedCaller| {
        if below.is_none_or(|depth| row.depth <= depth) {
            below = is_small(row).then_some(row.depth);
        }
        below.is_none()
    };
    let shown: Vec<&WalkedCaller> = callers.rows.iter().filter(is_shown).collect();
    let hidden = callers.rows.len() - shown.len();
    let is_folded = view.fold_chains;
    let lines = caller_lines(shown, |row| row.depth, |one, next| is_folded && goes_on(one, next));
    for CallerLine { indent, callers: rows } in lines {
        let Some(last) = rows.last() else { continue };
        let names = rows.iter().map(|row| row.name.clone()).collect();
        add_line(table, cells(callers, last.walks), indent, names, last.is_recorded());
    }
    hidden as u64
}

/// Whether a caller stands on the line of the one that it calls: nobody else calls that, and both
/// have recorded calls, or none.
fn goes_on(called: &WalkedCaller, next: &WalkedCaller) -> bool {
    next.depth == called.depth + 1
        && next.walks == called.walks
        && next.is_recorded() == called.is_recorded()
}

fn cells(callers: &WalkedCallers, walks: u64) -> Vec<String> {
    vec![callers.percent(walks), grouped(walks), callers.calls_text(walks)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Section;
    use jfathom_profile::{MethodIx, WalkedMethod};
    use jfathom_testkit::{small_profile, walks::walked};
    use serde_json::json;

    fn text(profile: &Profile, view: &View) -> String {
        let mut out = Vec::new();
        crate::text(profile, &[Section::Walks], view, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn callers_stand_below_the_method() {
        let profile = walked(small_profile::profile());
        let names = jfathom_views::Names::of(&profile.methods);
        let [caller, called] = [0, 1].map(|at| names.method(MethodIx(at)).to_owned());
        let folded = text(&profile, &View { fold_chains: true, ..View::default() });
        let lines: Vec<&str> = folded.lines().collect();
        assert!(lines.iter().any(|line| line.ends_with(&format!("{called}  (one in 10 calls)"))));
        let chain = lines.iter().find(|line| line.contains(&caller)).unwrap();
        assert!(
            chain.contains("67 ±") && chain.contains("  6  ") && chain.contains("~60"),
            "{chain}"
        );
        assert!(chain.ends_with(&caller), "{chain}");
        assert!(lines.iter().any(|line| line.ends_with("  ~ app.Main::loop › main")), "{folded}");
        assert!(lines.iter().any(|line| line.ends_with("  ~ app.Main::main")), "{folded}");
        let lacks = "of 12 walks that its calls were due 1 were not made, or not kept by the JVM, 2 have no \
                     stack with the method, 1 lack their outermost frames";
        assert!(folded.contains(lacks), "{folded}");
        let each = text(&profile, &View::default());
        assert!(each.lines().any(|line| line.ends_with("      ~ app.Main::main")), "{each}");
        let few = text(&profile, &View { threshold: 30.0, ..View::default() });
        assert!(few.contains("not shown are 1 caller with less than 30 %"), "{few}");
        let none = text(&small_profile::profile(), &View::default());
        assert!(none.contains("none: no stacks were walked"), "{none}");
    }

    #[test]
    fn walks_of_every_call_are_exact() {
        let mut profile = walked(small_profile::profile());
        let method = &mut profile.stack_walks.methods[0];
        *method = WalkedMethod { interval: 1, due: 9, truncated: 0, unknown: 0, ..*method };
        let text = text(&profile, &View::default());
        assert!(text.contains("(every call)") && !text.contains('±'), "{text}");
        assert!(!text.contains("of 9 walks"), "{text}");
        let row = text.lines().find(|line| line.starts_with("66.7")).unwrap();
        assert!(!row.contains("~6"), "{row}");
    }

    #[test]
    fn json_has_callers_after_those_they_call() {
        let value = |profile: &Profile| {
            let mut out = Vec::new();
            crate::json(profile, &View::default(), &mut out).unwrap();
            serde_json::from_slice::<serde_json::Value>(&out).unwrap()["stackWalks"].clone()
        };
        let walks = value(&walked(small_profile::profile()));
        let method = &walks["methods"][0];
        assert_eq!((&method["walks"], &method["missing"]), (&json!(9), &json!(1)));
        let callers = method["callers"].as_array().unwrap();
        let rows: Vec<_> = callers.iter().map(|row| (&row["depth"], &row["walks"])).collect();
        let expected = [(1, 6), (2, 6), (3, 6), (1, 2)].map(|(a, b)| (json!(a), json!(b)));
        let expected: Vec<_> = expected.iter().map(|(depth, walks)| (depth, walks)).collect();
        assert_eq!(rows, expected);
        assert_eq!(
            (&callers[0]["recorded"], &callers[1]["recorded"]),
            (&json!(true), &json!(false))
        );
        assert!(value(&small_profile::profile()).is_null());
    }
}
