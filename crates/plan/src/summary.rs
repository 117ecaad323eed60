//! Class summaries: what selection needs of a class. The rewriter makes them from class bytes.

use crate::{ClassCalls, Digest};

/// Summary of one class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassSummary {
    /// Internal name: `com/acme/Engine`.
    pub name: String,
    /// `access_flags` (JVMS 4.1).
    pub access: u16,
    /// Class file major version.
    pub major: u16,
    /// Internal name of the superclass. None for `java/lang/Object` and module-info.
    pub super_class: Option<String>,
    /// Internal names of the direct superinterfaces.
    pub interfaces: Vec<String>,
    /// The `SourceFile` attribute.
    pub source: Option<String>,
    /// Internal names of its annotation types, visible at run time or not.
    pub annotations: Vec<String>,
    /// Methods in class-file order.
    pub methods: Vec<MethodSummary>,
    /// What they can call. Empty if no digests were requested.
    pub calls: ClassCalls,
}

/// Summary of one method.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MethodSummary {
    /// Unqualified name.
    pub name: String,
    /// Method descriptor.
    pub descriptor: String,
    /// `access_flags` (JVMS 4.6).
    pub access: u16,
    /// `code_length` in bytes. None for abstract and native methods.
    pub code_length: Option<u32>,
    /// The lowest line of its LineNumberTable.
    pub first_line: Option<u16>,
    /// The lines of its LineNumberTable, ascending, each once. Empty unless a region may be in it.
    pub lines: Vec<u16>,
    /// Whether the method is trivial: an empty body, a plain getter or setter.
    pub trivial: bool,
    /// Whether the method calls something that waits for other threads.
    pub waits: bool,
    /// Whether Kotlin's coroutines enter the method again to resume it: its calls include that.
    pub resumes: bool,
    /// Internal names of its annotation types.
    pub annotations: Vec<String>,
    /// Code digest. Zero if none was requested.
    pub digest: Digest,
}
