//! The words that jfathom's crates share: method ids and keys, what a class looks like to a chooser,
//! what a rewriter is told to do with it, the names of the probes, and why something was left
//! alone.
//!
//! Nothing here reads a file or knows a byte of a class file.
#![forbid(unsafe_code)]

mod call_graph;
mod choose;
mod class_plan;
mod digest;
mod id;
mod instrumented_method;
mod key;
mod manifest;
pub mod probe;
mod scheme;
mod selector;
mod skip;
mod summary;
mod text;
mod unfollowed;

pub use call_graph::CallGraph;
pub use choose::{
    ClassChoice, MethodFilter, Plan, PlanError, SelectionRules, choose, choose_filtered,
    choose_roots, plan_id,
};
pub use class_plan::{ClassPlan, HugeMethods, MethodPlan, Placement, ProbeKind};
pub use digest::{Digest, DigestHasher};
pub use id::{IdRange, MethodId};
pub use instrumented_method::InstrumentedMethod;
pub use key::MethodKey;
pub use manifest::{
    MANIFEST_LIMIT, MANIFEST_PATH, MANIFEST_VERSION, Manifest, ManifestClass, ManifestError,
};
pub use scheme::Scheme;
pub use selector::{Selector, SelectorError, SelectorTarget};
pub use skip::{Skip, SkipReason};
pub use summary::{ClassSummary, MethodSummary};
pub use text::{is_unprintable, printable, push_printable};
pub use unfollowed::{Unfollowed, UnfollowedCounts};
