//! What is unusual about a world but does not end the work.

/// Something that may make an answer smaller or different than one thinks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// Classes that several containers have: the JVM takes those of the first.
    Duplicates {
        /// The container whose classes count.
        kept: String,
        /// The container whose classes nobody sees.
        hidden: String,
        /// How many.
        count: usize,
        /// One of them, in internal form.
        example: String,
    },
    /// A class is its own superclass or superinterface: the edge that closes the circle is left
    /// out.
    CyclicInheritance {
        /// The class whose edge is left out, in internal form.
        class: String,
    },
    /// A class that could not be read is treated as missing.
    Unreadable {
        /// Container and entry.
        place: String,
        /// Why.
        problem: String,
    },
    /// A method whose code could not be read is treated as one that calls nothing.
    UnreadableCode {
        /// Container and entry.
        place: String,
        /// Name and descriptor.
        method: String,
        /// Why.
        problem: String,
    },
    /// An entry holds a class of another name, which no class loader accepts there.
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
