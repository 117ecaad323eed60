//! Why no plan can be made.

use crate::{LineRange, MethodId};

/// Why no plan can be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A selector matches nothing.
    #[error("{option} {selector} matches nothing; {}", meant(.near))]
    NoMatch {
        /// The option that it was given with: `--include`, `--root`.
        option: &'static str,
        /// The selector as it was written.
        selector: String,
        /// Names that the user may have meant, best first.
        near: Vec<String>,
    },
    /// A selector names a class that has no such method, and none with a similar name.
    #[error("{option} {selector} matches nothing: {problem}")]
    NoMethod {
        /// The option that it was given with.
        option: &'static str,
        /// The selector as it was written.
        selector: String,
        /// The class, with dots, and what it has: `com.acme.Engine has no such method; it has run`.
        problem: String,
    },
    /// A selector can be read in two ways, and both match something.
    #[error("{option} {selector} is ambiguous; choose {}", .readings.join(" or "))]
    Ambiguous {
        /// The option that it was given with.
        option: &'static str,
        /// The selector as it was written.
        selector: String,
        /// Selectors for each of the readings.
        readings: Vec<String>,
    },
    /// A selector matches only abstract or native methods.
    #[error(
        "{option} {selector} matches only abstract or native methods, such as {example}; choose \
         the methods that implement them"
    )]
    NoCode {
        /// The option that it was given with.
        option: &'static str,
        /// The selector as it was written.
        selector: String,
        /// One of the methods.
        example: String,
    },
    /// Exclusions exclude everything that a selector matches.
    #[error(
        "{option} {selector} matches only excluded methods; remove the selector or the exclusion"
    )]
    Excluded {
        /// The option that it was given with.
        option: &'static str,
        /// The selector as it was written.
        selector: String,
    },
    /// A region is at lines at which its method has no code.
    #[error("{option} {selector} covers no code: {problem}")]
    NoLines {
        /// The option that it was given with.
        option: &'static str,
        /// The region as it was written.
        selector: String,
        /// The method, and which lines it has.
        problem: String,
    },
    /// Two regions of a method overlap, and none is inside the other.
    #[error(
        "the regions {first} and {second} of {method} overlap; regions of a method are nested or \
         apart"
    )]
    OverlappingRegions {
        /// The method.
        method: String,
        /// The one that begins first.
        first: LineRange,
        /// The other.
        second: LineRange,
    },
    /// No method is selected, and no single selector is the cause.
    #[error("{}", nothing_in(*.classes))]
    NothingSelected {
        /// Number of classes.
        classes: usize,
    },
    /// The ids would exceed 22 bits.
    #[error(
        "with ids from {base} the methods exceed the {} ids of a recording; narrow --include",
        MethodId::MAX.get() + 1
    )]
    TooManyIds {
        /// The first id.
        base: u32,
    },
}

fn meant(near: &[String]) -> String {
    match near {
        [] => "`jfathom rewrite --help` shows the forms of selectors".to_owned(),
        [only] => format!("did you mean {only}?"),
        [best @ .., last] => format!("did you mean {} or {last}?", best.join(", ")),
    }
}

fn nothing_in(classes: usize) -> String {
    let none = match classes {
        0 => return "the inputs have no class".to_owned(),
        1 => "the one class has no method".to_owned(),
        _ => format!("none of the {classes} classes has a method"),
    };
    format!("{none} to instrument; loosen --include")
}

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
