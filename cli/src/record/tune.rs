//! `record --tune`: settings that few recordings need.

use super::slices::size;
use crate::when::When;
use anyhow::{Result, anyhow, bail};
use clap::builder::{OsStringValueParser, TypedValueParser};
use jfathom_session::{ClockChoice, RingSize};
use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

/// The smallest bound on a tree: a smaller one has hardly room for what is open.
const LEAST_MEMORY: u64 = 1 << 20;

/// The settings.
#[derive(Debug, clap::Args)]
pub(super) struct TuneArgs {
    /// Settings that few recordings need, such as clock=nano; repeat for several
    ///
    /// clock=nano|tsc|auto: the clock, `System.nanoTime`, the processor's counter, or the counter
    /// where it can be had (the default; before Java 25 nanoTime with --metrics samples, since JFR
    /// misses threads that read the counter). ring=SIZE: memory for the records of each thread, a
    /// power of two, with K or M. memory=SIZE: memory for the call tree of each JVM; before it
    /// takes more, call paths with little time are folded into one node of their caller, while
    /// calls and times by method stay exact (a quarter of the free memory by default).
    /// calibrate=off: no calibration in each JVM (0.2 s), and no correction of times.
    /// check=always|never: compare the class files of roots-only runs (--probe '**=off', --anchor)
    /// with their originals, by readers that are not jfathom's, before a run uses them (by default
    /// if CI is set; docs/checking.md). session=DIR: the directory shared by the JVMs and the
    /// collector (a new one in /dev/shm by default, else in the temporary directory).
    /// session-files=keep: they are kept.
    #[arg(hide_short_help = true, long, value_name = "NAME=VALUE",
        value_parser = OsStringValueParser::new().try_map(setting))]
    tune: Vec<Setting>,
}

/// One setting.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Setting {
    Clock(ClockChoice),
    Ring(RingSize),
    Memory(u64),
    Calibrate(bool),
    Check(When),
    Session(PathBuf),
    KeepsSession(bool),
}

fn setting(text: OsString) -> Result<Setting> {
    if let Some(directory) = text.as_bytes().strip_prefix(b"session=") {
        return Ok(Setting::Session(OsStr::from_bytes(directory).into()));
    }
    let text = text.to_str().and_then(|text| text.split_once('='));
    Ok(match text {
        Some(("clock", name)) => {
            let clock = name.parse::<ClockChoice>();
            Setting::Clock(clock.map_err(|_| anyhow!("the clock is {}", ClockChoice::FORM))?)
        }
        Some(("ring", size)) => Setting::Ring(size.parse()?),
        Some(("memory", bytes)) => match size(bytes).map_err(anyhow::Error::msg)? {
            bytes if bytes >= LEAST_MEMORY => Setting::Memory(bytes),
            _ => bail!("a tree takes 1M at least"),
        },
        Some(("calibrate", "on")) => Setting::Calibrate(true),
        Some(("calibrate", "off")) => Setting::Calibrate(false),
        Some(("check", "always")) => Setting::Check(When::Always),
        Some(("check", "never")) => Setting::Check(When::Never),
        Some(("session-files", "keep")) => Setting::KeepsSession(true),
        Some(("session-files", "remove")) => Setting::KeepsSession(false),
        _ => bail!(
            "the settings are clock=nano, ring=SIZE, memory=SIZE, calibrate=off, check=always, \
             session=DIR and session-files=keep"
        ),
    })
}

/// What the settings come to.
#[derive(Debug, Default)]
struct Tuning<'a> {
    clock: ClockChoice,
    ring_size: Option<RingSize>,
    max_memory: Option<u64>,
    is_uncalibrated: bool,
    check: When,
    session_dir: Option<&'a Path>,
    keeps_session: bool,
}

impl TuneArgs {
    /// The settings together; the last of a kind has precedence.
    fn all(&self) -> Tuning<'_> {
        let mut all = Tuning::default();
        for setting in &self.tune {
            match setting {
                Setting::Clock(clock) => all.clock = *clock,
                Setting::Ring(size) => all.ring_size = Some(*size),
                Setting::Memory(bytes) => all.max_memory = Some(*bytes),
                Setting::Calibrate(calibrate) => all.is_uncalibrated = !calibrate,
                Setting::Check(when) => all.check = *when,
                Setting::Session(directory) => all.session_dir = Some(directory),
                Setting::KeepsSession(keep) => all.keeps_session = *keep,
            }
        }
        all
    }

    /// The clock to use.
    pub(super) fn clock(&self) -> ClockChoice {
        self.all().clock
    }

    /// Memory for the records of each thread.
    pub(super) fn ring_size(&self) -> Option<RingSize> {
        self.all().ring_size
    }

    /// Memory for the tree of each JVM, in bytes.
    pub(super) fn max_memory(&self) -> Option<u64> {
        self.all().max_memory
    }

    /// Whether each JVM is calibrated.
    pub(super) fn calibrates(&self) -> bool {
        !self.all().is_uncalibrated
    }

    /// Whether the class files of roots-only runs are read back.
    pub(super) fn check(&self) -> When {
        self.all().check
    }

    /// The session directory that was asked for.
    pub(super) fn session_dir(&self) -> Option<&Path> {
        self.all().session_dir
    }

    /// Whether the session directory stays.
    pub(super) fn keeps_session(&self) -> bool {
        self.all().keeps_session
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Setting> {
        setting(text.into())
    }

    #[test]
    fn settings_have_a_name_and_a_value() {
        for (text, expected) in [
            ("clock=nano", Setting::Clock(ClockChoice::Nano)),
            ("memory=2M", Setting::Memory(2 << 20)),
            ("calibrate=off", Setting::Calibrate(false)),
            ("session=a,b=c", Setting::Session("a,b=c".into())),
            ("session-files=keep", Setting::KeepsSession(true)),
        ] {
            assert_eq!(read(text).unwrap(), expected, "{text}");
        }
        for (text, why) in [
            ("clock=sun", "auto, nano or tsc"),
            ("memory=1K", "1M at least"),
            ("memory=x", "expected a size"),
            ("ring=3K", "power of two"),
            ("calibrate", "calibrate=off"),
            ("sesion=x", "session=DIR"),
        ] {
            let refused = read(text).unwrap_err().to_string();
            assert!(refused.contains(why), "{text}: {refused}");
        }
    }

    #[test]
    fn the_last_one_has_precedence() {
        let tune = ["calibrate=off", "calibrate=on", "clock=tsc"].map(|text| read(text).unwrap());
        let args = TuneArgs { tune: tune.into() };
        assert!(args.calibrates());
        assert_eq!(args.clock(), ClockChoice::Tsc);
        assert_eq!(args.session_dir(), None);
    }
}
