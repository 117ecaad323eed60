//! Plans, and the terms that all crates share.
//!
//! [`Selector`]s name methods. [`choose`] applies them to [`ClassSummary`]s and returns a [`Plan`]:
//! a [`ClassPlan`] for each class, with [`MethodId`]s and [`ProbeKind`]s, and a [`Skip`] for each
//! selected method that gets no probes. A [`Manifest`] describes the result in each rewritten jar.
//! [`probe`] has the names by which rewritten code calls the runtime.
//!
//! The crate does no I/O and knows no class file format.
#![forbid(unsafe_code)]

mod analysis;
mod call_sites;
mod choose;
mod class_calls;
mod class_hierarchy;
mod class_plan;
mod digest;
mod id;
mod inspection;
mod instrumented_method;
mod key;
mod line_range;
mod manifest;
mod meta_annotations;
pub mod probe;
mod probe_rule;
mod problem;
mod region;
mod scheme;
mod selector;
mod skip;
mod summary;
mod text;
mod unfollowed;

pub use analysis::{CallGraph, ObjectSource, ProfiledCalls, Unnamed};
pub use call_sites::{CallSite, MethodLines};
pub use choose::{
    ClassChoice, MethodFilter, Plan, PlanError, RegionRule, SelectionRules, choose,
    choose_filtered, choose_roots, methods_of, plan_id,
};
pub use class_calls::{
    CallTraits, ClassCalls, MethodCalls, NamedMethod, class_hash, is_jdk, signature_hash,
};
pub use class_hierarchy::ClassHierarchy;
pub use class_plan::{
    ClassPlan, EntryAlone, HugeMethods, MethodPlan, Placement, ProbeKind, RegionPlan,
    ResumptionPlan, resumed_method, resumption_name,
};
pub use digest::{Digest, DigestHasher};
pub use id::{IdRange, MethodId};
pub use inspection::{InspectedMethod, Inspection};
pub use instrumented_method::InstrumentedMethod;
pub use key::MethodKey;
pub use line_range::{LineRange, LinesRelation};
pub use manifest::{
    KnownInterface, MANIFEST_LIMIT, MANIFEST_PATH, MANIFEST_VERSION, Manifest, ManifestClass,
    ManifestError,
};
pub use meta_annotations::add_meta_annotations;
pub use probe_rule::{BoundProbeRules, ProbeFunction, ProbeRule, ProbeRules};
pub use problem::Problem;
pub use region::{RegionSelector, RootSelector};
pub use scheme::Scheme;
pub use selector::{
    Selector, SelectorError, SelectorTarget,
    quote::{quoted_class, quoted_name},
};
pub use skip::{Skip, SkipReason};
pub use summary::{ClassSummary, MethodSummary};
pub use text::{is_unprintable, printable, push_printable, shell_words};
pub use unfollowed::{Unfollowed, UnfollowedCounts};
