//! Self times and calls by call path below a call. A path is a number, so that a recursion of
//! depth n needs n numbers and not n²/2 frames.

use std::collections::HashMap;

use jfathom_profile::Frame;

/// The number of a call path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PathNumber(u32);

/// What the slowest calls and all recorded calls take in one call path, in sum.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PathSum {
    /// Self time in the slowest calls, in ns.
    pub slow_nanos: f64,
    /// Calls in the slowest calls.
    pub slow_calls: f64,
    /// Self time in all recorded calls, in ns.
    pub all_nanos: f64,
    /// Calls in all recorded calls.
    pub all_calls: f64,
}

/// A call path: its caller's, and its last frame.
#[derive(Debug)]
struct PathNode {
    caller: Option<(PathNumber, Frame)>,
    depth: u32,
    sum: PathSum,
}

/// The sums of all call paths below a call.
#[derive(Debug)]
pub(crate) struct PathSums {
    /// By number; the first one is the call itself.
    nodes: Vec<PathNode>,
    callees: HashMap<(PathNumber, Frame), PathNumber>,
    /// The numbers on the way to where the walk is, one for each depth.
    open: Vec<PathNumber>,
}

impl PathSums {
    /// Sums of the call itself only, which are zero.
    pub fn new() -> Self {
        let top = PathNode { caller: None, depth: 0, sum: PathSum::default() };
        Self { nodes: vec![top], callees: HashMap::new(), open: Vec::new() }
    }

    /// Goes to a frame at this depth below the call, in preorder: its caller is the last frame
    /// that was met one level above. Returns the sums of its call path. The frame at depth 0 is
    /// that of the call itself.
    pub fn enter(&mut self, depth: u32, frame: Frame) -> &mut PathSum {
        self.open.truncate(depth as usize);
        let number = match self.open.last() {
            None => PathNumber(0),
            Some(caller) => self.callee(*caller, frame),
        };
        self.open.push(number);
        &mut self.nodes[number.0 as usize].sum
    }

    fn callee(&mut self, caller: PathNumber, frame: Frame) -> PathNumber {
        let next = PathNumber(self.nodes.len() as u32);
        let number = *self.callees.entry((caller, frame)).or_insert(next);
        if number == next {
            let depth = self.nodes[caller.0 as usize].depth.saturating_add(1);
            let caller = Some((caller, frame));
            self.nodes.push(PathNode { caller, depth, sum: PathSum::default() });
        }
        number
    }

    /// All call paths, the first one being the call itself, with their depths and sums.
    pub fn iter(&self) -> impl Iterator<Item = (PathNumber, u32, &PathSum)> {
        self.nodes.iter().zip(0..).map(|(node, at)| (PathNumber(at), node.depth, &node.sum))
    }

    /// The innermost frames of a call path, at most so many, outermost first.
    pub fn frames(&self, number: PathNumber, most: usize) -> Vec<Frame> {
        let caller = |of: PathNumber| self.nodes.get(of.0 as usize)?.caller;
        let innermost = std::iter::successors(caller(number), |(of, _)| caller(*of));
        let mut frames: Vec<Frame> = innermost.take(most).map(|(_, frame)| frame).collect();
        frames.reverse();
        frames
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_profile::MethodIx;

    fn method(number: u32) -> Frame {
        Frame::Method(MethodIx(number))
    }

    #[test]
    fn equal_call_paths_have_one_sum() {
        let mut sums = PathSums::new();
        for (depth, frame) in [(0, 7), (1, 1), (2, 2), (1, 2), (0, 7), (1, 1), (2, 2), (3, 2)] {
            sums.enter(depth, method(frame)).slow_calls += 1.0;
        }
        let found = sums.iter().map(|(number, depth, sum)| {
            let frames = sums.frames(number, 2);
            (depth, frames, sum.slow_calls)
        });
        let path = |frames: &[u32]| frames.iter().map(|of| method(*of)).collect::<Vec<_>>();
        let expected = [
            (0, path(&[]), 2.0),
            (1, path(&[1]), 2.0),
            (2, path(&[1, 2]), 2.0),
            (1, path(&[2]), 1.0),
            (3, path(&[2, 2]), 1.0),
        ];
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }
}
