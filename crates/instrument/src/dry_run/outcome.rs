//! What a dry run is asked, and what it finds.

use super::method_table::{KeyRef, MethodTable};
use super::paths::PathAnswer;
use crate::{rewrite::Sizes, root_query::StartReason, selection::Selection};
use jfathom_archive::Notice;
use jfathom_plan::{
    MethodKey, ObjectSource, Placement, ProbeKind, ProfiledCalls, Selector, Skip, UnfollowedCounts,
    Unnamed,
};
use jfathom_reachability::{Missing, Reason};
use jfathom_world::JdkInfo;
use std::path::PathBuf;

/// A dry run.
#[derive(Clone, Copy, Debug)]
pub struct PlanRequest<'a> {
    /// The inputs and the methods to instrument.
    pub selection: &'a Selection,
    /// Selectors of methods whose shortest paths from a root are wanted.
    pub why: &'a [Selector],
    /// Draw the graph of the instrumented methods.
    pub graph: bool,
    /// Report also notices about speed.
    pub verbose: bool,
}

/// What a rewriting would instrument.
#[derive(Debug)]
pub struct PlanOutcome {
    /// The selection that it is about.
    pub selection: Selection,
    /// Where the runtime would be.
    pub placement: Placement,
    /// Methods with code in all inputs; `None` if not all classes were read.
    pub all_methods: Option<usize>,
    /// Classes in all inputs.
    pub all_classes: usize,
    /// The methods to instrument, in the order of the inputs.
    pub methods: MethodTable,
    /// The inputs.
    pub inputs: Vec<InputRow>,
    /// Selected methods without code.
    pub abstract_methods: u32,
    /// Sizes of all inputs.
    pub sizes: Sizes,
    /// Hand-offs that would be followed.
    pub hand_offs: u64,
    /// The reachability analysis of the roots, if there was one.
    pub analysis: Option<Analysis>,
    /// The answers to [`PlanRequest::why`].
    pub paths: Vec<PathAnswer>,
    /// The graph in Graphviz's language, if requested.
    pub dot: Option<String>,
    /// The absolute paths of the inputs.
    pub sources: Vec<PathBuf>,
    /// Notices of the archive crate.
    pub notices: Vec<Notice>,
}

/// The result of a reachability analysis.
#[derive(Debug)]
pub struct Analysis {
    /// The roots.
    pub roots: Vec<MethodKey>,
    /// Methods taken as called.
    pub assumed: Vec<MethodKey>,
    /// The methods whose instantiations virtual calls consider.
    pub objects: ObjectSource,
    /// The part of profiles in it.
    pub profiled: Option<ProfiledCalls>,
    /// The JDK that the program runs on.
    pub jdk: JdkInfo,
    /// The program's methods with code in the call subgraph, selected or not.
    pub methods: usize,
    /// The JDK's methods in the call subgraph, with or without code.
    pub jdk_methods: usize,
    /// Call sites in the call subgraph.
    pub call_sites: usize,
    /// Methods that only reflection calls.
    pub reflective: usize,
    /// What could not be followed.
    pub unfollowed: UnfollowedCounts,
    /// Methods that load classes by unknown names.
    pub unnamed: Unnamed,
    /// Classes and methods that are missing from inputs and JDK.
    pub missing: Vec<Missing>,
    /// Groups of methods that call each other in cycles, largest first.
    pub recursion: Vec<Vec<MethodKey>>,
    /// Reasons why the answer may surprise.
    pub notices: Vec<String>,
}

/// One input.
#[derive(Debug)]
pub struct InputRow {
    /// As the user named it; `jrt:/NAME` for a JDK module.
    pub name: String,
    /// The module that it declares.
    pub module: Option<String>,
    /// Whether it is a JDK module.
    pub is_jdk: bool,
    /// Its methods with code; `None` if not all classes were read.
    pub all_methods: Option<usize>,
    /// Its classes.
    pub all_classes: usize,
    /// Its methods to instrument.
    pub methods: usize,
    /// Its classes that would be changed.
    pub changed: usize,
    /// Its sizes.
    pub sizes: Sizes,
    /// Whether it is a signed jar.
    pub is_signed: bool,
    /// Its classes and methods that would be skipped.
    pub skips: Vec<Skip>,
}

/// One method that would be instrumented.
#[derive(Clone, Copy, Debug)]
pub struct Planned<'a> {
    /// The method.
    pub key: KeyRef<'a>,
    /// The index of its input.
    pub input: usize,
    /// Its source file.
    pub source: Option<&'a str>,
    /// Its first line.
    pub line: Option<u16>,
    /// The kind of its probes.
    pub kind: ProbeKind,
    /// Why it is in the plan.
    pub why: PlanReason,
    /// The program's method before it on the shortest path; `None` at the start of a path.
    pub from: Option<KeyRef<'a>>,
}

/// Why a method is in the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlanReason {
    /// The selectors choose it, without an analysis.
    Selected,
    /// The analysis starts from it.
    Start(StartReason),
    /// The last step of its shortest path.
    Step(Reason),
    /// It is in a version of a class of the call subgraph that the JDK at hand does not load.
    OtherVersion,
}

impl PlanReason {
    /// In lower case, words apart: `virtual call`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Selected => "selected",
            Self::Start(StartReason::Root) => "root",
            Self::Start(StartReason::Assumed) => "assumed",
            Self::Start(StartReason::Profiled) => "profiled",
            Self::Step(reason) => reason.name(),
            Self::OtherVersion => "other version",
        }
    }
}
