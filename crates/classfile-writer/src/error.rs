//! The error type of the crate: a kind and a byte offset, in one word.

use std::fmt;

/// Result of all fallible functions of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What is wrong, and at which byte.
///
/// It is one word wide, so that `Result<u16>` stays small. Its two fields are on the heap, so only
/// an error pays for them. The offset counts from the first byte of the class file. An error of
/// [`crate::Splice`] or [`crate::PoolTail`] about new bytes has the offset of the original
/// structure.
#[derive(PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Debug, PartialEq, Eq)]
struct Inner {
    kind: ErrorKind,
    offset: usize,
}

/// The kinds of damage and of exceeded limits, with their sections of the JVM specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file ends inside a structure (JVMS §4.8).
    Truncated,
    /// The first four bytes are not `0xCAFEBABE` (JVMS §4.1).
    BadMagic,
    /// A major version below 45, or preview features above 69 (JVMS §4.1, table 4.1-A).
    UnsupportedVersion {
        /// The major version found.
        major: u16,
        /// The minor version found.
        minor: u16,
    },
    /// A constant pool tag that no version defines (JVMS §4.4, table 4.4-A).
    BadPoolTag(u8),
    /// A constant pool count of 0 (JVMS §4.1), or a `long`/`double` in the last slot (JVMS §4.4.5).
    BadPoolCount(u16),
    /// An index that points outside the pool, into the second slot of a `long`, or at an entry of
    /// another kind.
    BadPoolIndex {
        /// The index.
        index: u16,
        /// The expected kind of entry.
        want: &'static str,
    },
    /// Bytes after the last class attribute (JVMS §4.8).
    TrailingBytes,
    /// The content of an attribute is shorter or longer than its length says (JVMS §4.7).
    BadAttributeLength,
    /// A second `Code`, `StackMapTable` or `StackMap` attribute where only one may be (JVMS §4.7.3,
    /// §4.7.4).
    DuplicateAttribute,
    /// Bytes that are not modified UTF-8 (JVMS §4.4.7).
    BadUtf8,
    /// Text that is not a descriptor (JVMS §4.3).
    BadDescriptor,
    /// `code_length` is 0 or above 65,535 (JVMS §4.9.1).
    BadCodeLength(u32),
    /// An opcode that is not defined for class files (JVMS §6.2, §6.5).
    UndefinedOpcode(u8),
    /// The code array ends inside an instruction (JVMS §4.9.1).
    TruncatedInstruction,
    /// A switch with `low > high`, a negative pair count, or more cases than code bytes (JVMS
    /// §6.5).
    BadSwitch,
    /// A branch to a position outside the code array (JVMS §4.9.1).
    BadBranchTarget,
    /// An exception table entry with a position outside the code array (JVMS §4.7.3).
    BadExceptionRange,
    /// A `frame_type` that is reserved (128–246), or a chop of more locals than there are (JVMS
    /// §4.7.4).
    BadFrame(u8),
    /// A `verification_type_info` tag above 8 (JVMS §4.7.4).
    BadVerificationType(u8),
    /// A frame at a position outside the code array, or two at the same one (JVMS §4.7.4).
    BadFramePosition,
    /// A `target_type` or `type_path` that is not defined (JVMS §4.7.20).
    BadTypeAnnotation(u8),
    /// More than 65,535 constant pool slots would be needed (JVMS §4.11).
    PoolFull,
    /// A constant of more than 65,535 bytes (JVMS §4.11).
    Utf8TooLong(usize),
    /// The new code would have more than 65,535 bytes (JVMS §4.11).
    CodeTooLarge(usize),
    /// The new operand stack would be deeper than the largest `max_stack` (JVMS §4.11).
    StackTooDeep(u32),
    /// More local variables than the largest `max_locals` (JVMS §4.11).
    TooManyLocals(u32),
    /// More than 65,535 exception table entries (JVMS §4.7.3).
    ExceptionTableTooLong(usize),
    /// More than 65,535 entries in a table of the `Code` attribute (JVMS §4.7.4).
    TooManyFrames(usize),
    /// More than 65,535 attributes in one table (JVMS §4.7).
    TooManyAttributes,
    /// The whole output would exceed the format's 32-bit lengths.
    OutputTooLarge,
    /// The given scan is of other code.
    ScanOfOtherCode,
    /// An edit names a position at which no instruction begins.
    NotAnInstruction {
        /// The position.
        bci: u32,
    },
    /// The new code must repeat a frame that the original lacks. The type checker rejects the
    /// original (JVMS §4.10.1).
    MissingFrame {
        /// The position in the original code without its frame.
        bci: u32,
    },
    /// A conditional branch outgrows 16 bits, and no trampoline can be near enough.
    BranchTooFar {
        /// The branch, in the original code.
        bci: u32,
    },
    /// The handler or label is not of this splice, or the exception table has no such entry.
    NoSuchHandler,
    /// Two replaced ranges overlap, or one lies outside the original file.
    OverlappingEdits,
}

impl Error {
    #[cold]
    pub(crate) fn new(kind: ErrorKind, offset: usize) -> Self {
        Error(Box::new(Inner { kind, offset }))
    }

    #[cold]
    pub(crate) fn truncated(offset: usize) -> Self {
        Self::new(ErrorKind::Truncated, offset)
    }

    /// What is wrong.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Where: the byte offset from the start of the class file.
    pub fn offset(&self) -> usize {
        self.0.offset
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({:?} at {:#x})", self.0.kind, self.0.offset)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at offset {:#x}", self.0.kind, self.0.offset)
    }
}

impl std::error::Error for Error {}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use ErrorKind::*;
        match *self {
            Truncated => write!(f, "the class file ends too early"),
            BadMagic => write!(f, "not a class file (it does not begin with CAFEBABE)"),
            UnsupportedVersion { major, minor } if major < crate::version::MIN_MAJOR => {
                write!(f, "class file version {major}.{minor} does not exist (45 is the first)")
            }
            UnsupportedVersion { major, minor } => {
                write!(
                    f,
                    "class file version {major}.{minor} has preview features of Java {}, which are \
                     not known; compile without --enable-preview",
                    major.saturating_sub(44)
                )
            }
            BadPoolTag(tag) => write!(f, "undefined constant pool tag {tag}"),
            BadPoolCount(count) => {
                write!(f, "constant pool count {count} does not fit its entries")
            }
            BadPoolIndex { index, want } => {
                write!(f, "constant pool index {index} is not a {want}")
            }
            TrailingBytes => write!(f, "bytes after the end of the class"),
            BadAttributeLength => write!(f, "attribute length does not fit its content"),
            DuplicateAttribute => write!(f, "an attribute that may occur only once is repeated"),
            BadUtf8 => write!(f, "constant is not modified UTF-8"),
            BadDescriptor => write!(f, "not a descriptor"),
            BadCodeLength(length) => write!(f, "code length {length} is not within 1 to 65535"),
            UndefinedOpcode(opcode) => write!(f, "undefined opcode {opcode:#04x}"),
            TruncatedInstruction => write!(f, "the code ends inside an instruction"),
            BadSwitch => write!(f, "malformed switch instruction"),
            BadBranchTarget => write!(f, "branch to a position outside the code"),
            BadExceptionRange => write!(f, "exception table entry points outside the code"),
            BadFrame(tag) => write!(f, "malformed stack map frame of type {tag}"),
            BadVerificationType(tag) => write!(f, "undefined verification type tag {tag}"),
            BadFramePosition => write!(f, "stack map frames overlap or lie outside the code"),
            BadTypeAnnotation(tag) => {
                write!(f, "malformed type annotation with target type {tag:#04x}")
            }
            PoolFull => write!(
                f,
                "the constant pool would need more than 65535 slots: leave this class as it is"
            ),
            Utf8TooLong(length) => write!(f, "a constant of {length} bytes exceeds 65535"),
            CodeTooLarge(length) => {
                write!(
                    f,
                    "the code would grow to {length} bytes, more than 65535: leave this method as \
                     it is"
                )
            }
            StackTooDeep(depth) => {
                write!(f, "max_stack {depth} exceeds its limit: leave this method as it is")
            }
            TooManyLocals(count) => {
                write!(f, "max_locals {count} exceeds its limit: leave this method as it is")
            }
            ExceptionTableTooLong(count) => {
                write!(
                    f,
                    "{count} exception table entries exceed 65535: leave this method as it is"
                )
            }
            TooManyFrames(count) => {
                write!(f, "{count} stack map frames exceed 65535: leave this method as it is")
            }
            TooManyAttributes => write!(f, "more than 65535 attributes"),
            OutputTooLarge => write!(f, "the output exceeds the format's 32-bit lengths"),
            ScanOfOtherCode => {
                write!(f, "the scan is of other code: run it on the method that is to be changed")
            }
            NotAnInstruction { bci } => write!(f, "no instruction begins at bci {bci}"),
            MissingFrame { bci } => {
                write!(f, "no stack map frame at bci {bci}, where the class needs one")
            }
            BranchTooFar { bci } => {
                write!(
                    f,
                    "the branch at bci {bci} would leave its 16-bit range and cannot be widened \
                     here"
                )
            }
            NoSuchHandler => write!(f, "no such handler or label in this method"),
            OverlappingEdits => write!(f, "edits overlap or lie outside the file"),
        }
    }
}
