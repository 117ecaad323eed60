//! A method's exception handlers, how control gets into them, and straight code that needs none.

use classfile_writer::{Bci, Code, Scan, opcode};

/// One handler, however many exception table entries lead to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handler {
    pub(crate) bci: Bci,
    /// Whether a branch, a switch or the instruction before it leads there too, so that code put
    /// in front of it would run without an exception.
    pub(crate) shared: bool,
    /// Whether all its entries are of any exception (catch type 0), as `finally` and `synchronized`
    /// have them.
    pub(crate) any: bool,
}

/// The handlers of one method after another, in the same storage; ascending.
#[derive(Debug, Default)]
pub(crate) struct Handlers {
    list: Vec<Handler>,
}

impl Handlers {
    pub(crate) fn list(&self) -> &[Handler] {
        &self.list
    }

    /// Finds the handlers of `code`.
    pub(crate) fn find(&mut self, code: &Code<'_>, scan: &Scan) {
        self.list.clear();
        self.list.extend(code.exceptions().map(|entry| Handler {
            bci: entry.handler,
            shared: false,
            any: entry.catch_type.0 == 0,
        }));
        if self.list.is_empty() {
            return;
        }
        // Those of a named class first: they decide.
        self.list.sort_unstable_by_key(|handler| (handler.bci, handler.any));
        self.list.dedup_by_key(|handler| handler.bci);
        for branch in &scan.branches {
            self.share(branch.target);
        }
        for switch in scan.switches.iter().filter_map(|&at| code.switch_at(at)) {
            self.share_all(switch.default(), switch.cases().map(|(_, target)| target));
        }
        for handler in &mut self.list {
            handler.shared |= scan.falls_into(handler.bci, code);
        }
    }

    /// Whether the handler at a position is of any exception.
    pub(crate) fn is_any(&self, bci: Bci) -> bool {
        let found = self.list.binary_search_by_key(&bci, |handler| handler.bci);
        found.is_ok_and(|at| self.list.get(at).is_some_and(|handler| handler.any))
    }

    fn share_all(&mut self, default: Option<Bci>, cases: impl Iterator<Item = Option<Bci>>) {
        default.into_iter().chain(cases.flatten()).for_each(|target| self.share(target));
    }

    fn share(&mut self, target: Bci) {
        if let Ok(found) = self.list.binary_search_by_key(&target, |handler| handler.bci)
            && let Some(handler) = self.list.get_mut(found)
        {
            handler.shared = true;
        }
    }
}

/// Whether code only moves and computes values: loads, stores, constants inside instructions, stack
/// moves, arithmetic without integer division. False at every branch, and in doubt.
pub(crate) fn cannot_throw(code: &[u8]) -> bool {
    let mut at = 0;
    while let Some(&op) = code.get(at) {
        at += match op {
            opcode::NOP..=opcode::DCONST_1 => 1,
            opcode::BIPUSH => 2,
            opcode::SIPUSH | opcode::IINC => 3,
            opcode::ILOAD..=opcode::ALOAD | opcode::ISTORE..=opcode::ASTORE => 2,
            opcode::ILOAD_0..=opcode::ALOAD_3 | opcode::ISTORE_0..=opcode::ASTORE_3 => 1,
            opcode::IDIV | opcode::LDIV | opcode::IREM | opcode::LREM => return false,
            opcode::POP..=opcode::SWAP | opcode::IADD..=opcode::LXOR => 1,
            opcode::I2L..=opcode::DCMPG => 1,
            _ => return false,
        };
    }
    true
}
