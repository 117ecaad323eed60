//! A method between its callers and its callees.

use crate::row::{Row, Target, time_cells};
use jfathom_calibration::Times;
use jfathom_profile::{Frame, MethodIx};
use jfathom_views::{Edge, Edges, Shown, number::grouped};

/// Titles of the cells.
pub(crate) const TITLES: [&str; 4] = ["%", "time", "calls", "timed"];

/// The lines, and the place of the method among them: its callers with the time that it took in
/// calls from there, the method, its callees with the time that it spent in them.
pub(crate) fn rows(shown: &Shown, edges: &Edges, method: MethodIx) -> (Vec<Row>, usize) {
    let stanza = edges.stanza(method);
    let total = |edge: &Edge| Times {
        total_nanos: edge.of_callee.self_nanos + edge.of_callee.total_nanos,
        total_error_nanos: edge.of_callee.self_error_nanos + edge.of_callee.total_error_nanos,
        ..Times::default()
    };
    let row = |level, name: String, edge: &Edge, times: Times, target| {
        let [share, time] =
            time_cells(times.total_nanos, times.total_error_nanos, shown.whole, edge.has_time());
        let timed = match edge.timed == edge.calls {
            true => String::new(),
            false => grouped(edge.timed),
        };
        let cells = vec![share, time, edge.calls_text(), timed];
        Row { cells, level, mark: ' ', name, target }
    };
    let mut rows = Vec::new();
    for (caller, edge) in &stanza.callers {
        let (name, target) = match caller {
            Some(frame) => (shown.frame_name(*frame), Target::Frame(*frame)),
            None => ("the bottom of a stack".to_owned(), Target::Nothing),
        };
        rows.push(row(2, name, edge, total(edge), target));
    }
    let place = rows.len();
    let frame = Frame::Method(method);
    let own = total(&stanza.sum);
    rows.push(row(0, shown.frame_name(frame), &stanza.sum, own, Target::Frame(frame)));
    let itself = Times {
        total_nanos: stanza.sum.of_callee.self_nanos,
        total_error_nanos: stanza.sum.of_callee.self_error_nanos,
        ..Times::default()
    };
    let mut of_itself =
        row(2, "in the method itself".to_owned(), &stanza.sum, itself, Target::Nothing);
    of_itself.cells[2..].iter_mut().for_each(String::clear);
    rows.push(of_itself);
    for (callee, edge) in &stanza.callees {
        let name = shown.frame_name(*callee);
        rows.push(row(2, name, edge, edge.in_caller, Target::Frame(*callee)));
    }
    (rows, place)
}
