//! The numbers of sampled stacks and their methods.

use jfathom_session::{SampledMethodLine, SampledStackLine, SamplesFileLine};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

/// The most calls of the tree: some 50 MB of memory.
const MOST_CALLS: usize = 1 << 20;

/// The stacks that have lines, as a tree of calls from the outermost frame inwards, which
/// takes little memory where stacks have their outer frames in common.
pub struct Stacks<M> {
    methods: HashMap<M, u32>,
    /// By the caller's number and the method. Numbers count from one; zero is the caller of
    /// outermost frames.
    calls: HashMap<(u32, M), Call>,
    stacks: u32,
    most_calls: usize,
}

struct Call {
    number: u32,
    /// The stack whose innermost frame it is; none if it has no line.
    stack: Option<u32>,
}

impl<M> Default for Stacks<M> {
    fn default() -> Self {
        Self { methods: HashMap::new(), calls: HashMap::new(), stacks: 0, most_calls: MOST_CALLS }
    }
}

impl<M: Copy + Eq + Hash> Stacks<M> {
    /// The number of the stack with these methods, the innermost first. Adds the lines of what has
    /// none so far; `describe` names a method. None if there are too many stacks.
    pub fn number(
        &mut self,
        methods: impl DoubleEndedIterator<Item = M> + Clone,
        truncated: bool,
        lines: &mut Vec<SamplesFileLine>,
        mut describe: impl FnMut(M) -> SampledMethodLine,
    ) -> Option<u32> {
        let innermost = self.innermost(methods.clone())?;
        if let Some(stack) = innermost.stack {
            return Some(stack);
        }
        let stack = self.stacks;
        self.innermost(methods.clone())?.stack = Some(stack);
        self.stacks = stack.checked_add(1)?;
        let mut frames = Vec::new();
        for method in methods {
            let next = u32::try_from(self.methods.len()).ok()?;
            frames.push(*self.methods.entry(method).or_insert_with(|| {
                lines.push(SamplesFileLine::Method(describe(method)));
                next
            }));
        }
        lines.push(SamplesFileLine::Stack(SampledStackLine { frames, truncated }));
        Some(stack)
    }

    /// The call of the innermost frame; none if there are too many calls, or no frame.
    fn innermost(&mut self, methods: impl DoubleEndedIterator<Item = M>) -> Option<&mut Call> {
        let (mut caller, mut last) = (0, None);
        for method in methods.rev() {
            let known = self.calls.len();
            let number = match self.calls.entry((caller, method)) {
                Entry::Occupied(call) => call.get().number,
                Entry::Vacant(_) if known >= self.most_calls => return None,
                Entry::Vacant(place) => {
                    let number = u32::try_from(known + 1).ok()?;
                    place.insert(Call { number, stack: None }).number
                }
            };
            last = Some((caller, method));
            caller = number;
        }
        self.calls.get_mut(&last?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method(number: u32) -> SampledMethodLine {
        SampledMethodLine { name: number.to_string(), ..SampledMethodLine::default() }
    }

    fn stack(frames: &[u32], truncated: bool) -> SamplesFileLine {
        SamplesFileLine::Stack(SampledStackLine { frames: frames.to_vec(), truncated })
    }

    #[test]
    fn each_method_and_each_stack_has_one_line() {
        let (mut stacks, mut lines) = (Stacks::default(), Vec::new());
        let mut number = |frames: &[u32], truncated, lines: &mut Vec<_>| {
            stacks.number(frames.iter().copied(), truncated, lines, method)
        };
        assert_eq!(number(&[7, 8, 7], false, &mut lines), Some(0));
        assert_eq!(number(&[8, 7], true, &mut lines), Some(1));
        assert_eq!(number(&[7, 8, 7], false, &mut lines), Some(0));
        assert_eq!(number(&[9, 7, 8, 7], false, &mut lines), Some(2));
        let expected = [
            SamplesFileLine::Method(method(7)),
            SamplesFileLine::Method(method(8)),
            stack(&[0, 1, 0], false),
            stack(&[1, 0], true),
            SamplesFileLine::Method(method(9)),
            stack(&[2, 0, 1, 0], false),
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn stacks_have_an_end() {
        let mut stacks = Stacks { most_calls: 3, ..Stacks::default() };
        let mut number =
            |frames: &[u32]| stacks.number(frames.iter().copied(), false, &mut Vec::new(), method);
        assert_eq!(number(&[2, 1]), Some(0));
        assert_eq!(number(&[4, 3, 1]), None);
        assert_eq!(number(&[2, 1]), Some(0));
    }
}
