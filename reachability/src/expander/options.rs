//! Options of an expansion.

/// When the callees of a chosen method are instrumented.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// At once, with everything that they can call: JFluid's scheme A. Classes that are loaded
    /// later add methods.
    Eager,
    /// At the method's first call: JFluid's scheme B.
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
    /// Lookahead of `Lazy`.
    pub ahead: Lookahead,
}

/// Which methods [`Scheme::Lazy`] chooses before first calls, so that a class is retransformed less
/// often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookahead {
    /// Whether callees of a chosen method in its own class are chosen with it.
    pub own_class: bool,
    /// From this retransformation of a class on, all its methods that `Eager` would choose are
    /// chosen. 0 means never.
    pub possible_from: u32,
    /// From this retransformation of a class on, all its methods are chosen. 0 means never.
    pub whole_from: u32,
    /// Whether all methods of a class that `Eager` would choose are chosen at load time, if any is.
    /// There they cost no retransformation.
    pub possible_at_load: bool,
}

impl Lookahead {
    /// No lookahead: scheme B as published.
    pub const NONE: Self =
        Self { own_class: false, possible_from: 0, whole_from: 0, possible_at_load: false };
}

impl Default for Lookahead {
    /// The setting with the fewest retransformations on the programs of
    /// `docs/lab/expansion-replay.md`, among those that choose at most 1.6 times the called methods
    /// (median).
    fn default() -> Self {
        Self { own_class: true, possible_from: 2, whole_from: 0, possible_at_load: true }
    }
}
