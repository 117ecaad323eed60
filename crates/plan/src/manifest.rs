//! What a rewritten jar says about itself.

mod wire;

use crate::{
    Digest, IdRange, InstrumentedMethod, MethodId, Placement, Skip, SkipReason, UnfollowedCounts,
};
use std::collections::BTreeMap;

/// Where a manifest lies in a rewritten jar or class directory.
pub const MANIFEST_PATH: &str = "META-INF/jfathom/manifest.json";

/// The manifest version that this jfathom writes and reads.
pub const MANIFEST_VERSION: u32 = 2;

/// The longest manifest that is read, in bytes: all 4,194,304 ids with names of ordinary length.
pub const MANIFEST_LIMIT: usize = 1 << 30;

/// What one rewriting decided, as far as it concerns one jar or class directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// Who wrote it: `jfathom 0.1.0`.
    pub tool: String,
    /// Digest over all that the command decided: the same for all jars of one command, and for the
    /// same command again.
    pub plan: Digest,
    /// Where the runtime is.
    pub placement: Placement,
    /// The module that the classes belong to, where placement is by module.
    pub module: Option<String>,
    /// The ids that this jar's methods have.
    pub ids: IdRange,
    /// Whether the plan has roots, so that probes record only inside them.
    pub rooted: bool,
    /// The roots of the whole plan, as the selectors that named them; empty without roots, and in
    /// manifests that do not tell.
    pub roots: Vec<String>,
    /// How far the roots reach, by the name of a policy (`static`, `cha`, `total`); none without
    /// roots.
    pub policy: Option<String>,
    /// Whether probes are pinned where that is possible.
    pub pinned: bool,
    /// The classes with instrumented methods, ascending by id.
    pub classes: Vec<ManifestClass>,
    /// What the selectors chose and was skipped; methods without code are only counted, in
    /// `omitted`.
    pub skips: Vec<Skip>,
    /// How many methods were skipped for reasons that are not listed one by one (`abstract`,
    /// `native`, `trivial`).
    pub omitted: BTreeMap<SkipReason, u32>,
    /// What the analysis of the roots could not follow, over the whole plan; empty without roots,
    /// where everything is taken, and in manifests that do not tell.
    pub unfollowed: UnfollowedCounts,
}

/// One class with instrumented methods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestClass {
    /// Internal name.
    pub name: String,
    /// The `SourceFile` attribute.
    pub source: Option<String>,
    /// Its instrumented methods, ascending by id.
    pub methods: Vec<InstrumentedMethod>,
}

/// Why a manifest cannot be read.
#[derive(Debug)]
pub enum ManifestError {
    /// Longer than [`MANIFEST_LIMIT`].
    TooLong(usize),
    /// Not the JSON of a manifest.
    Syntax(serde_json::Error),
    /// Written by a jfathom whose manifests this one does not know.
    Version(u64),
    /// The parts do not fit together.
    Content(String),
}

impl std::fmt::Display for ManifestError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooLong(length) => {
                write!(f, "the manifest has {length} bytes, more than {MANIFEST_LIMIT}")
            }
            Self::Syntax(error) => {
                write!(f, "this is no jfathom manifest: {error}; rewrite the original again")
            }
            Self::Version(version) => write!(
                f,
                "the manifest has version {version}, this jfathom reads version {MANIFEST_VERSION}; \
                 rewrite the original again with this jfathom"
            ),
            Self::Content(what) => {
                write!(f, "the manifest contradicts itself: {what}; rewrite the original again")
            }
        }
    }
}

impl std::error::Error for ManifestError {}

impl Manifest {
    /// All methods with their classes, ascending by id.
    pub fn methods(&self) -> impl Iterator<Item = (&ManifestClass, &InstrumentedMethod)> {
        self.classes
            .iter()
            .flat_map(|class| class.methods.iter().map(move |method| (class, method)))
    }

    /// The method with this id, and its class: found by halving, as ids ascend.
    pub fn method(&self, id: MethodId) -> Option<(&ManifestClass, &InstrumentedMethod)> {
        let begins_before =
            |class: &ManifestClass| class.methods.first().is_some_and(|first| first.id <= id);
        let class =
            self.classes.get(self.classes.partition_point(begins_before).checked_sub(1)?)?;
        let at = class.methods.binary_search_by_key(&id, |method| method.id).ok()?;
        Some((class, class.methods.get(at)?))
    }

    /// The JSON text, the same for the same manifest.
    pub fn to_json(&self) -> Vec<u8> {
        wire::write(self)
    }

    /// Reads what [`Self::to_json`] wrote. Ids, order and lengths are checked.
    pub fn from_json(json: &[u8]) -> Result<Self, ManifestError> {
        wire::read(json)
    }
}

#[cfg(test)]
mod tests;
