//! The agent's options: one type for those who write them and the agent that reads them.
//!
//! Their text is `key=value,key=value`, the part of `-agentpath:libjfathom.so=…` after the library.

mod error;
mod handover;
mod text;

use crate::{CalibrationPhases, ClockChoice};
use jfathom_plan::{Scheme, Selector};
use std::{os::unix::ffi::OsStrExt, path::PathBuf};
use text::{Pair, escape};

pub use error::OptionsError;
pub use handover::session_of;

/// The options of one live session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentOptions {
    /// The roots; at least one without `!`.
    pub roots: Vec<Selector>,
    /// When callees get probes; never [`Scheme::Static`].
    pub scheme: Scheme,
    /// Whether methods of the JDK are instrumented too.
    pub jdk_methods: bool,
    /// What is instrumented; everything where empty.
    pub include: Vec<Selector>,
    /// What is not instrumented. Stronger than `include` and `roots`.
    pub exclude: Vec<Selector>,
    /// Whether entry probes are pinned where that is possible.
    pub pin: bool,
    /// The clock.
    pub clock: ClockChoice,
    /// Bytes of each thread's ring: a power of two from 512 to 1 GiB.
    pub ring: Option<u32>,
    /// When the probes are calibrated.
    pub calibrate: CalibrationPhases,
    /// The session directory, where a collector waits.
    pub session: Option<PathBuf>,
    /// Where the profile goes, if the agent starts its collector itself.
    pub out: Option<PathBuf>,
    /// Whether the profile may replace a file.
    pub force: bool,
    /// Whether trivial methods are timed, rather than counted.
    pub all_timed: bool,
    /// Whether more is printed.
    pub verbose: bool,
    /// The `jfathom` binary.
    pub jfathom: Option<PathBuf>,
}

impl Default for AgentOptions {
    fn default() -> Self {
        Self {
            roots: Vec::new(),
            scheme: Scheme::Lazy,
            jdk_methods: false,
            include: Vec::new(),
            exclude: Vec::new(),
            pin: false,
            clock: ClockChoice::Auto,
            ring: None,
            calibrate: CalibrationPhases::BOTH,
            session: None,
            out: None,
            force: false,
            all_timed: false,
            verbose: false,
            jfathom: None,
        }
    }
}

/// All keys, in the order in which errors list them.
const KEYS: &[&str] = &[
    "root",
    "scheme",
    "jdk-methods",
    "include",
    "exclude",
    "pin",
    "clock",
    "ring",
    "calibrate",
    "session",
    "out",
    "force",
    "all-timed",
    "verbose",
    "jfathom",
];

/// The longest option text, in bytes; command lines and the attach protocol have shorter ones.
const LIMIT: usize = 1 << 20;

/// Bytes of a ring.
const RING_BYTES: std::ops::RangeInclusive<u32> = 512..=1 << 30;

/// Writes the options as [`FromStr`](std::str::FromStr) reads them, the session first: a JVM that
/// fails to read the rest can still report that in the session directory.
impl std::fmt::Display for AgentOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let path = |key: &str, path: &Option<PathBuf>| {
            path.as_ref().map(|path| format!("{key}={}", escape(path.as_os_str().as_bytes())))
        };
        let list = |key: &str, selectors: &[Selector]| {
            let values: Vec<String> =
                selectors.iter().map(|selector| escape(selector.to_string().as_bytes())).collect();
            (!values.is_empty()).then(|| format!("{key}={}", values.join(";")))
        };
        let flag = |key: &str, is_set: bool| is_set.then(|| key.to_owned());
        let phases = match self.calibrate.join(";") {
            none if none.is_empty() => "none".to_owned(),
            phases => phases,
        };
        let pairs = [
            path("session", &self.session),
            list("root", &self.roots),
            Some(format!("scheme={}", self.scheme)),
            flag("jdk-methods", self.jdk_methods),
            list("include", &self.include),
            list("exclude", &self.exclude),
            flag("pin", self.pin),
            Some(format!("clock={}", self.clock.as_str())),
            self.ring.map(|bytes| format!("ring={bytes}")),
            Some(format!("calibrate={phases}")),
            path("out", &self.out),
            flag("force", self.force),
            flag("all-timed", self.all_timed),
            flag("verbose", self.verbose),
            path("jfathom", &self.jfathom),
        ];
        f.write_str(&pairs.into_iter().flatten().collect::<Vec<_>>().join(","))
    }
}

impl std::str::FromStr for AgentOptions {
    type Err = OptionsError;

    /// Reads `key=value,key=value`. Values of lists are separated by `;`, and a key may come again
    /// to add to its list. `%` and two hex digits stand for a byte: `%2C` for a comma, `%3B`
    /// for a semicolon, `%25` for the percent sign. A key without a value means yes.
    fn from_str(text: &str) -> Result<Self, OptionsError> {
        if text.len() > LIMIT {
            return Err(OptionsError::TooLong { bytes: text.len(), limit: LIMIT });
        }
        let mut options = Self::default();
        let mut seen: Vec<&str> = Vec::new();
        for pair in Pair::all(text) {
            let is_list = matches!(pair.key, "root" | "include" | "exclude");
            if !is_list && seen.contains(&pair.key) {
                return Err(OptionsError::Twice(pair.key.to_owned()));
            }
            seen.push(pair.key);
            options.set(&pair)?;
        }
        if options.roots.iter().all(Selector::is_exclusion) {
            return Err(OptionsError::NoRoot);
        }
        if options.session.is_some() && options.out.is_some() {
            return Err(OptionsError::SessionAndOut);
        }
        Ok(options)
    }
}

impl AgentOptions {
    fn set(&mut self, pair: &Pair<'_>) -> Result<(), OptionsError> {
        match pair.key {
            "root" => self.roots.extend(pair.selectors()?),
            "scheme" => self.scheme = scheme(pair)?,
            "jdk-methods" => self.jdk_methods = pair.yes()?,
            "include" => self.include.extend(pair.selectors()?),
            "exclude" => self.exclude.extend(pair.selectors()?),
            "pin" => self.pin = pair.yes()?,
            "clock" => self.clock = clock(pair)?,
            "ring" => self.ring = Some(ring(pair)?),
            "calibrate" => self.calibrate = calibrate(pair)?,
            "session" => self.session = Some(pair.path()?),
            "out" => self.out = Some(pair.path()?),
            "force" => self.force = pair.yes()?,
            "all-timed" => self.all_timed = pair.yes()?,
            "verbose" => self.verbose = pair.yes()?,
            "jfathom" => self.jfathom = Some(pair.path()?),
            other => return Err(OptionsError::UnknownKey(other.to_owned())),
        }
        Ok(())
    }
}

fn scheme(pair: &Pair<'_>) -> Result<Scheme, OptionsError> {
    Scheme::from_name(&pair.text()?)
        .filter(|scheme| *scheme != Scheme::Static)
        .ok_or_else(|| pair.wrong("lazy, eager or total"))
}

fn clock(pair: &Pair<'_>) -> Result<ClockChoice, OptionsError> {
    ClockChoice::from_name(&pair.text()?).ok_or_else(|| pair.wrong("auto, tsc or nano"))
}

fn ring(pair: &Pair<'_>) -> Result<u32, OptionsError> {
    let text = pair.text()?.to_ascii_uppercase();
    let (digits, factor) = match (text.strip_suffix('K'), text.strip_suffix('M')) {
        (Some(digits), _) => (digits, 1 << 10),
        (_, Some(digits)) => (digits, 1 << 20),
        (None, None) => (text.as_str(), 1),
    };
    let bytes = digits.parse::<u32>().ok().and_then(|number| number.checked_mul(factor));
    bytes
        .filter(|bytes| bytes.is_power_of_two() && RING_BYTES.contains(bytes))
        .ok_or_else(|| pair.wrong("a power of two from 512 to 1024M, such as 64K or 4M"))
}

fn calibrate(pair: &Pair<'_>) -> Result<CalibrationPhases, OptionsError> {
    let mut phases = CalibrationPhases::default();
    for part in pair.list()? {
        match part.as_str() {
            "start" => phases.start = true,
            "end" => phases.end = true,
            "none" if phases == CalibrationPhases::default() => {}
            _ => return Err(pair.wrong("start;end, one of the two, or none")),
        }
    }
    Ok(phases)
}

#[cfg(test)]
mod tests;
