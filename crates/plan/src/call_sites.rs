//! Call sites and source lines of one method's bytecode.

use crate::MethodKey;

/// Lines and call sites of a method, as its class file has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MethodLines {
    /// Lines of its LineNumberTables, ascending, each once. Empty without such a table.
    pub lines: Vec<u16>,
    /// Its invoke instructions, but for `invokedynamic`, in the order of the code.
    pub sites: Vec<CallSite>,
}

/// One invoke instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// Position in the code, in bytes.
    pub bci: u32,
    /// Source line (JVMS 4.7.12); none if no row of the tables covers the position.
    pub line: Option<u16>,
    /// The method that the instruction names (JVMS 6.5). The method that is called may be that of
    /// a superclass or a subclass.
    pub target: MethodKey,
}
