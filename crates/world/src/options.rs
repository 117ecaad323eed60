//! Options of opening a world.

use jfathom_archive::Limits;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// How a world is opened.
#[derive(Clone, Debug)]
pub struct Options {
    /// Home of the JDK that the program runs on. Default: `JAVA_HOME`, that of `java` on the path,
    /// or one below `/usr/lib/jvm`.
    pub jdk: Option<PathBuf>,
    /// Where indexes are kept.
    pub cache: Cache,
    /// Threads that read classes. Default: one per core.
    pub threads: Option<NonZeroUsize>,
    /// Whether [`open`](crate::open) also opens the siblings in jar manifests' `Class-Path`.
    pub follow_class_path: bool,
    /// Whether modules of the Java home that are not the JDK's count as the program's.
    pub application_modules: bool,
    /// Limits for containers.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            jdk: None,
            cache: Cache::User,
            threads: None,
            follow_class_path: true,
            application_modules: false,
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
