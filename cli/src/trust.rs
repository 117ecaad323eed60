//! `jfathom trust`: a recording beside samples of uninstrumented runs.

mod uninstrumented;

use crate::{
    failure::{context, usage},
    messages, out,
    output::{is_stdout, to_file, to_new_file, to_output},
    profile_file::{OUTPUT, read},
};
use anyhow::{Result, anyhow};
use jfathom_calibration::correct_times;
use jfathom_files::output::Output;
use jfathom_jfr::Samples;
use jfathom_plan::printable;
use jfathom_profile::Profile;
use jfathom_report::{TrustView, trust_json, trust_text};
use jfathom_trust::measure;
use std::{
    ffi::OsString,
    fs::File,
    io::BufReader,
    path::{Path, PathBuf},
    process::ExitCode,
};
use uninstrumented::{Ended, sample};

/// Runs of the uninstrumented program.
const RUNS: u32 = 3;

/// Compare a profile's shares of time with samples of the uninstrumented program
///
/// Runs the program without probes under the JVM's JFR, or takes recordings of it, and
/// says of each method and call path with half a percent of the time or more whether its share is
/// confirmed, doubtful or distorted by probes. Also combines both: exact calls, and shares weighted
/// by their variances.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    jfathom trust profile.jfp --uninstrumented 'java -jar app.jar'\n  \
    jfathom trust profile.jfp --jfr plain.jfr --jfr again.jfr\n  \
    jfathom trust profile.jfp --jfr plain.jfr --json | jq '.trust.methods[0]'\n  \
    jfathom trust profile.jfp --jfr plain.jfr -o judged.jfp\n\n\
    Exit code: that of the uninstrumented program if it fails.")]
pub(crate) struct Args {
    /// The profile
    #[arg(value_name = "PROFILE", default_value = OUTPUT)]
    profile: PathBuf,
    /// The command of the uninstrumented program in one word, split as a shell does, without
    /// expansion: 'java -jar app.jar'. It keeps its streams, so its output stands before the result
    #[arg(long, value_name = "COMMAND", required_unless_present = "jfr", conflicts_with = "jfr")]
    uninstrumented: Option<OsString>,
    /// A JFR file of a run of the uninstrumented program; repeat for several runs
    #[arg(long, value_name = "FILE.jfr")]
    jfr: Vec<PathBuf>,
    /// Runs of the uninstrumented program
    #[arg(
        long,
        value_name = "N",
        default_value_t = RUNS,
        value_parser = clap::value_parser!(u32).range(1..=100),
        conflicts_with = "jfr"
    )]
    runs: u32,
    /// Methods and call paths in a list
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 20)]
    limit: usize,
    /// Write JSON (docs/reference/json.md)
    #[arg(long)]
    json: bool,
    /// Write the profile with the verdicts, which `report` and its page then show
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the output if it exists
    #[arg(short, long, requires = "output")]
    force: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    if let Some(output) = &args.output
        && !args.force
        && Output::find(output).is_ok_and(|output| output.replaces())
    {
        return Err(usage(format!("{}: exists; --force replaces it", output.display())));
    }
    let mut profile = read(&args.profile)?;
    let corrected = correct_times(&profile).ok_or_else(|| {
        anyhow!(
            "{}: its times are not corrected, as it has no calibration; record without \
             --tune calibrate=off",
            args.profile.display()
        )
    })?;
    let runs = match &args.uninstrumented {
        None => args.jfr.iter().map(|file| read_samples(file)).collect::<Result<Vec<_>>>()?,
        Some(command) => match sample(command, args.runs)? {
            Ended::Sampled(runs) => runs,
            Ended::Failed(exit) => {
                out::say(&format!("{exit}, so nothing is compared"));
                return Ok(ExitCode::from(exit.code()));
            }
        },
    };
    let unfinished: u64 = runs.iter().map(|run| run.unfinished_chunks).sum();
    if unfinished > 0 {
        out::say("warning: a recording was not ended, so its last samples may be missing");
    }
    let trust = measure(&profile, &corrected, &runs)
        .map_err(|error| anyhow!("{}: {error}", args.profile.display()))?;
    args.print(&profile, &trust)?;
    if let Some(output) = &args.output {
        profile.trust = Some(trust);
        let write = |out: &mut dyn std::io::Write| profile.write(out).map_err(Into::into);
        match args.force {
            true => to_file(output, write)?,
            false => to_new_file(output, write)?,
        }
        if !is_stdout(output) {
            messages::warn(&printable(&format!("{}: written", output.display())))?;
            messages::warn("\n")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn print(&self, profile: &Profile, trust: &jfathom_profile::Trust) -> Result<()> {
        // A profile on stdout stands alone.
        if self.output.as_deref().is_some_and(is_stdout) {
            return Ok(());
        }
        let view = TrustView { limit: self.limit, width: out::terminal_width() };
        to_output(None, |out| match self.json {
            true => trust_json(profile, trust, out),
            false => trust_text(profile, trust, view, out),
        })
    }
}

/// The samples of a JFR file.
fn read_samples(file: &Path) -> Result<Samples> {
    let opened = File::open(file).map_err(|error| context(error, file, "cannot open"))?;
    Samples::read(&mut BufReader::new(opened))
        .map_err(|error| anyhow!("{}: {error}", file.display()))
}
