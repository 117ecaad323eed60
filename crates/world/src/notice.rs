//! Notices: unusual facts about containers and cache.

use jfathom_archive::OutsideReason;
use std::path::PathBuf;

/// Something unusual about the containers or the cache.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// A notice of the crate archive.
    Container(jfathom_archive::Notice),
    /// An entry of the class path, or of a `Class-Path`, that the JVM passes over, too.
    PassedOver {
        /// The entry.
        location: String,
        /// Why.
        problem: String,
    },
    /// An unreadable entry or nested jar. Its classes are not in the world.
    NotRead {
        /// The entry.
        location: String,
        /// Why.
        problem: String,
    },
    /// A container of the class path without any class.
    NoClasses {
        /// The container.
        location: String,
    },
    /// A file that is named twice, and counts once.
    NamedTwice {
        /// The second name of the file.
        path: PathBuf,
    },
    /// Services that a container declares could not be read.
    Services {
        /// The file or module descriptor.
        location: String,
        /// Why.
        problem: String,
    },
    /// The cache cannot be used. Everything works without it, only slower.
    CacheUnusable {
        /// The directory.
        directory: PathBuf,
        /// Why.
        problem: String,
    },
}

impl Notice {
    /// A notice of the crate archive, in terms of reading.
    pub(crate) fn of_archive(notice: jfathom_archive::Notice) -> Self {
        use jfathom_archive::Notice::{
            ClassPathOutside, EntryUnreadable, NestedTooDeep, NestedUnreadable, PassedOver,
        };
        let (location, problem) = match notice {
            EntryUnreadable { location, reason } | NestedUnreadable { location, reason } => {
                (location, reason)
            }
            PassedOver { location, problem } => {
                return Self::PassedOver { location: location.to_string(), problem };
            }
            ClassPathOutside { location, entry, reason: OutsideReason::Unreadable(problem) } => {
                let location = format!("{} (Class-Path of {location})", entry.escape_debug());
                return Self::PassedOver { location, problem };
            }
            NestedTooDeep { location } => (location, "it is nested too deep".to_owned()),
            other => return Self::Container(other),
        };
        Self::NotRead { location: location.to_string(), problem }
    }

    /// Whether classes of the program are missing in the world: calls into them are followed only
    /// when the JVM has loaded them.
    pub fn is_gap(&self) -> bool {
        use jfathom_archive::Notice::LeftOut;
        matches!(
            self,
            Self::PassedOver { .. } | Self::NotRead { .. } | Self::Container(LeftOut { .. })
        )
    }

    /// Whether it concerns speed only. Such a notice belongs into verbose output.
    pub fn is_detail(&self) -> bool {
        matches!(self, Self::CacheUnusable { .. })
    }
}

impl std::fmt::Display for Notice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Container(notice) => notice.fmt(f),
            Self::PassedOver { location, problem } => write!(
                f,
                "{location}: passed over on the class path: {problem}; what it holds is not known; \
                 build it again, or remove it from the class path"
            ),
            Self::NotRead { location, problem } => {
                write!(f, "{location}: {problem}; what it holds is not known")
            }
            Self::NoClasses { location } => write!(f, "{location}: holds no class"),
            Self::NamedTwice { path } => {
                write!(f, "{}: is named twice; it counts once", path.display())
            }
            Self::Services { location, problem } => {
                write!(f, "{location}: {problem}; the services that it declares are not known")
            }
            Self::CacheUnusable { directory, problem } => {
                write!(f, "{}: no index is kept: {problem}", directory.display())
            }
        }
    }
}
