//! The callers of what was chosen, by walked stacks.

use crate::row::{Row, Target};
use jfathom_profile::{Frame, MethodIx};
use jfathom_views::{Shown, WalkedCallers, number::grouped, walked_callers_of};

/// Titles of the cells.
pub(crate) const TITLES: [&str; 3] = ["%", "walks", "calls"];

/// The lines: the method, its callers and theirs; then what its walks lack. Of a method without
/// walks, the methods that have some.
pub(crate) fn rows(shown: &Shown, method: Option<MethodIx>) -> Vec<Row> {
    let walks = &shown.profile.stack_walks;
    if !walks.is_recorded() {
        let how = "not recorded: `record --probe 'METHOD=time+stack/101'` walks stacks";
        return vec![line(0, how.to_owned())];
    }
    match method.and_then(|of| walked_callers_of(shown.profile, &shown.names, of)) {
        Some(callers) => callers_of(&callers, walks.cut),
        None => {
            let mut rows = Vec::new();
            if let Some(method) = method {
                let name = shown.frame_name(Frame::Method(method));
                rows.push(line(0, format!("no stacks of {name} were walked")));
            }
            rows.push(line(0, "methods whose stacks were walked (W shows them):".to_owned()));
            rows.extend(walks.methods.iter().map(|of| Row {
                cells: vec![String::new(), grouped(walks.walks(of.method)), String::new()],
                target: Target::Frame(Frame::Method(of.method)),
                ..line(2, shown.frame_name(Frame::Method(of.method)))
            }));
            rows
        }
    }
}

fn callers_of(callers: &WalkedCallers, cut: u64) -> Vec<Row> {
    let row = |level, walks: u64, name: String, method: Option<MethodIx>| Row {
        cells: vec![callers.percent(walks), grouped(walks), callers.calls_text(walks)],
        target: method.map_or(Target::Nothing, |of| Target::Frame(Frame::Method(of))),
        ..line(level, name)
    };
    let of = callers.method.method;
    let name = format!("{}  ({})", callers.name, callers.interval());
    let mut rows = vec![row(0, callers.walks, name, Some(of))];
    let levels = callers.levels(callers.rows.iter());
    rows.extend(callers.rows.iter().zip(levels).map(|(caller, level)| {
        row(level as usize * 2 + 2, caller.walks, caller.marked_name(), caller.method)
    }));
    let loss = |count: u64, what: &str| {
        let cells = vec![String::new(), grouped(count), String::new()];
        Row { cells, ..line(0, what.to_owned()) }
    };
    let mut losses: Vec<Row> = callers.losses().map(|(count, what)| loss(count, what)).collect();
    if cut > 0 {
        losses.push(loss(cut, "of all methods lack their outermost frames, which were too many"));
    }
    if !losses.is_empty() {
        rows.push(line(0, String::new()));
        rows.push(loss(callers.method.due, "walks were due; of these"));
        rows.append(&mut losses);
    }
    if callers.rows.iter().any(|row| !row.is_recorded()) {
        rows.push(line(0, String::new()));
        rows.push(line(0, "~ a frame without recorded calls".to_owned()));
    }
    rows
}

fn line(level: usize, name: String) -> Row {
    Row {
        cells: vec![String::new(); TITLES.len()],
        level,
        mark: ' ',
        name,
        target: Target::Nothing,
    }
}
