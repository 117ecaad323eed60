//! Call paths without a fork, as one line of a tree.

use crate::{number::counted, resumed};
use jfathom_profile::{Frame, NodeIx};
use jfathom_views::Pruned;

/// Nodes that follow each other without a fork: each calls the next one, and nothing else that is
/// shown, as often as it is called itself, and takes next to no time itself. A method that calls
/// itself is one frame with the number of its levels.
#[derive(Debug)]
pub(crate) struct Chain {
    /// The last node; the numbers of the line are its own.
    pub last: NodeIx,
    /// The frames, each with the number of its levels.
    frames: Vec<(Frame, u32)>,
    /// Calls of the levels below the first one of a recursion.
    recursive_calls: u64,
    /// Whether the recursion goes on in nodes that are not shown.
    goes_on: bool,
}

impl Chain {
    /// The chain that begins with a node; of one node if chains are not folded.
    pub(crate) fn from(visible: &Pruned, first: NodeIx, is_folded: bool) -> Self {
        let tree = &visible.tree;
        let mut chain = Self {
            last: first,
            frames: vec![(tree.frame(first), 1)],
            recursive_calls: 0,
            goes_on: false,
        };
        if !is_folded || matches!(tree.frame(first), Frame::Thread(_)) {
            return chain;
        }
        let mut at = first;
        while let Some(next) = only_child(visible, at) {
            let frame = tree.frame(next);
            match chain.frames.last_mut() {
                Some((last, levels)) if *last == frame => {
                    *levels += 1;
                    chain.recursive_calls = chain.recursive_calls.saturating_add(tree.calls(next));
                }
                // Below a recursion calls and times are those of its innermost level.
                Some((_, 2..)) => break,
                _ if tree.calls(next) == tree.calls(at) && visible.passes_on(at) => {
                    chain.frames.push((frame, 1));
                    chain.last = next;
                }
                _ => break,
            }
            at = next;
        }
        let is_same = |node: NodeIx| tree.frame(node) == tree.frame(at);
        chain.goes_on = tree.children(at).any(|node| is_same(node) && !visible.shows(node));
        chain
    }

    /// The node whose children follow.
    pub(crate) fn end(&self, visible: &Pruned) -> NodeIx {
        let mut end = self.last;
        let levels = self.frames.last().map_or(1, |(_, levels)| *levels);
        for _ in 1..levels {
            end = only_child(visible, end).unwrap_or(end);
        }
        end
    }

    /// Nodes on the line.
    pub(crate) fn len(&self) -> u64 {
        self.frames.iter().map(|(_, levels)| u64::from(*levels)).sum()
    }

    /// Whether a method on the line is marked as one whose calls include resumptions.
    pub(crate) fn has_resumed(&self, visible: &Pruned) -> bool {
        self.frames.iter().any(|(frame, _)| resumed::is_marked(visible.profile, *frame))
    }

    /// The names on the line in at most `width` characters, if that can be.
    pub(crate) fn label(&self, visible: &Pruned, width: Option<usize>) -> String {
        let name = |(frame, _): &(Frame, u32)| {
            resumed::marked(visible.profile, *frame, visible.frame_name(*frame))
        };
        let names: Vec<String> = self.frames.iter().map(name).collect();
        let recursion = match self.frames.last() {
            Some((_, levels @ 2..)) => {
                let calls = counted(self.recursive_calls, "call", "calls");
                match self.goes_on {
                    true => format!(" ×{levels} levels and more, {calls} and more below the first"),
                    false => format!(" ×{levels} levels, {calls} below the first"),
                }
            }
            _ => String::new(),
        };
        let [only] = &*names else {
            return chain_label(&names, width.map(|width| width.saturating_sub(recursion.len())))
                + &recursion;
        };
        let room =
            width.map_or(usize::MAX, |width| width.saturating_sub(recursion.chars().count()));
        jfathom_views::fit(only, room.max(24)) + &recursion
    }
}

/// `a.B::c › d › E::f`: each name without the class that the one before has. If there is no room,
/// packages go, then parameters, then the names in the middle.
pub(crate) fn chain_label(names: &[String], width: Option<usize>) -> String {
    let room = width.unwrap_or(usize::MAX);
    let fits = |text: &String| text.chars().count() <= room;
    let whole = joined(names, true, true);
    let shorter = [joined(names, false, true), joined(names, false, false)];
    if let Some(label) = std::iter::once(whole).chain(shorter).find(fits) {
        return label;
    }
    let [first, last] = [names.first(), names.last()]
        .map(|name| name.map_or_else(String::new, |name| short(name, false, false)));
    let hidden = names.len().saturating_sub(2);
    let label = format!("{first} › {hidden} more › {last}");
    if hidden > 0 && fits(&label) {
        return label;
    }
    // The last name is whole if the others leave it room; of the others the first one is shown.
    let behind = match hidden {
        0 => format!(" › {last}"),
        _ => format!(" › {hidden} more › {last}"),
    };
    match room.checked_sub(behind.chars().count()) {
        Some(room) if room >= MIN_ROOM => return jfathom_views::fit(&first, room) + &behind,
        _ => {}
    }
    let before = format!("{} more › ", hidden + 1);
    let room = room.saturating_sub(before.chars().count()).max(MIN_ROOM);
    before + &jfathom_views::fit(&last, room)
}

/// Columns for a name, at least.
const MIN_ROOM: usize = 16;

fn joined(names: &[String], has_package: bool, has_parameters: bool) -> String {
    let mut label = String::new();
    let mut class_before = None;
    for name in names {
        let class = name.split("::").next().unwrap_or_default();
        if class_before.is_some() {
            label.push_str(" › ");
        }
        let name = short(name, has_package && class_before.is_none(), has_parameters);
        match class_before == Some(class) {
            true => label.push_str(name.split_once("::").map_or(&*name, |(_, method)| method)),
            false => label.push_str(&name),
        }
        class_before = Some(class);
    }
    label
}

/// A name without its package or parameters.
fn short(name: &str, has_package: bool, has_parameters: bool) -> String {
    let class_end = name.find("::").unwrap_or(name.len());
    let start = match has_package {
        true => 0,
        false => name[..class_end].rfind('.').map_or(0, |dot| dot + 1),
    };
    match name.find('(') {
        Some(at) if !has_parameters && !name.ends_with("()") => format!("{}(…)", &name[start..at]),
        _ => name[start..].to_owned(),
    }
}

/// The child of a node if it has one that is shown and none that is not.
fn only_child(visible: &Pruned, node: NodeIx) -> Option<NodeIx> {
    let mut children = visible.tree.children(node).filter(|child| visible.shows(*child));
    let only = children.next()?;
    children.next().is_none().then_some(only)
}
