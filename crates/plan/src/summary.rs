//! What a chooser needs to know of a class, taken from its bytes by the rewriter's reader.

use crate::Digest;

/// One class as selectors and choosers see it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassSummary {
    /// Internal name: `com/acme/Engine`.
    pub name: String,
    /// `access_flags` (JVMS 4.1).
    pub access: u16,
    /// Class file major version.
    pub major: u16,
    /// Internal name of the superclass; none for `java/lang/Object` and module-info.
    pub super_class: Option<String>,
    /// Internal names of the direct superinterfaces.
    pub interfaces: Vec<String>,
    /// The `SourceFile` attribute.
    pub source: Option<String>,
    /// Annotation types by internal name, visible or not at run time.
    pub annotations: Vec<String>,
    /// Methods in class-file order.
    pub methods: Vec<MethodSummary>,
}

/// One method as selectors and choosers see it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MethodSummary {
    /// Unqualified name.
    pub name: String,
    /// Method descriptor.
    pub descriptor: String,
    /// `access_flags` (JVMS 4.6).
    pub access: u16,
    /// `code_length`; none for abstract and native methods.
    pub code_length: Option<u32>,
    /// The lowest line of its LineNumberTable.
    pub first_line: Option<u16>,
    /// An empty body, or a plain getter or setter.
    pub trivial: bool,
    /// Whether it calls something that waits for other threads.
    pub waits: bool,
    /// Annotation types by internal name.
    pub annotations: Vec<String>,
    /// Digest of the symbolic instruction stream; zero where none was asked for.
    pub digest: Digest,
}
