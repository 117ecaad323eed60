//! What the user wants, as the JVM hands it on: `key=value,key=value`.

mod text;

use jfathom_plan::Selector;
use jfathom_reachability::Scheme;
use std::path::PathBuf;
use text::Pair;

/// The options of one session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Which methods record what happens inside them; at least one without `!`.
    pub roots: Vec<Selector>,
    /// When callees are instrumented.
    pub scheme: LiveScheme,
    /// Whether methods of the JDK are instrumented too.
    pub jdk_methods: bool,
    /// What is instrumented; everything where empty.
    pub include: Vec<Selector>,
    /// What is left alone. Stronger than `include` and `roots`.
    pub exclude: Vec<Selector>,
    /// Whether methods are tied to their entry probes where that is possible.
    pub pin: bool,
    /// The clock that is asked for: `tsc` or `nano`; by itself the best there is.
    pub clock: Option<String>,
    /// Bytes of each thread's ring: a power of two from 512 to 1 GiB.
    pub ring: Option<u32>,
    /// When the probes are calibrated.
    pub calibrate: CalibrationPhases,
    /// The session's directory, where a collector waits.
    pub session: Option<PathBuf>,
    /// Where the profile goes, where the agent starts its collector itself.
    pub out: Option<PathBuf>,
    /// Whether an existing file of that name is replaced.
    pub force: bool,
    /// Whether empty methods, getters and setters are timed as all others, rather than counted.
    pub all_timed: bool,
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

impl LiveScheme {
    /// `lazy`, `eager` or `total`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Expand(Scheme::Lazy) => "lazy",
            Self::Expand(Scheme::Eager) => "eager",
            Self::Total => "total",
        }
    }
}

impl Default for LiveScheme {
    fn default() -> Self {
        Self::Expand(Scheme::Lazy)
    }
}

/// When the probes' cost is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CalibrationPhases {
    /// Before the first record.
    pub start: bool,
    /// After the last one.
    pub end: bool,
}

impl Default for CalibrationPhases {
    fn default() -> Self {
        Self { start: true, end: true }
    }
}

/// Why an option string is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionsError(String);

impl std::fmt::Display for OptionsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for OptionsError {}

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

/// What is longer is no option string: command lines and the attach protocol have shorter ones.
const LIMIT: usize = 1 << 20;

impl Options {
    /// Reads `key=value,key=value`. Values of lists are separated by `;`, and a key may come again
    /// to add to its list. `%` and two hex digits stand for a byte: `%2C` for a comma, `%3B`
    /// for a semicolon, `%25` for the percent sign. A key without a value means yes.
    ///
    /// # Errors
    /// An unknown key (the error lists all), a value that is not understood, no root.
    pub fn parse(text: &str) -> Result<Self, OptionsError> {
        if text.len() > LIMIT {
            return Err(OptionsError(format!(
                "the options have {} bytes; {LIMIT} are the most",
                text.len()
            )));
        }
        let mut options = Self::default();
        let mut seen: Vec<&str> = Vec::new();
        for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
            let pair = Pair::new(pair);
            let list = matches!(pair.key, "root" | "include" | "exclude");
            if !list && seen.contains(&pair.key) {
                return Err(OptionsError(format!("{} is given twice", pair.key)));
            }
            seen.push(pair.key);
            options.set(&pair)?;
        }
        if options.roots.iter().all(Selector::is_exclusion) {
            let problem = "no root is given; root=com.acme.Engine::run records what happens inside that method";
            return Err(OptionsError(problem.to_owned()));
        }
        if options.session.is_some() && options.out.is_some() {
            let problem = "session and out exclude each other: a session's collector knows where its profile goes";
            return Err(OptionsError(problem.to_owned()));
        }
        Ok(options)
    }

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
            other => {
                let keys = KEYS.join(", ");
                return Err(OptionsError(format!(
                    "there is no option ‘{other}’; there are {keys}"
                )));
            }
        }
        Ok(())
    }
}

fn scheme(pair: &Pair<'_>) -> Result<LiveScheme, OptionsError> {
    match pair.text()?.as_str() {
        "lazy" => Ok(LiveScheme::Expand(Scheme::Lazy)),
        "eager" => Ok(LiveScheme::Expand(Scheme::Eager)),
        "total" => Ok(LiveScheme::Total),
        _ => Err(pair.wrong("lazy, eager or total")),
    }
}

fn clock(pair: &Pair<'_>) -> Result<Option<String>, OptionsError> {
    match pair.text()?.as_str() {
        "auto" => Ok(None),
        clock @ ("tsc" | "nano") => Ok(Some(clock.to_owned())),
        _ => Err(pair.wrong("auto, tsc or nano")),
    }
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
        .filter(|bytes| bytes.is_power_of_two() && (512..=1 << 30).contains(bytes))
        .ok_or_else(|| pair.wrong("a power of two from 512 to 1024M, such as 64K or 4M"))
}

fn calibrate(pair: &Pair<'_>) -> Result<CalibrationPhases, OptionsError> {
    let mut when = CalibrationPhases { start: false, end: false };
    for part in pair.list()? {
        match part.as_str() {
            "start" => when.start = true,
            "end" => when.end = true,
            "none" if !when.start && !when.end => {}
            _ => return Err(pair.wrong("start;end, one of the two, or none")),
        }
    }
    Ok(when)
}

#[cfg(test)]
mod tests;
