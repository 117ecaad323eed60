//! Why nothing can be chosen.

use crate::MethodId;

/// Why the rules cannot be carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanError {
    /// A selector selects nothing.
    NoMatch {
        /// The option that it was given with: `--include`, `--root`.
        option: &'static str,
        /// The selector as it was written.
        selector: String,
        /// What it may have been meant to be, best first.
        near: Vec<String>,
    },
    /// A selector selects only abstract or native methods.
    NoCode {
        /// The option that it was given with.
        option: &'static str,
        /// The selector as it was written.
        selector: String,
        /// One of the methods.
        example: String,
    },
    /// Exclusions leave nothing of what a selector selects.
    Excluded {
        /// The option that it was given with.
        option: &'static str,
        /// The selector as it was written.
        selector: String,
    },
    /// No method is chosen, though no selector is at fault.
    NothingSelected {
        /// How many classes there were.
        classes: usize,
    },
    /// The methods have more ids than 22 bits can name.
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
            Self::NoCode { option, selector, example } => write!(
                f,
                "{option} {selector} matches only abstract or native methods, such as {example}; \
                 choose the methods that implement them"
            ),
            Self::Excluded { option, selector } => {
                write!(
                    f,
                    "{option} {selector} matches only what is excluded; take one of the two back"
                )
            }
            Self::NothingSelected { classes: 0 } => {
                f.write_str("there is no class in what was given")
            }
            Self::NothingSelected { classes: 1 } => f.write_str(
                "the one class has no method to instrument; loosen --include or --exclude",
            ),
            Self::NothingSelected { classes } => {
                write!(
                    f,
                    "none of the {classes} classes has a method to instrument; loosen --include or --exclude"
                )
            }
            Self::TooManyIds { base } => write!(
                f,
                "with ids from {base} the methods have more than the {} ids that a recording can tell apart; \
                 narrow --include",
                MethodId::MAX.get() + 1
            ),
        }
    }
}

impl std::error::Error for PlanError {}
