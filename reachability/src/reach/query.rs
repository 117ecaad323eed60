//! What a reachability analysis is asked.

use crate::MethodIx;
use jfathom_plan::CallGraph;

/// Where objects may come from that exist when a root is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum EntryPoints {
    /// Whatever the program can allocate anywhere: each of its methods may have run before. Right
    /// for any root.
    #[default]
    AnyMethod,
    /// What these methods can allocate, such as the program's `main`; and the roots themselves.
    Methods(Vec<MethodIx>),
}

/// Which string and class constants are taken for classes that are loaded and instantiated by
/// reflection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClassNames {
    /// Strings in methods that call something like `Class.forName` or `loadClass`, classes in
    /// methods that look up constructors.
    NearUse,
    /// Also all others in reached methods of the program that name another class of the program.
    #[default]
    Anywhere,
}

/// Roots, and how to analyse what they reach.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// Where the analysis begins.
    pub roots: Vec<MethodIx>,
    /// The call-graph algorithm.
    pub call_graph: CallGraph,
    /// Where the objects come from.
    pub entry_points: EntryPoints,
    /// Which constants count as classes made by reflection.
    pub class_names: ClassNames,
    /// Services and their providers, as internal names, from `META-INF/services` and modules'
    /// `provides`.
    pub services: Vec<(String, String)>,
}
