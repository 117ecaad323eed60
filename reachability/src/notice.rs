//! Unusual properties of a world that do not stop an analysis.

/// A property that may make a result smaller than expected.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// Several containers have the same classes. The JVM loads those of the first.
    Duplicates {
        /// The container whose classes count.
        kept: String,
        /// The container whose classes are hidden.
        hidden: String,
        /// Number of such classes.
        count: usize,
        /// One of them, in internal form.
        example: String,
    },
    /// A class is its own supertype. The edge that closes the cycle is ignored.
    CyclicInheritance {
        /// Internal name of the class whose edge is ignored.
        class: String,
    },
    /// A class could not be read, and counts as missing.
    Unreadable {
        /// Container and entry.
        place: String,
        /// Why.
        problem: String,
    },
    /// Code of a method could not be read. The method counts as one without calls.
    UnreadableCode {
        /// Container and entry.
        place: String,
        /// Name and descriptor.
        method: String,
        /// Why.
        problem: String,
    },
    /// The name of a class differs from its entry. No class loader accepts it there.
    WrongName {
        /// Container and entry.
        place: String,
        /// The name that the class file has, in internal form.
        class: String,
    },
}

impl std::fmt::Display for Notice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Duplicates { kept, hidden, count: 1, example } => {
                write!(f, "{example} is in {kept} and in {hidden}; the first counts")
            }
            Self::Duplicates { kept, hidden, count, example } => {
                write!(
                    f,
                    "{count} classes, such as {example}, are in {kept} and in {hidden}; the first \
                     counts"
                )
            }
            Self::CyclicInheritance { class } => {
                write!(
                    f,
                    "{class} inherits from itself; no JVM loads it, and the circle is cut there"
                )
            }
            Self::Unreadable { place, problem } => {
                write!(f, "{place}: {problem}; treated as missing")
            }
            Self::UnreadableCode { place, method, problem } => {
                write!(f, "{place}: method {method}: {problem}; what it calls is not known")
            }
            Self::WrongName { place, class } => {
                write!(f, "{place} holds the class {class}; treated as missing")
            }
        }
    }
}
