//! Why threads did not run in what was chosen, and what they threw.

use crate::row::{Row, Target};
use jfathom_profile::{EventKind, EventName, Frame, MethodIx, NodeIx};
use jfathom_views::{
    NameSum, Shown,
    number::{grouped, percent, signed},
};

/// Titles of the cells.
pub(crate) const TITLES: [&str; 3] = ["%", "time", "number"];

/// What was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chosen {
    /// A call path.
    Path(NodeIx),
    /// A method on all call paths.
    Method(MethodIx),
}

impl Chosen {
    /// Its method; none of a thread.
    pub fn method(self, shown: &Shown) -> Option<MethodIx> {
        match self {
            Self::Method(method) => Some(method),
            Self::Path(node) => match shown.tree.frame(node) {
                Frame::Method(method) | Frame::Task(method) => Some(method),
                Frame::Thread(_) => None,
            },
        }
    }

    /// What the page is of: a name, and where.
    pub fn texts(self, shown: &Shown) -> [String; 2] {
        let (frame, place) = match self {
            Self::Path(node) => (shown.tree.frame(node), "on this call path"),
            Self::Method(method) => (Frame::Method(method), "on all call paths"),
        };
        [shown.frame_name(frame), place.to_owned()]
    }
}

/// The lines: in the calls themselves, then with all that they call; the longest first.
pub(crate) fn rows(shown: &Shown, chosen: Chosen) -> Vec<Row> {
    let line = |level, name: String| Row {
        cells: vec![String::new(); TITLES.len()],
        level,
        mark: ' ',
        name,
        target: Target::Nothing,
    };
    if !shown.has_events() {
        let how = "not recorded: `record --metrics waits,exceptions` tells it";
        return vec![line(0, how.to_owned())];
    }
    let [own, total] = match chosen {
        Chosen::Path(node) => [shown.event_names(node), shown.total_event_names(node)],
        Chosen::Method(method) => shown.method_event_names(method),
    };
    let row = |sum: NameSum| {
        let [share, time] = match sum.name.kind.has_time() {
            true => [percent(sum.nanos, shown.whole), signed(sum.nanos)],
            false => [String::new(), String::new()],
        };
        let cells = vec![share, time, grouped(sum.count)];
        Row { cells, ..line(2, label(&sum.name)) }
    };
    let mut rows = Vec::new();
    for (title, sums) in [("by itself", own), ("with all that it calls", total)] {
        rows.push(line(0, title.to_owned()));
        if sums.is_empty() {
            rows.push(line(2, "nothing was told".to_owned()));
        }
        rows.extend(sums.into_iter().map(row));
    }
    rows
}

fn label(name: &EventName) -> String {
    match (&name.class, name.kind) {
        (Some(class), EventKind::Exception) => format!("{class} made"),
        (Some(class), EventKind::Caught) => format!("{class} caught"),
        (None, EventKind::Caught) => "exceptions of classes not known caught".to_owned(),
        (Some(class), kind) => format!("{kind} of {class}"),
        (None, kind) => kind.to_string(),
    }
}
