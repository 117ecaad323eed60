//! Whole inputs instrumented: sources are opened, methods selected, outputs rewritten, planned
//! without writing, read back, verified in a JVM, and inspected.
//!
//! Requests come in as types and outcomes go out as types. An [`Observer`] is told how far a
//! request is, and an [`Error`] names its place. This crate neither parses arguments nor prints.
//!
//! `plan` and `rewrite` call the same function to select methods. For `record -- COMMAND` the crate
//! finds the rewritten files that COMMAND's JVM will load, and makes the class files of roots-only
//! runs.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod class_path_entries;
mod code_path;
mod dry_run;
mod entry_points;
mod error;
mod inspect;
mod java_home;
mod java_sources;
mod kept;
mod manifest_files;
mod method_finder;
mod program;
mod progress;
mod reach;
mod read_back;
mod rewrite;
mod rewritten;
mod root_lookup;
mod root_query;
mod runtimes;
mod select;
mod selection;
mod sidecar;
mod source_jar;
mod sources;
mod summaries;
mod verify;

pub use code_path::{CodeAnswer, CodePath};
pub use dry_run::{
    Analysis, InputRow, KeyRef, MethodTable, PathAnswer, PathLink, PlanOutcome, PlanReason,
    PlanRequest, Planned, plan,
};
pub use error::{Error, Result};
pub use inspect::{CodeListing, InspectOptions, code_listings, inspect};
pub use java_home::{java_home, jdk_home};
pub use java_sources::{JavaSources, SourceAnswer, SourceText};
pub use manifest_files::{probes_at, read_manifest_at};
pub use program::{HiddenManifests, RewrittenProgram, RootsOnlyProgram};
pub use progress::{Observer, Silent, Stage};
pub use reach::Reach;
pub use read_back::{Faults, ReadBack};
pub use rewrite::{
    AnalysisSummary, RewriteOutcome, RewriteRequest, Rewriting, RewrittenInput, RootsOnlyOptions,
    RootsOnlyUnavailable, Sizes, read_backs, rewrite,
};
pub use rewritten::{Rewritten, RuntimeAt, files};
pub use root_lookup::{Launch, LaunchMain, look_up_roots};
pub use root_query::StartReason;
pub use runtimes::Probes;
pub use selection::{Libraries, ProfileUse, Selection};
pub use sidecar::{OutputFile, Run, Sidecar};
pub use source_jar::{SourceProgram, build_jar};
pub use verify::{LinkChange, LinkedClass, Linking, Outcomes, Verification, VerifyRequest};

#[cfg(test)]
mod fixture;
