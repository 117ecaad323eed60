#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod assembly;
pub mod attribute;
mod bci;
mod bytes;
mod check;
mod class;
mod code;
mod error;
mod frame;
mod instruction;
mod member;
pub mod mutf8;
pub mod opcode;
mod pool;
mod scan;
mod splice;
mod table;
mod tail;
mod type_annotation;
mod version;

pub use assembly::Assembly;
pub use attribute::{Attribute, Attributes};
pub use bci::{Bci, NewBci};
pub use check::check;
pub use class::ClassFile;
pub use code::{Code, ExceptionEntry};
pub use error::{Error, ErrorKind, Result};
pub use frame::{
    CldcStackMap, Frame, FrameKind, Frames, StackMapTable, VerificationType, VerificationTypes,
};
pub use instruction::{Instruction, Instructions, Switch};
pub use member::{ACC_ABSTRACT, ACC_NATIVE, ACC_PRIVATE, ACC_STATIC, Member, Members};
pub use pool::{
    ConstantPool, DynamicRef, MemberNames, MemberRef, MethodHandle, NameAndType, PoolIx,
    PoolStorage, Tag,
};
pub use scan::{Branch, Scan};
pub use splice::{Cut, Label, Landing, Splice};
pub use table::{LineNumber, LocalVariable, line_numbers, local_variables};
pub use tail::{PoolTail, TailStorage};
pub use type_annotation::{CodeTarget, code_targets};
pub use version::{KNOWN_MAJOR, MIN_MAJOR};
