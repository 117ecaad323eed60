//! The order of a thread's call paths by what they weigh, for tools that draw them along an axis of
//! time. A profile has sums, and no order of time: the largest first is what such a tool shows when
//! it sorts, so nobody takes the order for that of the program.

use crate::contexts::{Context, callers};

/// The places of the call paths in preorder, of the callees of a path the one with the largest sum
/// first. Those without any weight in them are left out.
pub(crate) fn by_weight(contexts: &[Context], weight: impl Fn(&Context) -> u64) -> Vec<usize> {
    let family = Family::of(contexts, weight);
    let mut order = Vec::with_capacity(contexts.len());
    let mut open = Vec::new();
    family.push(None, &mut open);
    while let Some(at) = open.pop() {
        order.push(at);
        family.push(Some(at), &mut open);
    }
    order
}

/// No call path.
const NONE: usize = usize::MAX;

/// The callees of each call path, and the sums of what weighs in it and below it.
struct Family {
    sums: Vec<u64>,
    first: Vec<usize>,
    next: Vec<usize>,
    first_root: usize,
}

impl Family {
    fn of(contexts: &[Context], weight: impl Fn(&Context) -> u64) -> Self {
        let callers = callers(contexts);
        let mut family = Self {
            sums: contexts.iter().map(weight).collect(),
            first: vec![NONE; contexts.len()],
            next: vec![NONE; contexts.len()],
            first_root: NONE,
        };
        // A callee is behind its caller.
        for at in (0..contexts.len()).rev() {
            let first = match callers[at] {
                None => &mut family.first_root,
                Some(caller) => {
                    family.sums[caller] = family.sums[caller].saturating_add(family.sums[at]);
                    &mut family.first[caller]
                }
            };
            family.next[at] = std::mem::replace(first, at);
        }
        family
    }

    /// Adds the callees of a path to a stack, the largest last; of equal ones the first.
    fn push(&self, caller: Option<usize>, open: &mut Vec<usize>) {
        let begin = open.len();
        let mut at = caller.map_or(self.first_root, |caller| self.first[caller]);
        while at != NONE {
            if self.sums[at] > 0 {
                open.push(at);
            }
            at = self.next[at];
        }
        let callees = &mut open[begin..];
        callees.reverse();
        callees.sort_by_key(|at| self.sums[*at]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_path_comes_first_with_all_below_it() {
        // Depth and self time of each: sums are 5 (2, 3), 7 (0, 7, 0), 0, 7.
        let contexts = [(0, 2), (1, 3), (0, 0), (1, 7), (1, 0), (0, 0), (0, 7)];
        let contexts =
            contexts.map(|(depth, self_nanos)| Context { frame: 0, depth, calls: 1, self_nanos });
        let times = by_weight(&contexts, |context| context.self_nanos);
        assert_eq!(times, [2, 3, 6, 0, 1]);
        assert_eq!(by_weight(&contexts, |context| context.calls), [2, 3, 4, 0, 1, 5, 6]);
        assert_eq!(by_weight(&[], |context| context.calls), [0_usize; 0]);
    }
}
