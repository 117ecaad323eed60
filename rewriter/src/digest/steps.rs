//! How each opcode goes into a code digest.

use classfile_writer::opcode::{self, Operands};

/// How most instructions go into a digest: what one look-up by opcode tells of them.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) form: Form,
    /// Bytes of the instruction.
    pub(super) length: u8,
    /// Which bits of the byte behind the opcode are part of the instruction's word.
    pub(super) operand: u8,
    /// The opcode that stands for it.
    pub(super) opcode: u8,
}

/// The shapes of instructions in a digest.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// One word: opcode and perhaps a byte.
    Plain,
    /// Two words: opcode and a pool entry's hash, by a 16-bit index.
    Pool,
    /// The same by an 8-bit index.
    PoolByte,
    /// One word, and a jump by a 16-bit offset.
    Branch,
    /// One word: opcode and a signed byte.
    Number,
    /// Anything else, and what is not defined.
    Other,
}

/// By opcode.
pub(super) static STEPS: [Step; 256] = {
    let mut steps = [Step { form: Form::Other, length: 0, operand: 0, opcode: 0 }; 256];
    let mut opcode = 0;
    while opcode < 256 {
        if let Some(info) = opcode::info(opcode as u8) {
            let (form, operand) = match info.operands {
                Operands::None => (Form::Plain, 0),
                Operands::Local | Operands::ArrayType => (Form::Plain, 0xff),
                Operands::Pool | Operands::InvokeInterface | Operands::InvokeDynamic => {
                    (Form::Pool, 0)
                }
                Operands::PoolByte => (Form::PoolByte, 0xff),
                Operands::Branch => (Form::Branch, 0),
                Operands::Byte => (Form::Number, 0xff),
                _ => (Form::Other, 0),
            };
            let length = info.operands.instruction_length();
            steps[opcode] = Step { form, length, operand, opcode: neutral_opcode(opcode as u8) };
        }
        opcode += 1;
    }
    steps
};

/// The opcode that stands for instructions which differ in the width of their operand only.
pub(super) const fn neutral_opcode(opcode: u8) -> u8 {
    match opcode {
        opcode::LDC_W => opcode::LDC,
        opcode::GOTO_W => opcode::GOTO,
        opcode::JSR_W => opcode::JSR,
        other => other,
    }
}
