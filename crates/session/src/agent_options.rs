//! The agent's options: one type for those who write them and the agent that reads them.
//!
//! Their text is `key=value,key=value`, the part of `-agentpath:libjfathom.so=…` after the library.

mod error;
mod handover;
mod jfr_start;
mod text;

use crate::{CalibrationPhases, ClockChoice, Metrics, RingSize, RootSampling};
use jfathom_plan::{ProbeRules, RegionSelector, Scheme, Selector};
use std::{os::unix::ffi::OsStrExt, path::PathBuf};
use text::{Pair, escape};

pub use error::OptionsError;
pub use handover::session_of;
pub use jfr_start::{JfrStart, jfr_file_prefix};

/// The options of one live session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentOptions {
    /// The roots; at least one without `!`, unless there are regions.
    pub roots: Vec<Selector>,
    /// Regions, which are the roots if there are no others.
    pub regions: Vec<RegionSelector>,
    /// When callees get probes; never [`Scheme::Static`].
    pub scheme: Scheme,
    /// Whether methods of the JDK are instrumented too.
    pub include_jdk: bool,
    /// What is instrumented, and with `!` what is not, even if it is a root; everything where no
    /// selector selects.
    pub include: Vec<Selector>,
    /// The clock.
    pub clock: ClockChoice,
    /// The size of each thread's ring; none means the runtime's default.
    pub ring_size: Option<RingSize>,
    /// Which calls of roots are recorded; none means all.
    pub sample_roots: Option<RootSampling>,
    /// When the probes are calibrated.
    pub calibrate: CalibrationPhases,
    /// The session directory, where a collector waits.
    pub session: Option<PathBuf>,
    /// Where the profile goes, if the agent starts its collector itself.
    pub out: Option<PathBuf>,
    /// Whether the profile may replace a file.
    pub force: bool,
    /// What the probes of methods do. Without a rule trivial methods are counted, others timed.
    pub probes: ProbeRules,
    /// Whether trivial methods are timed, rather than counted.
    pub all_timed: bool,
    /// Whether the parked times of virtual threads are recorded.
    pub mounts: bool,
    /// What is recorded beside calls and times.
    pub metrics: Metrics,
    /// Whether the stacks of running threads are sampled.
    pub samples: bool,
    /// Whether more is printed.
    pub verbose: bool,
    /// The `jfathom` binary.
    pub jfathom: Option<PathBuf>,
}

impl Default for AgentOptions {
    fn default() -> Self {
        Self {
            roots: Vec::new(),
            regions: Vec::new(),
            scheme: Scheme::Lazy,
            include_jdk: false,
            include: Vec::new(),
            clock: ClockChoice::Auto,
            ring_size: None,
            sample_roots: None,
            calibrate: CalibrationPhases::BOTH,
            session: None,
            out: None,
            force: false,
            probes: ProbeRules::default(),
            all_timed: false,
            mounts: false,
            metrics: Metrics::default(),
            samples: true,
            verbose: false,
            jfathom: None,
        }
    }
}

/// All keys, in the order in which errors list them.
const KEYS: &[&str] = &[
    "root",
    "scheme",
    "include-jdk",
    "include",
    "region",
    "probe",
    "clock",
    "ring-size",
    "sample-roots",
    "calibrate",
    "session",
    "out",
    "force",
    "all-timed",
    "mounts",
    "metrics",
    "samples",
    "verbose",
    "jfathom",
];

/// The longest option text, in bytes; command lines and the attach protocol have shorter ones.
const LIMIT: usize = 1 << 20;

/// Writes the options as [`FromStr`](std::str::FromStr) reads them, the session first: a JVM that
/// fails to read the rest can still report that in the session directory.
impl std::fmt::Display for AgentOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let path = |key: &str, path: &Option<PathBuf>| {
            path.as_ref().map(|path| format!("{key}={}", escape(path.as_os_str().as_bytes())))
        };

        let flag = |key: &str, is_set: bool| is_set.then(|| key.to_owned());
        let phases = match self.calibrate.join(";") {
            none if none.is_empty() => "none".to_owned(),
            phases => phases,
        };
        let pairs = [
            path("session", &self.session),
            list("root", &self.roots),
            list("region", &self.regions),
            Some(format!("scheme={}", self.scheme)),
            flag("include-jdk", self.include_jdk),
            list("include", &self.include),
            list("probe", &self.probes.list),
            Some(format!("clock={}", self.clock)),
            self.ring_size.map(|size| format!("ring-size={size}")),
            self.sample_roots.map(|sampling| format!("sample-roots={sampling}")),
            Some(format!("calibrate={phases}")),
            path("out", &self.out),
            flag("force", self.force),
            flag("all-timed", self.all_timed),
            flag("mounts", self.mounts),
            (!self.metrics.is_empty()).then(|| format!("metrics={}", self.metrics.join(";"))),
            (!self.samples).then(|| "samples=off".to_owned()),
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
            let is_list = matches!(pair.key, "root" | "region" | "include" | "probe");
            let key = pair.key;
            if !is_list && seen.contains(&key) {
                return Err(OptionsError::Twice(pair.key.to_owned()));
            }
            seen.push(key);
            options.set(key, &pair)?;
        }
        if !options.has_given_root() && options.regions.is_empty() {
            return Err(OptionsError::NoRoot);
        }
        if options.session.is_some() && options.out.is_some() {
            return Err(OptionsError::SessionAndOut);
        }
        options.metrics = options.metrics.with_rules(&options.probes);
        if options.out.is_some() && !options.probes.stack_intervals().is_empty() {
            return Err(OptionsError::StacksAndOut);
        }
        Ok(options)
    }
}

impl AgentOptions {
    /// Whether a method is a root. Otherwise the regions are.
    pub fn has_given_root(&self) -> bool {
        self.roots.iter().any(|selector| !selector.is_exclusion())
    }

    /// The roots as the user wrote them.
    pub fn root_texts(&self) -> Vec<String> {
        let regions = self.regions.iter().filter(|_| !self.has_given_root());
        let roots = self.roots.iter().map(ToString::to_string);
        roots.chain(regions.map(ToString::to_string)).collect()
    }

    fn set(&mut self, key: &str, pair: &Pair<'_>) -> Result<(), OptionsError> {
        match key {
            "root" => self.roots.extend(pair.selectors()?),
            "region" => self.regions.extend(pair.selectors()?),
            "scheme" => self.scheme = scheme(pair)?,
            "include-jdk" => self.include_jdk = pair.yes()?,
            "include" => self.include.extend(pair.selectors()?),
            "probe" => self.probes.list.extend(pair.selectors()?),
            "clock" => self.clock = clock(pair)?,
            "ring-size" => self.ring_size = Some(ring_size(pair)?),
            "sample-roots" => self.sample_roots = Some(sample_roots(pair)?),
            "calibrate" => self.calibrate = calibrate(pair)?,
            "session" => self.session = Some(pair.path()?),
            "out" => self.out = Some(pair.path()?),
            "force" => self.force = pair.yes()?,
            "all-timed" => self.all_timed = pair.yes()?,
            "mounts" => self.mounts = pair.yes()?,
            "metrics" => self.metrics = metrics(pair)?,
            "samples" => self.samples = samples(pair)?,
            "verbose" => self.verbose = pair.yes()?,
            "jfathom" => self.jfathom = Some(pair.path()?),
            other => return Err(OptionsError::UnknownKey(other.to_owned())),
        }
        Ok(())
    }
}

/// `key=value;value`; none without values.
fn list<T: std::fmt::Display>(key: &str, values: &[T]) -> Option<String> {
    let values: Vec<String> =
        values.iter().map(|value| escape(value.to_string().as_bytes())).collect();
    (!values.is_empty()).then(|| format!("{key}={}", values.join(";")))
}

fn scheme(pair: &Pair<'_>) -> Result<Scheme, OptionsError> {
    Scheme::from_name(&pair.text()?)
        .filter(|scheme| *scheme != Scheme::Static)
        .ok_or_else(|| pair.wrong("lazy, eager or total"))
}

fn clock(pair: &Pair<'_>) -> Result<ClockChoice, OptionsError> {
    pair.text()?.parse().map_err(|_| pair.wrong(ClockChoice::FORM))
}

fn sample_roots(pair: &Pair<'_>) -> Result<RootSampling, OptionsError> {
    pair.text()?.parse().map_err(|_| pair.wrong("1/N or N/s"))
}

fn metrics(pair: &Pair<'_>) -> Result<Metrics, OptionsError> {
    let names = pair.list()?;
    let metrics = Metrics::from_names(names.iter().map(String::as_str)).ok();
    // The agent's own collector watches no switches.
    let metrics = metrics.map(|metrics| Metrics { thread_clock: metrics.cpu, ..metrics });
    // What no probe records the collector is asked for.
    let metrics = metrics.filter(|metrics| metrics.of_probes() == *metrics);
    metrics.ok_or_else(|| pair.wrong("alloc, cpu or caught"))
}

fn samples(pair: &Pair<'_>) -> Result<bool, OptionsError> {
    match &*pair.text()? {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(pair.wrong("on or off")),
    }
}

fn ring_size(pair: &Pair<'_>) -> Result<RingSize, OptionsError> {
    pair.text()?.parse().map_err(|_| pair.wrong(RingSize::FORM))
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
