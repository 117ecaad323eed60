//! Skipped methods and classes, and the reasons.

use serde::{Deserialize, Serialize};

/// Why a selected method or class was not instrumented.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum SkipReason {
    /// `ACC_ABSTRACT`: no code.
    Abstract,
    /// `ACC_NATIVE`: no bytecode.
    Native,
    /// Its code would grow past 8,000 bytes and never be compiled by HotSpot.
    HugeMethodLimit,
    /// Its code would grow past 65,535 bytes (JVMS 4.7.3).
    CodeTooLarge,
    /// More than 65,535 constant pool entries (JVMS 4.1).
    PoolFull,
    /// More than 65,535 exception table entries, frames or other rows (JVMS 4.7).
    TableFull,
    /// A branch would exceed its offset and cannot be widened.
    BranchTooFar,
    /// The constructor's call of `super()` or `this()` is not certain.
    ConstructorShape,
    /// The runtime uses the class, or it is `java/lang/Object`.
    RuntimeUses,
    /// A trivial method, with `--probe trivial=off`.
    Trivial,
    /// A class file version that this jfathom does not know.
    Version,
    /// The class file is malformed.
    Malformed,
    /// The class already has probes.
    AlreadyRewritten,
    /// The stack map could not be extended.
    Frames,
    /// The class has no such method.
    NoSuchMethod,
    /// A region covers no instruction of its method.
    NoSuchLines,
    /// A region lies in code with `jsr` or `ret`.
    Subroutine,
    /// The JVM refused to retransform the class. `redefinition` in older files.
    #[serde(alias = "redefinition")]
    Retransformation,
}

impl SkipReason {
    /// The name in manifests, messages and JSON, in kebab case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Abstract => "abstract",
            Self::Native => "native",
            Self::HugeMethodLimit => "huge-method-limit",
            Self::CodeTooLarge => "code-too-large",
            Self::PoolFull => "pool-full",
            Self::TableFull => "table-full",
            Self::BranchTooFar => "branch-too-far",
            Self::ConstructorShape => "constructor-shape",
            Self::RuntimeUses => "runtime-uses",
            Self::Trivial => "trivial",
            Self::Version => "version",
            Self::Malformed => "malformed",
            Self::AlreadyRewritten => "already-rewritten",
            Self::Frames => "frames",
            Self::NoSuchMethod => "no-such-method",
            Self::NoSuchLines => "no-such-lines",
            Self::Subroutine => "subroutine",
            Self::Retransformation => "retransformation",
        }
    }
}

impl std::fmt::Display for SkipReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A skipped method or class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Skip {
    /// Internal class name.
    pub class: String,
    /// Name and descriptor (`run()V`), unless the whole class was skipped.
    pub method: Option<String>,
    /// The reason.
    pub reason: SkipReason,
    /// Details of the reason, if there are any.
    pub detail: Option<String>,
}

/// `com.acme.Foo::run()V: huge-method-limit (8,012 bytes)`.
impl std::fmt::Display for Skip {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.class.replace('/', "."))?;
        if let Some(method) = &self.method {
            write!(f, "::{method}")?;
        }
        write!(f, ": {}", self.reason)?;
        match &self.detail {
            Some(detail) => write!(f, " ({detail})"),
            None => Ok(()),
        }
    }
}
