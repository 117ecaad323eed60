//! What the user should know though nothing failed.

use std::path::PathBuf;

/// Something unusual about the containers or the cache.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// What archive noticed about a container.
    Container(jfathom_archive::Notice),
    /// An entry or nested jar that could not be read: its classes are not in the world.
    NotRead {
        /// The entry.
        place: String,
        /// Why.
        problem: String,
    },
    /// A container of the class path without any class.
    NoClasses {
        /// The container.
        place: String,
    },
    /// A file that is named twice; it counts once.
    NamedTwice {
        /// The file as it is named the second time.
        path: PathBuf,
    },
    /// Services that a container declares could not be read.
    Services {
        /// The file or module descriptor.
        place: String,
        /// Why.
        problem: String,
    },
    /// The cache cannot be used; everything works without, only slower. Of interest to those who
    /// wonder about the time.
    CacheUnusable {
        /// The directory.
        directory: PathBuf,
        /// Why.
        problem: String,
    },
}

impl Notice {
    /// What archive noticed, in the words of one who only reads.
    pub(crate) fn of_archive(notice: jfathom_archive::Notice) -> Self {
        use jfathom_archive::Notice::{EntryUnreadable, NestedTooDeep, NestedUnreadable};
        let (place, problem) = match notice {
            EntryUnreadable { place, reason } | NestedUnreadable { place, reason } => {
                (place, reason)
            }
            NestedTooDeep { place } => (place, "it is nested too deep".to_owned()),
            other => return Self::Container(other),
        };
        Self::NotRead { place: place.to_string(), problem }
    }

    /// Whether it is about speed only, so that it is worth saying when asked for details.
    pub fn is_detail(&self) -> bool {
        matches!(self, Self::CacheUnusable { .. })
    }
}

impl std::fmt::Display for Notice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Container(notice) => notice.fmt(f),
            Self::NotRead { place, problem } => {
                write!(f, "{place}: {problem}; what it holds is not known")
            }
            Self::NoClasses { place } => write!(f, "{place}: holds no class"),
            Self::NamedTwice { path } => {
                write!(f, "{}: is named twice; it counts once", path.display())
            }
            Self::Services { place, problem } => {
                write!(f, "{place}: {problem}; the services that it declares are not known")
            }
            Self::CacheUnusable { directory, problem } => {
                write!(f, "{}: no index is kept: {problem}", directory.display())
            }
        }
    }
}
