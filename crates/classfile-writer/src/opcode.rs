//! The instruction set (JVMS §6.5): one table. Lengths, names and kinds are derived from it.

/// The operands after the opcode byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operands {
    /// Nothing.
    None,
    /// A signed byte (`bipush`).
    Byte,
    /// A signed short (`sipush`).
    Short,
    /// A local variable, one byte; two after `wide`.
    Local,
    /// A local variable and a signed byte (`iinc`); both two bytes after `wide`.
    LocalIncrement,
    /// A one-byte pool index (`ldc`).
    PoolByte,
    /// A pool index.
    Pool,
    /// A pool index, a count and a zero byte (`invokeinterface`).
    InvokeInterface,
    /// A pool index and two zero bytes (`invokedynamic`).
    InvokeDynamic,
    /// A pool index and a dimension count (`multianewarray`).
    PoolDimensions,
    /// A primitive type code (`newarray`).
    ArrayType,
    /// A signed 16-bit branch offset.
    Branch,
    /// A signed 32-bit branch offset.
    BranchWide,
    /// Padding to a multiple of four, default, low, high, offsets.
    TableSwitch,
    /// Padding to a multiple of four, default, count, pairs.
    LookupSwitch,
    /// Another instruction with two-byte operands (`wide`).
    Wide,
}

impl Operands {
    /// Length in bytes, opcode included. 0 if it depends on the operands.
    pub const fn instruction_length(self) -> u8 {
        match self {
            Operands::None => 1,
            Operands::Byte | Operands::Local | Operands::PoolByte | Operands::ArrayType => 2,
            Operands::Short | Operands::LocalIncrement | Operands::Pool | Operands::Branch => 3,
            Operands::PoolDimensions => 4,
            Operands::InvokeInterface | Operands::InvokeDynamic | Operands::BranchWide => 5,
            Operands::TableSwitch | Operands::LookupSwitch | Operands::Wide => 0,
        }
    }
}

/// Effect of an instruction on control flow, or the reason why a splicer reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Continues at the next instruction.
    Next,
    /// Continues or jumps (`if*`).
    If,
    /// Jumps (`goto`, `goto_w`).
    Goto,
    /// Calls a subroutine (`jsr`, `jsr_w`).
    Jsr,
    /// Returns from a subroutine (`ret`).
    Ret,
    /// Jumps to one of many targets.
    Switch,
    /// Leaves the method normally.
    Return,
    /// Leaves the method, or enters a handler (`athrow`).
    Throw,
    /// Continues: `new`, which makes an uninitialized object.
    New,
    /// Continues: `invokespecial`, which may initialize one.
    InvokeSpecial,
    /// Continues: `wide`, with the effect of the widened instruction (`ret` excepted).
    Wide,
}

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpcodeInfo {
    /// Mnemonic.
    pub name: &'static str,
    /// Form of its operands.
    pub operands: Operands,
    /// Its effect on control flow.
    pub flow: Flow,
}

macro_rules! opcodes {
    ($($value:literal $constant:ident $name:literal $operands:ident $flow:ident;)*) => {
        $(#[doc = concat!("`", $name, "`")] pub const $constant: u8 = $value;)*

        /// The table by opcode. `None` for opcodes that the JVMS does not define for class files
        /// (202–255).
        pub static OPCODES: [Option<OpcodeInfo>; 256] = {
            let mut table = [None; 256];
            $(table[$value] = Some(OpcodeInfo {
                name: $name,
                operands: Operands::$operands,
                flow: Flow::$flow,
            });)*
            table
        };
    };
}

opcodes! {
    0x00 NOP "nop" None Next;
    0x01 ACONST_NULL "aconst_null" None Next;
    0x02 ICONST_M1 "iconst_m1" None Next;
    0x03 ICONST_0 "iconst_0" None Next;
    0x04 ICONST_1 "iconst_1" None Next;
    0x05 ICONST_2 "iconst_2" None Next;
    0x06 ICONST_3 "iconst_3" None Next;
    0x07 ICONST_4 "iconst_4" None Next;
    0x08 ICONST_5 "iconst_5" None Next;
    0x09 LCONST_0 "lconst_0" None Next;
    0x0a LCONST_1 "lconst_1" None Next;
    0x0b FCONST_0 "fconst_0" None Next;
    0x0c FCONST_1 "fconst_1" None Next;
    0x0d FCONST_2 "fconst_2" None Next;
    0x0e DCONST_0 "dconst_0" None Next;
    0x0f DCONST_1 "dconst_1" None Next;
    0x10 BIPUSH "bipush" Byte Next;
    0x11 SIPUSH "sipush" Short Next;
    0x12 LDC "ldc" PoolByte Next;
    0x13 LDC_W "ldc_w" Pool Next;
    0x14 LDC2_W "ldc2_w" Pool Next;
    0x15 ILOAD "iload" Local Next;
    0x16 LLOAD "lload" Local Next;
    0x17 FLOAD "fload" Local Next;
    0x18 DLOAD "dload" Local Next;
    0x19 ALOAD "aload" Local Next;
    0x1a ILOAD_0 "iload_0" None Next;
    0x1b ILOAD_1 "iload_1" None Next;
    0x1c ILOAD_2 "iload_2" None Next;
    0x1d ILOAD_3 "iload_3" None Next;
    0x1e LLOAD_0 "lload_0" None Next;
    0x1f LLOAD_1 "lload_1" None Next;
    0x20 LLOAD_2 "lload_2" None Next;
    0x21 LLOAD_3 "lload_3" None Next;
    0x22 FLOAD_0 "fload_0" None Next;
    0x23 FLOAD_1 "fload_1" None Next;
    0x24 FLOAD_2 "fload_2" None Next;
    0x25 FLOAD_3 "fload_3" None Next;
    0x26 DLOAD_0 "dload_0" None Next;
    0x27 DLOAD_1 "dload_1" None Next;
    0x28 DLOAD_2 "dload_2" None Next;
    0x29 DLOAD_3 "dload_3" None Next;
    0x2a ALOAD_0 "aload_0" None Next;
    0x2b ALOAD_1 "aload_1" None Next;
    0x2c ALOAD_2 "aload_2" None Next;
    0x2d ALOAD_3 "aload_3" None Next;
    0x2e IALOAD "iaload" None Next;
    0x2f LALOAD "laload" None Next;
    0x30 FALOAD "faload" None Next;
    0x31 DALOAD "daload" None Next;
    0x32 AALOAD "aaload" None Next;
    0x33 BALOAD "baload" None Next;
    0x34 CALOAD "caload" None Next;
    0x35 SALOAD "saload" None Next;
    0x36 ISTORE "istore" Local Next;
    0x37 LSTORE "lstore" Local Next;
    0x38 FSTORE "fstore" Local Next;
    0x39 DSTORE "dstore" Local Next;
    0x3a ASTORE "astore" Local Next;
    0x3b ISTORE_0 "istore_0" None Next;
    0x3c ISTORE_1 "istore_1" None Next;
    0x3d ISTORE_2 "istore_2" None Next;
    0x3e ISTORE_3 "istore_3" None Next;
    0x3f LSTORE_0 "lstore_0" None Next;
    0x40 LSTORE_1 "lstore_1" None Next;
    0x41 LSTORE_2 "lstore_2" None Next;
    0x42 LSTORE_3 "lstore_3" None Next;
    0x43 FSTORE_0 "fstore_0" None Next;
    0x44 FSTORE_1 "fstore_1" None Next;
    0x45 FSTORE_2 "fstore_2" None Next;
    0x46 FSTORE_3 "fstore_3" None Next;
    0x47 DSTORE_0 "dstore_0" None Next;
    0x48 DSTORE_1 "dstore_1" None Next;
    0x49 DSTORE_2 "dstore_2" None Next;
    0x4a DSTORE_3 "dstore_3" None Next;
    0x4b ASTORE_0 "astore_0" None Next;
    0x4c ASTORE_1 "astore_1" None Next;
    0x4d ASTORE_2 "astore_2" None Next;
    0x4e ASTORE_3 "astore_3" None Next;
    0x4f IASTORE "iastore" None Next;
    0x50 LASTORE "lastore" None Next;
    0x51 FASTORE "fastore" None Next;
    0x52 DASTORE "dastore" None Next;
    0x53 AASTORE "aastore" None Next;
    0x54 BASTORE "bastore" None Next;
    0x55 CASTORE "castore" None Next;
    0x56 SASTORE "sastore" None Next;
    0x57 POP "pop" None Next;
    0x58 POP2 "pop2" None Next;
    0x59 DUP "dup" None Next;
    0x5a DUP_X1 "dup_x1" None Next;
    0x5b DUP_X2 "dup_x2" None Next;
    0x5c DUP2 "dup2" None Next;
    0x5d DUP2_X1 "dup2_x1" None Next;
    0x5e DUP2_X2 "dup2_x2" None Next;
    0x5f SWAP "swap" None Next;
    0x60 IADD "iadd" None Next;
    0x61 LADD "ladd" None Next;
    0x62 FADD "fadd" None Next;
    0x63 DADD "dadd" None Next;
    0x64 ISUB "isub" None Next;
    0x65 LSUB "lsub" None Next;
    0x66 FSUB "fsub" None Next;
    0x67 DSUB "dsub" None Next;
    0x68 IMUL "imul" None Next;
    0x69 LMUL "lmul" None Next;
    0x6a FMUL "fmul" None Next;
    0x6b DMUL "dmul" None Next;
    0x6c IDIV "idiv" None Next;
    0x6d LDIV "ldiv" None Next;
    0x6e FDIV "fdiv" None Next;
    0x6f DDIV "ddiv" None Next;
    0x70 IREM "irem" None Next;
    0x71 LREM "lrem" None Next;
    0x72 FREM "frem" None Next;
    0x73 DREM "drem" None Next;
    0x74 INEG "ineg" None Next;
    0x75 LNEG "lneg" None Next;
    0x76 FNEG "fneg" None Next;
    0x77 DNEG "dneg" None Next;
    0x78 ISHL "ishl" None Next;
    0x79 LSHL "lshl" None Next;
    0x7a ISHR "ishr" None Next;
    0x7b LSHR "lshr" None Next;
    0x7c IUSHR "iushr" None Next;
    0x7d LUSHR "lushr" None Next;
    0x7e IAND "iand" None Next;
    0x7f LAND "land" None Next;
    0x80 IOR "ior" None Next;
    0x81 LOR "lor" None Next;
    0x82 IXOR "ixor" None Next;
    0x83 LXOR "lxor" None Next;
    0x84 IINC "iinc" LocalIncrement Next;
    0x85 I2L "i2l" None Next;
    0x86 I2F "i2f" None Next;
    0x87 I2D "i2d" None Next;
    0x88 L2I "l2i" None Next;
    0x89 L2F "l2f" None Next;
    0x8a L2D "l2d" None Next;
    0x8b F2I "f2i" None Next;
    0x8c F2L "f2l" None Next;
    0x8d F2D "f2d" None Next;
    0x8e D2I "d2i" None Next;
    0x8f D2L "d2l" None Next;
    0x90 D2F "d2f" None Next;
    0x91 I2B "i2b" None Next;
    0x92 I2C "i2c" None Next;
    0x93 I2S "i2s" None Next;
    0x94 LCMP "lcmp" None Next;
    0x95 FCMPL "fcmpl" None Next;
    0x96 FCMPG "fcmpg" None Next;
    0x97 DCMPL "dcmpl" None Next;
    0x98 DCMPG "dcmpg" None Next;
    0x99 IFEQ "ifeq" Branch If;
    0x9a IFNE "ifne" Branch If;
    0x9b IFLT "iflt" Branch If;
    0x9c IFGE "ifge" Branch If;
    0x9d IFGT "ifgt" Branch If;
    0x9e IFLE "ifle" Branch If;
    0x9f IF_ICMPEQ "if_icmpeq" Branch If;
    0xa0 IF_ICMPNE "if_icmpne" Branch If;
    0xa1 IF_ICMPLT "if_icmplt" Branch If;
    0xa2 IF_ICMPGE "if_icmpge" Branch If;
    0xa3 IF_ICMPGT "if_icmpgt" Branch If;
    0xa4 IF_ICMPLE "if_icmple" Branch If;
    0xa5 IF_ACMPEQ "if_acmpeq" Branch If;
    0xa6 IF_ACMPNE "if_acmpne" Branch If;
    0xa7 GOTO "goto" Branch Goto;
    0xa8 JSR "jsr" Branch Jsr;
    0xa9 RET "ret" Local Ret;
    0xaa TABLESWITCH "tableswitch" TableSwitch Switch;
    0xab LOOKUPSWITCH "lookupswitch" LookupSwitch Switch;
    0xac IRETURN "ireturn" None Return;
    0xad LRETURN "lreturn" None Return;
    0xae FRETURN "freturn" None Return;
    0xaf DRETURN "dreturn" None Return;
    0xb0 ARETURN "areturn" None Return;
    0xb1 RETURN "return" None Return;
    0xb2 GETSTATIC "getstatic" Pool Next;
    0xb3 PUTSTATIC "putstatic" Pool Next;
    0xb4 GETFIELD "getfield" Pool Next;
    0xb5 PUTFIELD "putfield" Pool Next;
    0xb6 INVOKEVIRTUAL "invokevirtual" Pool Next;
    0xb7 INVOKESPECIAL "invokespecial" Pool InvokeSpecial;
    0xb8 INVOKESTATIC "invokestatic" Pool Next;
    0xb9 INVOKEINTERFACE "invokeinterface" InvokeInterface Next;
    0xba INVOKEDYNAMIC "invokedynamic" InvokeDynamic Next;
    0xbb NEW "new" Pool New;
    0xbc NEWARRAY "newarray" ArrayType Next;
    0xbd ANEWARRAY "anewarray" Pool Next;
    0xbe ARRAYLENGTH "arraylength" None Next;
    0xbf ATHROW "athrow" None Throw;
    0xc0 CHECKCAST "checkcast" Pool Next;
    0xc1 INSTANCEOF "instanceof" Pool Next;
    0xc2 MONITORENTER "monitorenter" None Next;
    0xc3 MONITOREXIT "monitorexit" None Next;
    0xc4 WIDE "wide" Wide Wide;
    0xc5 MULTIANEWARRAY "multianewarray" PoolDimensions Next;
    0xc6 IFNULL "ifnull" Branch If;
    0xc7 IFNONNULL "ifnonnull" Branch If;
    0xc8 GOTO_W "goto_w" BranchWide Goto;
    0xc9 JSR_W "jsr_w" BranchWide Jsr;
}

/// The row of an opcode, if it is defined.
pub const fn info(opcode: u8) -> Option<&'static OpcodeInfo> {
    OPCODES[opcode as usize].as_ref()
}

/// Length by opcode. 0 if it depends on the operands (see [`SHAPE`]).
pub(crate) static LENGTH: [u8; 256] = {
    let mut table = [0; 256];
    let mut opcode = 0;
    while opcode < 256 {
        if let Some(info) = OPCODES[opcode] {
            table[opcode] = info.operands.instruction_length();
        }
        opcode += 1;
    }
    table
};

/// What a scan does with an opcode: the length if it can be skipped, else one of the `SHAPE_*`
/// marks.
pub(crate) static SHAPE: [u8; 256] = {
    let mut table = [SHAPE_UNDEFINED; 256];
    let mut opcode = 0;
    while opcode < 256 {
        if let Some(info) = OPCODES[opcode] {
            table[opcode] = match info.flow {
                Flow::Next => info.operands.instruction_length(),
                Flow::If => SHAPE_IF,
                Flow::Goto => match info.operands {
                    Operands::Branch => SHAPE_GOTO,
                    _ => SHAPE_GOTO_W,
                },
                Flow::Jsr => match info.operands {
                    Operands::Branch => SHAPE_JSR,
                    _ => SHAPE_JSR_W,
                },
                Flow::Ret => SHAPE_RET,
                Flow::Switch => SHAPE_SWITCH,
                Flow::Return => SHAPE_RETURN,
                Flow::Throw => SHAPE_THROW,
                Flow::New => SHAPE_NEW,
                Flow::InvokeSpecial => SHAPE_INVOKESPECIAL,
                Flow::Wide => SHAPE_WIDE,
            };
        }
        opcode += 1;
    }
    table
};

pub(crate) const SHAPE_IF: u8 = 16;
pub(crate) const SHAPE_GOTO: u8 = 17;
pub(crate) const SHAPE_GOTO_W: u8 = 18;
pub(crate) const SHAPE_JSR: u8 = 19;
pub(crate) const SHAPE_JSR_W: u8 = 20;
pub(crate) const SHAPE_RET: u8 = 21;
pub(crate) const SHAPE_SWITCH: u8 = 22;
pub(crate) const SHAPE_RETURN: u8 = 23;
pub(crate) const SHAPE_THROW: u8 = 24;
pub(crate) const SHAPE_NEW: u8 = 25;
pub(crate) const SHAPE_INVOKESPECIAL: u8 = 26;
pub(crate) const SHAPE_WIDE: u8 = 27;
pub(crate) const SHAPE_UNDEFINED: u8 = 255;

/// The condition that jumps exactly when `opcode` does not; `opcode` must be an `if*`.
pub(crate) fn inverse_condition(opcode: u8) -> u8 {
    match opcode {
        IFNULL => IFNONNULL,
        IFNONNULL => IFNULL,
        // The other conditions are in pairs that begin at an odd number.
        _ => ((opcode + 1) ^ 1) - 1,
    }
}

#[cfg(test)]
mod tests;
