//! Notices: unusual facts about containers and cache.

use std::path::PathBuf;

/// Something unusual about the containers or the cache.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// A notice of the crate archive.
    Container(jfathom_archive::Notice),
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
        use jfathom_archive::Notice::{EntryUnreadable, NestedTooDeep, NestedUnreadable};
        let (location, problem) = match notice {
            EntryUnreadable { location, reason } | NestedUnreadable { location, reason } => {
                (location, reason)
            }
            NestedTooDeep { location } => (location, "it is nested too deep".to_owned()),
            other => return Self::Container(other),
        };
        Self::NotRead { location: location.to_string(), problem }
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
