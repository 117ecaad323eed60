//! A class as `cafebabe` reads it, and what of its code is looked at.

use crate::guard;
use cafebabe::attributes::{AttributeData, AttributeInfo, CodeData, ExceptionTableEntry};
use cafebabe::bytecode::Opcode;
use cafebabe::{ClassFile, MethodInfo, parse_class};
use jfathom_plan::Problem;
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A class file in a form that `cafebabe` takes.
///
/// It refuses computed constants among the static arguments of bootstrap methods, which javac
/// writes for a `switch` over patterns. In their places stand the handles of the methods, so that
/// the rest can be compared.
pub(crate) struct Readable<'c> {
    bytes: Cow<'c, [u8]>,
    /// Bootstrap method and constant of each computed argument, in their order.
    pub(crate) computed: Vec<(usize, u16)>,
}

impl<'c> Readable<'c> {
    /// Says what is not let through.
    pub(crate) fn new(bytes: &'c [u8]) -> Result<Self, Problem> {
        let found = guard::look(bytes)?;
        let mut bytes = Cow::Borrowed(bytes);
        for argument in &found {
            if let Some(place) = bytes.to_mut().get_mut(argument.at..argument.at + 2) {
                place.copy_from_slice(&argument.handle.to_be_bytes());
            }
        }
        let computed = found.iter().map(|argument| (argument.method, argument.constant)).collect();
        Ok(Self { bytes, computed })
    }

    /// Reads it as a whole, bytecode included; says why that cannot be done.
    pub(crate) fn read(&self) -> Result<ClassFile<'_>, Problem> {
        read(&self.bytes)
    }
}

fn read(bytes: &[u8]) -> Result<ClassFile<'_>, Problem> {
    // A reader that others wrote may meet what they did not think of. It changes nothing of ours
    // when it does.
    match catch_unwind(AssertUnwindSafe(|| parse_class(bytes))) {
        Ok(Ok(class)) => Ok(class),
        Ok(Err(error)) => Err(error.to_string().into()),
        Err(_) => Err("the reader failed".into()),
    }
}

/// The code of a method.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body<'c> {
    pub(crate) data: &'c CodeData<'c>,
    /// With their bci, ascending.
    pub(crate) instructions: &'c [(usize, Opcode<'c>)],
}

impl<'c> Body<'c> {
    /// None for a method without code.
    pub(crate) fn of(method: &'c MethodInfo<'c>) -> Option<Self> {
        let data = method.attributes.iter().find_map(|attribute| match &attribute.data {
            AttributeData::Code(data) => Some(data),
            _ => None,
        })?;
        let instructions =
            data.bytecode.as_ref().map(|code| code.opcodes.as_slice()).unwrap_or_default();
        Some(Self { data, instructions })
    }

    /// The number of instructions.
    pub(crate) fn len(&self) -> usize {
        self.instructions.len()
    }

    /// Bytes of code.
    pub(crate) fn length(&self) -> usize {
        self.data.code.len()
    }

    pub(crate) fn exceptions(&self) -> &'c [ExceptionTableEntry<'c>] {
        &self.data.exception_table
    }

    pub(crate) fn attributes(&self) -> &'c [AttributeInfo<'c>] {
        &self.data.attributes
    }

    /// Local variables.
    pub(crate) fn max_locals(&self) -> usize {
        usize::from(self.data.max_locals)
    }

    /// The instruction with this number.
    pub(crate) fn op(&self, index: usize) -> Option<&'c Opcode<'c>> {
        self.instructions.get(index).map(|(_, op)| op)
    }

    /// Where the instruction with this number begins; behind the last one, the end of the code.
    pub(crate) fn bci(&self, index: usize) -> usize {
        self.instructions.get(index).map_or(self.length(), |(bci, _)| *bci)
    }

    /// Bytes of the instruction with this number.
    pub(crate) fn size(&self, index: usize) -> usize {
        self.bci(index + 1).saturating_sub(self.bci(index))
    }

    /// The first byte of the instruction with this number.
    pub(crate) fn first_byte(&self, index: usize) -> Option<u8> {
        self.data.code.get(self.bci(index)).copied()
    }

    /// The number of the instruction that begins at `bci`; that of the end of the code is
    /// [`Self::len`].
    pub(crate) fn index_at(&self, bci: usize) -> Option<usize> {
        if bci == self.length() {
            return Some(self.len());
        }
        self.instructions.binary_search_by_key(&bci, |(at, _)| *at).ok()
    }

    /// The number of the instruction that a jump of `offset` from the instruction `index` leads to.
    pub(crate) fn target(&self, index: usize, offset: i32) -> Option<usize> {
        let target =
            usize::try_from(i64::try_from(self.bci(index)).ok()? + i64::from(offset)).ok()?;
        self.index_at(target).filter(|&found| found < self.len())
    }
}
