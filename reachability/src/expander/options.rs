//! Options of an expansion.

/// When the callees of a method are instrumented.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// At once, with all that they can call: JFluid's scheme A. Classes that are loaded later
    /// extend the choice.
    Eager,
    /// When the method is called for the first time: JFluid's scheme B.
    #[default]
    Lazy,
}

/// Options of an [`Expander`](crate::Expander).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpansionOptions {
    /// When callees are instrumented.
    pub scheme: Scheme,
    /// Whether methods of the JDK are instrumented too.
    pub jdk_methods: bool,
    /// Services and their providers, as in [`Query::services`](crate::Query::services).
    pub services: Vec<(String, String)>,
    /// How far `Lazy` goes ahead of first calls to save retransformations.
    pub ahead: Lookahead,
}

/// How far [`Scheme::Lazy`] goes ahead of first calls, so that a class is retransformed less often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookahead {
    /// Whether a chosen method's callees in its own class are chosen with it.
    pub own_class: bool,
    /// From which retransformation of a class on all of its methods are chosen that `Eager` would
    /// choose; 0: never.
    pub possible_from: u32,
    /// From which retransformation of a class on all of its methods are chosen; 0: never.
    pub whole_from: u32,
    /// Whether all methods of a class that `Eager` would choose are chosen as it is loaded, where
    /// any is: they cost no retransformation there.
    pub possible_at_load: bool,
}

impl Lookahead {
    /// As scheme B was published: only what first calls ask for.
    pub const NOTHING: Self =
        Self { own_class: false, possible_from: 0, whole_from: 0, possible_at_load: false };
}

impl Default for Lookahead {
    /// The setting with the fewest retransformations among those with a median of at most 1.6 times
    /// the called methods, on the programs of `docs/reachability.md`.
    fn default() -> Self {
        Self { own_class: true, possible_from: 2, whole_from: 0, possible_at_load: true }
    }
}
