//! The programs to which constants are fitted: each runs plain some times, and is recorded once.

use super::write_classes;
use crate::profile_file;
use anyhow::{Context, Result, bail};
use jfathom_calibration::FitProgram;
use jfathom_runtime_java::TOOL_FIT;
use jfathom_session::ClockChoice;
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

/// Uninstrumented runs of each program.
const PLAIN_RUNS: usize = 3;
/// A plain root is to take so long, in ns: several times as long as its compilation.
const AIM_NANOS: f64 = 4e8;
/// A plain root may take so much more or less.
const NEAR_AIM: std::ops::Range<f64> = 0.6..1.6;
/// The most runs that look for the number of rounds.
const SEARCHES: usize = 6;
/// The largest step from one number of rounds to the next.
const LARGEST_STEP: f64 = 30.0;

/// The programs, plain and rewritten.
pub(super) struct Programs<'a> {
    java: &'a Path,
    clock: ClockChoice,
    plain: PathBuf,
    rewritten: PathBuf,
    profile: PathBuf,
    run_words: &'a dyn Fn(Vec<OsString>) -> Result<ExitCode>,
}

impl<'a> Programs<'a> {
    pub(super) fn new(
        java: &'a Path,
        clock: ClockChoice,
        folder: &Path,
        run_words: &'a dyn Fn(Vec<OsString>) -> Result<ExitCode>,
    ) -> Result<Self> {
        let [plain, out, profile] = ["fit", "out", "fit.jfp"].map(|name| folder.join(name));
        let package = TOOL_FIT.trim_end_matches("Main");
        write_classes(&plain, package)?;
        let root = format!("{TOOL_FIT}::run");
        let words: [&std::ffi::OsStr; 8] = [
            "jfathom".as_ref(),
            "rewrite".as_ref(),
            "-q".as_ref(),
            "--root".as_ref(),
            root.as_ref(),
            plain.as_ref(),
            "-o".as_ref(),
            out.as_ref(),
        ];
        let mut words: Vec<OsString> = words.map(OsString::from).into();
        if let Some(home) = java.parent().and_then(Path::parent).filter(|home| home.is_dir()) {
            words.extend(["--java-home".into(), home.into()]);
        }
        if run_words(words)? != ExitCode::SUCCESS {
            bail!("{package}: cannot be rewritten");
        }
        Ok(Self { java, clock, rewritten: out.join("fit"), plain, profile, run_words })
    }

    /// Runs a program plain, records it once in between, and reads the profile.
    pub(super) fn measure(&self, program: u32, variant: u32) -> Result<FitProgram> {
        let words = |rounds: u64| [u64::from(program), u64::from(variant), rounds];
        let mut rounds: u64 = 100;
        for _ in 0..SEARCHES {
            let factor = AIM_NANOS / self.run_plain(words(rounds))?;
            if NEAR_AIM.contains(&factor) {
                break;
            }
            rounds = ((rounds as f64 * factor.min(LARGEST_STEP)).round() as u64).max(1);
        }
        let mut plain_nanos = vec![self.run_plain(words(rounds))?];
        self.record(words(rounds))?;
        for _ in 1..PLAIN_RUNS {
            plain_nanos.push(self.run_plain(words(rounds))?);
        }
        Ok(FitProgram { profile: profile_file::read(&self.profile)?, plain_nanos })
    }

    /// What the root took, in ns.
    fn run_plain(&self, numbers: [u64; 3]) -> Result<f64> {
        let mut command = Command::new(self.java);
        command.arg("-cp").arg(&self.plain).arg(TOOL_FIT);
        command.args(numbers.map(|number| number.to_string()));
        let named = || self.java.display().to_string();
        let output = command.output().with_context(named)?;
        let text = String::from_utf8_lossy(&output.stdout);
        let nanos = text.split_whitespace().next().and_then(|word| word.parse::<f64>().ok());
        match nanos.filter(|nanos| output.status.success() && *nanos > 0.0) {
            Some(nanos) => Ok(nanos),
            None => bail!("{}: {}: {text}", named(), output.status),
        }
    }

    fn record(&self, numbers: [u64; 3]) -> Result<()> {
        let mut words: Vec<OsString> =
            ["jfathom", "record", "-q", "--force", "--clock", self.clock.as_str(), "-o"]
                .map(OsString::from)
                .into();
        words.extend([self.profile.clone().into(), "--".into(), self.java.into()]);
        words.extend(["-cp".into(), self.rewritten.clone().into(), TOOL_FIT.into()]);
        words.extend(numbers.map(|number| OsString::from(number.to_string())));
        words.push("quiet".into());
        match (self.run_words)(words)? {
            ExitCode::SUCCESS => Ok(()),
            _ => bail!("{}: cannot be recorded", self.java.display()),
        }
    }
}
