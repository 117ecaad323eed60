//! The input of a reachability analysis.

use crate::MethodIx;
use jfathom_plan::CallGraph;

/// Origin of the objects that exist when a root is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum EntryPoints {
    /// Any method of the program may have run before. Right for every root.
    #[default]
    AnyMethod,
    /// These methods, such as the program's `main`, and the roots have run.
    Methods(Vec<MethodIx>),
}

/// Which string and class constants count as classes that reflection loads and instantiates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClassNames {
    /// Strings in methods that call a method like `Class.forName` or `loadClass`, and classes in
    /// methods that look up constructors.
    NearUse,
    /// In reached methods of the program, also all others that name another class of the program.
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
    /// Where objects come from.
    pub entry_points: EntryPoints,
    /// Which constants count as classes for reflection.
    pub class_names: ClassNames,
    /// Services and their providers, as internal names, from `META-INF/services` and modules'
    /// `provides`.
    pub services: Vec<(String, String)>,
}
