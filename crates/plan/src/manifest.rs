//! Manifests of rewritten jars and class directories.

mod wire;

use crate::{
    CallGraph, ClassCalls, Digest, IdRange, InstrumentedMethod, MethodId, Placement, Problem,
    Scheme, Skip, SkipReason, UnfollowedCounts,
};
use std::collections::BTreeMap;

/// Where a manifest lies in a rewritten jar or class directory.
pub const MANIFEST_PATH: &str = "META-INF/jfathom/manifest.json";

/// The manifest version that this jfathom writes, and the only one that it reads.
pub const MANIFEST_VERSION: u32 = 4;

/// Bound on the length of a manifest, in bytes: enough for all 4,194,304 ids with names of ordinary
/// length.
pub const MANIFEST_LIMIT: usize = 1 << 30;

/// The part of a plan that one rewritten jar or class directory carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// The jfathom that wrote it: `jfathom 0.1.0`.
    pub tool: String,
    /// Digest of the whole plan. All outputs of one command share it, and so do those of the same
    /// command later.
    pub plan: Digest,
    /// Where the runtime is.
    pub placement: Placement,
    /// Module of the classes, if they have one.
    pub module: Option<String>,
    /// The ids of this output's methods.
    pub ids: IdRange,
    /// Whether the plan has roots: probes then record only inside them.
    pub has_roots: bool,
    /// Root selectors of the whole plan. Empty without roots.
    pub roots: Vec<String>,
    /// Which methods got probes: [`Scheme::Static`] or [`Scheme::Total`]. None without roots.
    pub scheme: Option<Scheme>,
    /// The call-graph algorithm. None without a reachability analysis.
    pub call_graph: Option<CallGraph>,
    /// The classes with instrumented methods, ascending by id.
    pub classes: Vec<ManifestClass>,
    /// Selected interfaces without code that classes of the manifest implement: no other code
    /// calls their methods.
    pub interfaces: Vec<KnownInterface>,
    /// Selected methods and classes that were skipped, except those in `skip_counts`.
    pub skips: Vec<Skip>,
    /// Methods that were skipped for reasons that are only counted, such as `abstract`.
    pub skip_counts: BTreeMap<SkipReason, u32>,
    /// What the reachability analysis of the whole plan could not follow. Empty without one.
    pub unfollowed: UnfollowedCounts,
}

/// An interface whose methods are all abstract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownInterface {
    /// Internal name.
    pub name: String,
    /// Internal names of its direct superinterfaces.
    pub above: Vec<String>,
}

/// One class with instrumented methods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestClass {
    /// Internal name.
    pub name: String,
    /// The `SourceFile` attribute.
    pub source: Option<String>,
    /// Instrumented methods, ascending by id.
    pub methods: Vec<InstrumentedMethod>,
    /// What its methods can call, those without probes as well.
    pub calls: ClassCalls,
}

/// Why a manifest cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// Longer than [`MANIFEST_LIMIT`].
    #[error("the manifest has {0} bytes, more than {MANIFEST_LIMIT}")]
    TooLong(usize),
    /// Not the JSON of a manifest.
    #[error("this is no jfathom manifest: {0}; rewrite the original again")]
    Syntax(serde_json::Error),
    /// A version that this jfathom does not read.
    #[error(
        "the manifest has version {0}, this jfathom reads version {MANIFEST_VERSION}; rewrite the \
         original again with this jfathom"
    )]
    Version(u64),
    /// The content contradicts itself: the contradiction, as part of a sentence.
    #[error("the manifest contradicts itself: {0}; rewrite the original again")]
    Content(Problem),
}

impl Manifest {
    /// All methods and their classes, ascending by id.
    pub fn methods(&self) -> impl Iterator<Item = (&ManifestClass, &InstrumentedMethod)> {
        self.classes
            .iter()
            .flat_map(|class| class.methods.iter().map(move |method| (class, method)))
    }

    /// The number of methods with an entry probe alone.
    pub fn counted_only(&self) -> usize {
        let counted =
            |method: &InstrumentedMethod| method.counted && method.resumed_method().is_none();
        self.methods().filter(|(_, method)| counted(method)).count()
    }

    /// The number of methods and regions with probes.
    pub fn method_count(&self) -> usize {
        self.methods().filter(|(_, method)| method.resumed_method().is_none()).count()
    }

    /// The method with this id, and its class, by binary search.
    pub fn method(&self, id: MethodId) -> Option<(&ManifestClass, &InstrumentedMethod)> {
        let begins_before =
            |class: &ManifestClass| class.methods.first().is_some_and(|first| first.id <= id);
        let class =
            self.classes.get(self.classes.partition_point(begins_before).checked_sub(1)?)?;
        let at = class.methods.binary_search_by_key(&id, |method| method.id).ok()?;
        Some((class, class.methods.get(at)?))
    }
}

#[cfg(test)]
mod tests;
