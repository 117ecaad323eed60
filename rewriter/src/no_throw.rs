//! Straight code that cannot throw, and so needs no handler.

use classfile_writer::opcode;

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
