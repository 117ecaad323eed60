//! Collapsed stacks: one line per path, frames from the root separated by `;`, a blank, a number.

use jfathom_profile::Frame;
use jfathom_views::{Pruned, StackWeight};
use std::{
    collections::HashMap,
    io::{self, Write},
};

/// Writes collapsed stacks. Paths that are not shown add to the path above them when the weight is
/// time, so that the sum stays the same, and are left out when it is calls. Paths of weight zero
/// have no line.
pub fn collapsed(shown: &Pruned, weight: StackWeight, out: &mut dyn Write) -> io::Result<()> {
    let tree = &shown.tree;
    // The frames so far with a `;` behind each, and where each of them ends.
    let (mut path, mut ends) = (String::new(), Vec::new());
    let mut texts: HashMap<Frame, String> = HashMap::new();
    for node in shown.nodes() {
        ends.truncate(tree.depth(node) as usize);
        path.truncate(ends.last().copied().unwrap_or(0));
        let frame = tree.frame(node);
        path.push_str(
            texts.entry(frame).or_insert_with(|| frame_text(&shown.frame_name(frame)) + ";"),
        );
        ends.push(path.len());
        let n = match (weight, frame) {
            (StackWeight::Calls, Frame::Thread(_)) => 0,
            (StackWeight::Calls, _) => tree.calls(node),
            (StackWeight::SelfTime, _) => {
                let hidden = tree.children(node).filter(|child| !shown.shows(*child));
                (shown.self_time(node) + hidden.map(|child| shown.total(child)).sum::<f64>())
                    .round() as u64
            }
        };
        if n > 0 {
            out.write_all(&path.as_bytes()[..path.len() - 1])?;
            writeln!(out, " {n}")?;
        }
    }
    Ok(())
}

/// A frame without what the format gives a meaning to; names have no line ends.
pub(crate) fn frame_text(name: &str) -> String {
    name.replace(';', ":")
}
