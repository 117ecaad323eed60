//! What the user wants, as the JVM hands it on: `key=value,key=value`.

use jfathom_plan::Selector;
use jfathom_reachability::Scheme;
use std::path::PathBuf;

/// The options of one session.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which methods record what happens inside them.
    pub roots: Vec<Selector>,
    /// When callees are instrumented.
    pub scheme: LiveScheme,
    /// Whether methods of the JDK are instrumented too.
    pub jdk_methods: bool,
    /// What is instrumented; everything where empty.
    pub include: Vec<Selector>,
    /// What is left alone.
    pub exclude: Vec<Selector>,
    /// Whether numeric arguments are tied to entry probes.
    pub pin: bool,
    /// The clock, as `jfathom record --clock` takes it: handed on to the runtime.
    pub clock: Option<String>,
    /// Bytes of each thread's ring.
    pub ring: Option<u32>,
    /// When the probes are calibrated.
    pub calibrate: Calibrate,
    /// The session's directory, where a collector waits.
    pub session: Option<PathBuf>,
    /// Where the profile goes, where the agent starts its collector itself.
    pub out: Option<PathBuf>,
    /// Whether an existing file of that name is replaced.
    pub force: bool,
    /// Whether to say more.
    pub verbose: bool,
    /// The `jfathom` binary.
    pub jfathom: Option<PathBuf>,
}

/// When methods are instrumented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiveScheme {
    /// By expansion from the roots.
    Expand(Scheme),
    /// All program classes, as they are loaded.
    Total,
}

impl Default for LiveScheme {
    fn default() -> Self {
        Self::Expand(Scheme::Lazy)
    }
}

/// When the probes' cost is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Calibrate {
    /// Before the first record.
    pub start: bool,
    /// After the last one.
    pub end: bool,
}

/// Why the option string is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionsError(String);

impl std::fmt::Display for OptionsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for OptionsError {}

impl Options {
    /// Reads an option string.
    ///
    /// # Errors
    /// An unknown key, a value that is not understood, no root.
    pub fn parse(text: &str) -> Result<Self, OptionsError> {
        Err(OptionsError(format!("cannot read {text}")))
    }
}
