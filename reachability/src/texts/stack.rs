//! The operand stack, one entry for each slot.

use super::Value;

/// A stack. Slots below its bottom are unknown values.
#[derive(Clone, Debug, Default)]
pub(super) struct Stack(pub(super) Vec<Value>);

impl Stack {
    pub(super) fn push(&mut self, value: Value) {
        self.0.push(value);
    }

    pub(super) fn push_unknown(&mut self, slots: usize) {
        self.0.extend(std::iter::repeat_n(Value::Unknown, slots));
    }

    pub(super) fn pop(&mut self) -> Value {
        self.0.pop().unwrap_or(Value::Unknown)
    }

    pub(super) fn pops(&mut self, slots: usize) {
        self.0.truncate(self.0.len().saturating_sub(slots));
    }

    /// Replaces the last `pops` slots by `pushes` unknown ones.
    pub(super) fn replace(&mut self, pops: usize, pushes: usize) {
        self.pops(pops);
        self.push_unknown(pushes);
    }

    /// Copies the last `count` slots below the `under` slots before them.
    pub(super) fn duplicate(&mut self, count: usize, under: usize) {
        let Some(at) = self.0.len().checked_sub(count + under) else { return };
        let copied = self.0[at + under..].to_vec();
        self.0.splice(at..at, copied);
    }

    /// Joins the stacks of two control-flow paths. Verified classes have equal depths there.
    /// Otherwise only the slots that both have stay.
    pub(super) fn meet(&mut self, other: &Self) {
        self.0.truncate(other.0.len());
        for (one, two) in self.0.iter_mut().zip(&other.0) {
            *one = one.or(two);
        }
    }
}
