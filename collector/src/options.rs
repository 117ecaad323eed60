//! What to record and how.

use std::{ffi::OsString, path::PathBuf};

/// One recording to make.
#[derive(Clone, Debug, Default)]
pub struct RecordOptions {
    /// The command and its arguments.
    pub command: Vec<OsString>,
    /// The profile to write.
    pub output: PathBuf,
    /// Whether `output` may replace a file.
    pub force: bool,
    /// Whether each JVM gets a profile of its own (`profile.PID.jfp` for `profile.jfp`) and they are not merged.
    pub per_jvm: bool,
    /// The session directory; a new one in memory, or else on disk, where none is named.
    pub session_dir: Option<PathBuf>,
    /// Whether the session directory stays when the profile is written.
    pub keep_session: bool,
    /// JVM flags that the command needs: put after `java` where the command is the launcher, or into `JAVA_TOOL_OPTIONS`
    /// with `via_env`, else not passed on.
    pub jvm_flags: Vec<String>,
    /// Whether `jvm_flags` go through `JAVA_TOOL_OPTIONS`, which reaches JVMs behind scripts and prints a line on stderr.
    pub via_env: bool,
    /// Whether JVMs that still run when the command has ended are left to themselves.
    pub no_wait: bool,
    /// Data bytes of each thread's ring; the runtime's default where none is given.
    pub ring_bytes: Option<u64>,
    /// The clock to use (`auto`, `nano`, `tsc`); the runtime's default where none is given.
    pub clock: Option<String>,
    /// What the runtime must make room for where it cannot see the manifests itself
    /// ([`jfathom_runtime_java::env::IDS`]).
    pub ids: Option<String>,
    /// Manifests of the program that the JVM may not be able to name, as places for [`ManifestSource`].
    pub manifests: Vec<String>,
    /// Who records, for the profile: `jfathom 0.1.0`.
    pub tool: String,
}

/// Gives the bytes of the manifest at a place that a JVM has named, such as `jar:file:/x/app.jar!/META-INF/…`.
pub trait ManifestSource: Sync {
    /// Reads it.
    ///
    /// # Errors
    /// A sentence that says why it cannot be read.
    fn read(&self, place: &str) -> Result<Vec<u8>, String>;
}

impl<F: Fn(&str) -> Result<Vec<u8>, String> + Sync> ManifestSource for F {
    fn read(&self, place: &str) -> Result<Vec<u8>, String> {
        self(place)
    }
}
