//! Why no plan can be made.

use crate::{LineRange, MethodId};

/// Why no plan can be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanError {
    /// A selector matches nothing.
    NoMatch {
        /// The option that it was given with: `--include`, `--root`.
        option: &'static str,
        /// The selector as it was written.
        selector: String,
        /// Names that the user may have meant, best first.
        near: Vec<String>,
    },
    /// A selector names a class that has no such method, and none with a similar name.
    NoMethod {
        /// The option that it was given with.
        option: &'static str,
        /// The selector as it was written.
        selector: String,
        /// The class, with dots, and what it has: `com.acme.Engine has no such method; it has run`.
        problem: String,
    },
    /// A selector can be read in two ways, and both match something.
    Ambiguous {
        /// The option that it was given with.
        option: &'static str,
        /// The selector as it was written.
        selector: String,
        /// Selectors for each of the readings.
        readings: Vec<String>,
    },
    /// A selector matches only abstract or native methods.
    NoCode {
        /// The option that it was given with.
        option: &'static str,
        /// The selector as it was written.
        selector: String,
        /// One of the methods.
        example: String,
    },
    /// Exclusions exclude everything that a selector matches.
    Excluded {
        /// The option that it was given with.
        option: &'static str,
        /// The selector as it was written.
        selector: String,
    },
    /// A region is at lines at which its method has no code.
    NoLines {
        /// The option that it was given with.
        option: &'static str,
        /// The region as it was written.
        selector: String,
        /// The method, and which lines it has.
        problem: String,
    },
    /// Two regions of a method overlap, and none is inside the other.
    OverlappingRegions {
        /// The method.
        method: String,
        /// The one that begins first.
        first: LineRange,
        /// The other.
        second: LineRange,
    },
    /// No method is selected, and no single selector is the cause.
    NothingSelected {
        /// Number of classes.
        classes: usize,
    },
    /// The ids would exceed 22 bits.
    TooManyIds {
        /// The first id.
        base: u32,
    },
}

impl std::fmt::Display for PlanError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoMatch { option, selector, near } => {
                write!(f, "{option} {selector} matches nothing")?;
                match near.as_slice() {
                    [] => f.write_str("; `jfathom rewrite --help` shows the forms of selectors"),
                    [only] => write!(f, "; did you mean {only}?"),
                    [best @ .., last] => write!(f, "; did you mean {} or {last}?", best.join(", ")),
                }
            }
            Self::NoMethod { option, selector, problem } => {
                write!(f, "{option} {selector} matches nothing: {problem}")
            }
            Self::Ambiguous { option, selector, readings } => {
                write!(f, "{option} {selector} is ambiguous; choose {}", readings.join(" or "))
            }
            Self::NoCode { option, selector, example } => write!(
                f,
                "{option} {selector} matches only abstract or native methods, such as {example}; \
                 choose the methods that implement them"
            ),
            Self::Excluded { option, selector } => {
                write!(
                    f,
                    "{option} {selector} matches only excluded methods; remove the selector or the exclusion"
                )
            }
            Self::NoLines { option, selector, problem } => {
                write!(f, "{option} {selector} covers no code: {problem}")
            }
            Self::OverlappingRegions { method, first, second } => write!(
                f,
                "the regions {first} and {second} of {method} overlap; regions of a method are \
                 nested or apart"
            ),
            Self::NothingSelected { classes: 0 } => f.write_str("the inputs have no class"),
            Self::NothingSelected { classes: 1 } => {
                f.write_str("the one class has no method to instrument; loosen --include")
            }
            Self::NothingSelected { classes } => {
                write!(
                    f,
                    "none of the {classes} classes has a method to instrument; loosen --include"
                )
            }
            Self::TooManyIds { base } => write!(
                f,
                "with ids from {base} the methods exceed the {} ids of a recording; \
                 narrow --include",
                MethodId::MAX.get() + 1
            ),
        }
    }
}

impl std::error::Error for PlanError {}

impl PlanError {
    /// The same error about a selector that was given with this option.
    #[must_use]
    pub fn given_as(mut self, given: &'static str) -> Self {
        match &mut self {
            Self::NoMatch { option, .. }
            | Self::NoMethod { option, .. }
            | Self::Ambiguous { option, .. }
            | Self::NoCode { option, .. }
            | Self::Excluded { option, .. }
            | Self::NoLines { option, .. } => *option = given,
            Self::OverlappingRegions { .. }
            | Self::NothingSelected { .. }
            | Self::TooManyIds { .. } => {}
        }
        self
    }
}
