//! What the caller decides.

use jfathom_archive::Limits;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// How a world is opened.
#[derive(Clone, Debug)]
pub struct Options {
    /// The home of the JDK that the program runs on; without one `JAVA_HOME`, that of `java` on
    /// the path, or one below `/usr/lib/jvm`.
    pub jdk: Option<PathBuf>,
    /// Where indexes are kept.
    pub cache: Cache,
    /// The threads that read classes; one per core without.
    pub threads: Option<NonZeroUsize>,
    /// Whether [`open`](crate::open) also opens what manifests' `Class-Path` names.
    pub follow_class_path: bool,
    /// The bounds of what is opened.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            jdk: None,
            cache: Cache::User,
            threads: None,
            follow_class_path: true,
            limits: Limits::default(),
        }
    }
}

/// Where indexes of containers are kept between runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Cache {
    /// Nowhere: class files are read when a world asks for them.
    Off,
    /// In the user's cache directory: `$XDG_CACHE_HOME/jfathom`, else `~/.cache/jfathom`.
    #[default]
    User,
    /// In this directory.
    At(PathBuf),
}
