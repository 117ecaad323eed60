//! The table of walked stacks: who calls the methods whose stacks were walked.

use crate::{
    cells::{Cells, Rows},
    key::{RunId, count, method_key},
};
use jfathom_plan::printable;
use jfathom_profile::{Frame, MethodIx, Profile, SampleFrame, SampleIx, WalkedMethod};
use std::ops::Range;

/// The walks of a profile: each method, and below it its callers and theirs, in preorder.
pub(crate) struct WalkRows {
    run: RunId,
    rows: Vec<WalkRow>,
}

struct WalkRow {
    /// The key of the method whose stacks were walked.
    method: i64,
    parent: Option<i32>,
    last: i32,
    depth: i32,
    /// The key of the frame's method. None without recorded calls.
    frame: Option<i64>,
    class: String,
    member: String,
    interval: Option<i32>,
    walks: u64,
    outermost: u64,
    /// Of the method itself alone: what its calls were due, and what the walks lack.
    of: Option<WalkedMethod>,
}

impl WalkRows {
    pub fn new(profile: &Profile) -> Self {
        let mut rows = Vec::new();
        for of in &profile.stack_walks.methods {
            add_method(profile, of, &mut rows);
        }
        Self { run: RunId::of(profile), rows }
    }
}

fn add_method(profile: &Profile, of: &WalkedMethod, rows: &mut Vec<WalkRow>) {
    let walks = &profile.stack_walks;
    let key = |method: MethodIx| method_key(&profile.method(method).info.key);
    let first = rows.len();
    let root = walks.root(of.method);
    let below = |node: SampleIx| walks.tree.children(node).collect::<Vec<_>>().into_iter().rev();
    let mut path: Vec<i32> = Vec::new();
    let mut add = |frame: SampleFrame, depth: u32, walks_of: u64, outermost: u64| {
        let (frame, class, member) = match frame {
            SampleFrame::Recorded(Frame::Method(method)) => {
                let named = &profile.method(method).info.key;
                (Some(key(method)), &*named.class, &*named.name)
            }
            SampleFrame::Sampled(name) => match walks.names.get(name as usize) {
                Some(name) => (None, &*name.class, &*name.name),
                None => (None, "", ""),
            },
            SampleFrame::Recorded(Frame::Thread(_) | Frame::Task(_)) => (None, "", ""),
        };
        path.truncate(depth as usize);
        let number = rows.len() as i32;
        rows.push(WalkRow {
            method: key(of.method),
            parent: path.last().copied(),
            last: number,
            depth: depth as i32,
            frame,
            class: printable(class).into_owned(),
            member: printable(member).into_owned(),
            interval: i32::try_from(of.interval).ok().filter(|interval| *interval > 0),
            walks: walks_of,
            outermost,
            of: (depth == 0).then_some(*of),
        });
        path.push(number);
    };
    let Some(root) = root else {
        add(SampleFrame::Recorded(Frame::Method(of.method)), 0, 0, 0);
        return;
    };
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        let walked = walks.tree.node(node);
        add(walked.frame, walked.depth, walks.tree.total(node).all(), walked.own.all());
        open.extend(below(node));
    }
    set_last(rows.get_mut(first..).unwrap_or_default());
}

/// Gives each row of a method the number of the last one below it.
fn set_last(rows: &mut [WalkRow]) {
    let Some(first) = rows.first().map(|row| row.last as usize) else { return };
    for at in (0..rows.len()).rev() {
        let WalkRow { parent, last, .. } = rows[at];
        let above = parent.and_then(|parent| (parent as usize).checked_sub(first));
        if let Some(above) = above.and_then(|above| rows.get_mut(above)) {
            above.last = above.last.max(last);
        }
    }
}

impl Rows for WalkRows {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn columns(&self, rows: Range<usize>) -> Vec<Cells> {
        let first = rows.start;
        let rows = || self.rows[rows.clone()].iter();
        let of = |number: fn(&WalkedMethod) -> u64| {
            rows().map(move |row| row.of.as_ref().map(|of| count(number(of))))
        };
        vec![
            Cells::int64s(rows().map(|_| self.run.0)),
            Cells::int64s(rows().map(|row| row.method)),
            Cells::int32s(rows().enumerate().map(|(at, _)| (first + at) as i32)),
            Cells::optional_int32s(rows().map(|row| row.parent)),
            Cells::int32s(rows().map(|row| row.last)),
            Cells::int32s(rows().map(|row| row.depth)),
            Cells::optional_int64s(rows().map(|row| row.frame)),
            Cells::texts(rows().map(|row| &*row.class)),
            Cells::texts(rows().map(|row| &*row.member)),
            Cells::optional_int32s(rows().map(|row| row.interval)),
            Cells::int64s(rows().map(|row| count(row.walks))),
            Cells::int64s(rows().map(|row| count(row.outermost))),
            Cells::optional_int64s(of(|of| of.due)),
            Cells::optional_int64s(of(|of| of.unknown)),
            Cells::optional_int64s(of(|of| of.truncated)),
        ]
    }
}
