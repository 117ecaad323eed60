//! Why something was skipped.

use serde::{Deserialize, Serialize};

/// Why a method or class was not instrumented though the selectors chose it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
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
    /// A branch that cannot be widened.
    BranchTooFar,
    /// The constructor's call of `super()` or `this()` was not found for certain.
    ConstructorShape,
    /// The class is what the runtime itself uses, or `java/lang/Object`.
    RuntimeUses,
    /// An empty body, getter or setter under `--skip-trivial`.
    Trivial,
    /// A class file version that this jfathom does not know.
    Version,
    /// The class file is malformed.
    Malformed,
    /// The class was rewritten by jfathom before.
    AlreadyRewritten,
    /// The stack map could not be extended.
    Frames,
    /// The class has no method that the plan names.
    NoSuchMethod,
    /// The running JVM refused the new class file.
    Redefinition,
}

impl SkipReason {
    /// The reason in kebab case, as `inspect` and manifests have it.
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
            Self::Redefinition => "redefinition",
        }
    }
}

impl std::fmt::Display for SkipReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// One thing skipped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skip {
    /// Internal class name.
    pub class: String,
    /// Name and descriptor in one word (`run()V`); none where the whole class was skipped.
    pub method: Option<String>,
    /// Why.
    pub reason: SkipReason,
    /// More about it, where there is more to say.
    pub detail: Option<String>,
}
