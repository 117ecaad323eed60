//! The page of a profile.

use crate::{
    columns::Columns,
    facts::facts,
    frames::{FrameTable, method_facts},
    html::{self, Packing},
    runs::add_runs,
    threads::threads,
    tree::{PageNode, add_tree},
};
use jfathom_calibration::correct_times;
use jfathom_profile::{Frame, Profile};
use jfathom_report::View;
use jfathom_views::Shown;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Writes the page of a profile. Of the view, it follows the scope and whether
/// times are raw; a page has all nodes.
pub fn profile_page(profile: &Profile, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let (head, columns) = document(profile, view)?;
    html::write(&head, &columns, out)
}

/// The data of that page alone, as [`live_page`](crate::live_page) reads them: a gzip stream.
///
/// # Errors
/// Fails if the document has more than 4 GiB.
pub fn profile_data(profile: &Profile, view: &View) -> io::Result<Vec<u8>> {
    let (head, columns) = document(profile, view)?;
    html::packed(&head, &columns, Packing::Fast)
}

/// The document and the columns of a page.
fn document(profile: &Profile, view: &View) -> io::Result<(Value, Vec<u8>)> {
    let corrected = if view.raw { None } else { correct_times(profile) };
    let shown = Shown::new(profile, corrected.as_ref(), &view.scope);
    let mut frames = FrameTable::default();
    let tree = &shown.tree;
    let node = |at| {
        let node = PageNode {
            depth: tree.depth(at),
            frame: frames.place(tree.frame(at)),
            timed: tree.timed(at),
            counted: tree.counted(at),
            ..PageNode::default()
        };
        node.with_times(shown.times_or_measured(at))
    };
    let nodes: Vec<PageNode> = shown.all_nodes().map(node).collect();
    let mut columns = Columns::default();
    add_tree(&mut columns, &nodes, &[], frames.len());
    let runs = add_runs(&mut columns, profile, view, &frames);
    let (columns, places) = columns.finish();
    let head = json!({
        "kind": "profile",
        "title": profile.meta.command.join(" "),
        "facts": facts(profile, view)?,
        "corrected": shown.is_corrected(),
        "nodes": nodes.len(),
        "runs": runs,
        "frames": frames.json(|frame| shown.frame_name(frame), |frame| match frame {
            Frame::Method(method) => Some(method_facts(profile.method(method))),
            Frame::Thread(_) | Frame::Task(_) => None,
        }),
        "threads": threads(&shown, corrected.as_ref(), &view.scope),
        "columns": places,
    });
    Ok((head, columns))
}
