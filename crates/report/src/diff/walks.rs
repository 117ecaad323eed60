//! Who calls the methods whose stacks were walked on both sides: as text.

use super::{names::Names, view::DiffView};
use crate::{
    caller_lines::{CallerLine, add_line, caller_lines},
    number::{counted, grouped},
    table::Table,
};
use jfathom_compare::{Caller, CallerDiff, WalkedSide, WalksDiff};
use jfathom_views::{Comparison, sampled_name, walk_interval, walks_doubt};
use std::io::{self, Write};

/// Writes the callers whose calls changed, of each method whose stacks were walked on both sides;
/// nothing where there is none.
pub(super) fn write(
    compared: &Comparison<'_>,
    names: &Names,
    view: &DiffView,
    out: &mut dyn Write,
) -> io::Result<()> {
    let all = &compared.diff.walks;
    if all.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let shown: Vec<_> = (all.iter().map(|of| (of, shown(of, view.threshold))))
        .filter(|(_, rows)| !rows.is_empty())
        .collect();
    if shown.is_empty() {
        write_line!(
            out,
            "no caller by walked stacks changed: of {} no caller is known to call more or less \
             often by {} % of the calls (-t 0 shows all)",
            counted(all.len() as u64, "method", "methods"),
            view.threshold
        )?;
    } else {
        write_line!(
            out,
            "callers that changed, by walked stacks; ~: no recorded calls; calls of a run"
        )?;
        let mut table = Table::new(&["base", "new", "Δ calls", ""], "method and its callers");
        let more = shown.len().saturating_sub(view.limit);
        for (at, (of, rows)) in shown.into_iter().take(view.limit).enumerate() {
            if at > 0 {
                table.row(Vec::new(), 0, String::new());
            }
            add_method(&mut table, compared, names, of);
            add_rows(&mut table, names, of, rows);
        }
        table.write(view.width, out)?;
        if more > 0 {
            write_line!(out, "{} more methods (--limit shows more)", grouped(more as u64))?;
        }
    }
    for of in all {
        if let Some(doubt) = walks_doubt(compared, of) {
            write_line!(out, "{}: {doubt}", names.on(1, of.method))?;
        }
    }
    Ok(())
}

/// The callers that are shown: those whose calls changed by so many percent of the method's, and
/// those between them and the method. All where the threshold is zero.
fn shown(of: &WalksDiff, threshold: f64) -> Vec<&CallerDiff> {
    let whole = of.sides.iter().filter_map(|side| side.calls(side.walks)).fold(0.0, f64::max);
    let is_large = |row: &CallerDiff| {
        let calls = of.calls(row).unwrap_or_default();
        (calls[1] - calls[0]).abs() * 100.0 >= threshold * whole
    };
    let mut shown = vec![false; of.callers.len()];
    let mut path: Vec<usize> = Vec::new();
    for (at, row) in of.callers.iter().enumerate() {
        path.truncate(row.depth.saturating_sub(1) as usize);
        path.push(at);
        if threshold == 0.0 || of.is_changed(row) && is_large(row) {
            path.iter().for_each(|at| shown[*at] = true);
        }
    }
    of.callers.iter().zip(shown).filter_map(|(row, shown)| shown.then_some(row)).collect()
}

/// The method's own line: its exact calls.
fn add_method(table: &mut Table<'_>, compared: &Comparison<'_>, names: &Names, of: &WalksDiff) {
    let [base, new] = of.sides.each_ref().map(|side| walk_interval(side.interval));
    let interval = if base == new { base } else { format!("{base}, {new}") };
    let calls = compared.diff.methods.get(of.method).map(|method| method.calls);
    let calls =
        calls.map(|calls| [calls.base, calls.new].map(|side| side.map_or(0.0, |of| of.mean)));
    let mut cells = cells(calls.unwrap_or_default(), "");
    cells.push(String::new());
    table.row(cells, 0, format!("{}  ({interval})", names.with_note(of.method)));
}

fn add_rows(table: &mut Table<'_>, names: &Names, of: &WalksDiff, rows: Vec<&CallerDiff>) {
    let about = if of.sides.iter().all(WalkedSide::is_whole) { "" } else { "~" };
    let lines = caller_lines(rows, |row| row.depth, |one, next| goes_on(one, next));
    for CallerLine { indent, callers } in lines {
        let Some(row) = callers.last() else { continue };
        let mut cells = of.calls(row).map_or(vec![String::new(); 3], |calls| cells(calls, about));
        cells.push(if row.p_value.is_some() && of.is_changed(row) { "*" } else { "" }.to_owned());
        let chain = callers.iter().map(|row| name(names, &row.caller)).collect();
        add_line(table, cells, indent, chain, is_recorded(&row.caller));
    }
}

/// Whether a caller stands on the line of the one that it calls: nobody else calls that, and both
/// have recorded calls, or none.
fn goes_on(called: &CallerDiff, next: &CallerDiff) -> bool {
    next.depth == called.depth + 1
        && next.walks == called.walks
        && is_recorded(&next.caller) == is_recorded(&called.caller)
}

/// Calls on both sides and their difference. `about` stands before calls that are estimated.
fn cells([base, new]: [f64; 2], about: &str) -> Vec<String> {
    let number = |calls: f64| grouped(calls.abs().round() as u64);
    let of_side = |calls: f64| match calls {
        0.0 => "0".to_owned(),
        calls => format!("{about}{}", number(calls)),
    };
    let change = match (new - base).round() {
        0.0 => "=".to_owned(),
        more if more > 0.0 => format!("{about}+{}", number(more)),
        less => format!("{about}-{}", number(less)),
    };
    vec![of_side(base), of_side(new), change]
}

fn name(names: &Names, caller: &Caller) -> String {
    match caller {
        Caller::Method(place) => names.with_note(*place),
        Caller::Named(name) => sampled_name(name),
    }
}

fn is_recorded(caller: &Caller) -> bool {
    matches!(caller, Caller::Method(_))
}

#[cfg(test)]
mod tests {
    use crate::diff::{DiffView, diff_json, diff_text};
    use jfathom_profile::{Frame, MethodIx, Profile, SampleCounts, SampleFrame, WalkedMethod};
    use jfathom_profile::{SampleTreeBuilder, SampledName, StackWalks};
    use jfathom_testkit::{small_profile, walks::walked};
    use jfathom_views::Comparison;
    use serde_json::{Value, json};

    /// The walked profile with so many walks by `app.Main::main` directly, and none missing.
    fn by_main(walks: u64) -> Profile {
        let mut profile = walked(small_profile::profile());
        let [called, caller] = [1, 0].map(|at| SampleFrame::Recorded(Frame::Method(MethodIx(at))));
        let mut builder = SampleTreeBuilder::default();
        let [looped, main] = ["loop", "main"].map(|name| {
            let (class, name) = ("app/Main".to_owned(), name.to_owned());
            SampleFrame::Sampled(builder.name(&SampledName { class, name }))
        });
        builder.add(
            [called, caller, looped, main],
            SampleCounts { running: 600, ..SampleCounts::default() },
        );
        builder.add([called, main], SampleCounts { running: walks, ..SampleCounts::default() });
        let due = 600 + walks;
        let method =
            WalkedMethod { method: MethodIx(1), interval: 10, due, truncated: 0, unknown: 0 };
        profile.stack_walks = StackWalks::new(vec![method], builder, 0);
        profile.check().unwrap();
        profile
    }

    fn compared(sides: &[Profile; 2], view: &DiffView) -> (String, Value) {
        let found = jfathom_compare::diff(&sides[0], &sides[1]);
        let [base, new] = sides;
        let compared = Comparison { base, new, called: ["base", "new"], diff: &found };
        let (mut text, mut json) = (Vec::new(), Vec::new());
        diff_text(&compared, view, &mut text).unwrap();
        diff_json(&compared, view, &mut json).unwrap();
        (String::from_utf8(text).unwrap(), serde_json::from_slice(&json).unwrap())
    }

    #[test]
    fn callers_that_changed_stand_below_the_method() {
        let (text, json) = compared(&[by_main(200), by_main(400)], &DiffView::default());
        let step = "com.acme.Engine::step(int)  (one in 10 calls)";
        assert!(text.lines().any(|line| line.ends_with(step)), "{text}");
        let row = text.lines().find(|line| line.ends_with("  ~ app.Main::main")).unwrap();
        let words: Vec<_> = row.split_whitespace().collect();
        assert_eq!(words, ["~2,000", "~4,000", "~+2,000", "*", "~", "app.Main::main"]);
        assert!(!text.contains("loop"), "{text}");
        let callers = json["walks"][0]["callers"].as_array().unwrap();
        let changed: Vec<_> = callers.iter().map(|row| &row["changed"]).collect();
        assert_eq!(changed, [&json!(false), &json!(false), &json!(false), &json!(true)]);
        assert_eq!(callers[3]["newCalls"], json!(4_000.0));
        let all = DiffView { threshold: 0.0, ..DiffView::default() };
        let (text, _) = compared(&[by_main(200), by_main(400)], &all);
        assert!(text.contains("  ~ app.Main::loop › main\n"), "{text}");
    }

    #[test]
    fn equal_callers_and_lost_walks_are_said() {
        let (text, _) = compared(&[by_main(200), by_main(210)], &DiffView::default());
        assert!(text.contains("\nno caller by walked stacks changed: of 1 method "), "{text}");
        let lossy = walked(small_profile::profile());
        let (text, _) = compared(&[lossy.clone(), lossy], &DiffView::default());
        assert!(text.contains("4 walks of the base and 4 new ones lack callers"), "{text}");
        let plain = small_profile::profile();
        let (text, json) = compared(&[plain.clone(), plain], &DiffView::default());
        assert!(!text.contains("walked") && json["walks"].is_null(), "{text}");
    }
}
