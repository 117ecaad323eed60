//! `jfathom export`: writes a profile in the format of another tool.

use crate::{
    failure::usage,
    out,
    output::{is_stdout, to_file},
    profile_file::read,
    scope::ScopeArgs,
};
use anyhow::Result;
use jfathom_export::{Format, export};
use jfathom_report::{ThreadTrees, View};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Write a profile in the format of another tool: pprof, speedscope, Firefox, JFR, Callgrind …
///
/// Self times and exact calls of all call paths. docs/reference/exports.md says what each format
/// carries, and which readers opened it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    jfathom export profile.jfp -o profile.pb.gz\n  \
    jfathom export profile.jfp --to firefox --thread main -o profile.json\n  \
    jfathom export profile.jfp --focus 'com.acme.Engine::run' -o callgrind.out.run\n  \
    jfathom export profile.jfp --to markdown")]
pub(crate) struct Args {
    /// A profile, or the session directory that a killed `record` left
    #[arg(value_name = "FILE|DIR", default_value = "profile.jfp")]
    profile: PathBuf,
    /// The format [default: by the end of the output's name]
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Option<To>,
    #[command(flatten)]
    scope: ScopeArgs,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    output: PathBuf,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum To {
    /// A line for each call path: `a;b;c 123` (.folded)
    Collapsed,
    /// pprof, and what reads its files (.pb.gz)
    Pprof,
    /// speedscope.app (.speedscope.json)
    Speedscope,
    /// profiler.firefox.com (.firefox.json)
    Firefox,
    /// The JDK's JFR, events `jfathom.Context` (.jfr)
    Jfr,
    /// Callgrind, with calls for each edge (callgrind.out*, .callgrind)
    Callgrind,
    /// OpenTelemetry's profiles, opentelemetry-proto 1.10.0 (.otlp)
    Otlp,
    /// A table of all call paths (.csv)
    Csv,
    /// Ten lines for a pull request (.md)
    Markdown,
}

impl From<To> for Format {
    fn from(to: To) -> Self {
        match to {
            To::Collapsed => Self::Collapsed,
            To::Pprof => Self::Pprof,
            To::Speedscope => Self::Speedscope,
            To::Firefox => Self::Firefox,
            To::Jfr => Self::Jfr,
            To::Callgrind => Self::Callgrind,
            To::Otlp => Self::Otlp,
            To::Csv => Self::Csv,
            To::Markdown => Self::Markdown,
        }
    }
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let format = args.format()?;
    if format.is_binary() && is_stdout(&args.output) && out::is_stdout_terminal() {
        return Err(usage("this format is bytes, not text: name a file with -o"));
    }
    let profile = read(&args.profile)?;
    let scope = args.scope.scope(&profile, ThreadTrees::Each)?;
    let view = View { scope, raw: args.scope.raw, ..View::default() };
    to_file(&args.output, |out| export(&profile, &view, format, out))?;
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn format(&self) -> Result<Format> {
        if let Some(to) = self.to {
            return Ok(to.into());
        }
        let name = self.output.file_name().unwrap_or_default().to_string_lossy();
        Format::from_file_name(&name).ok_or_else(|| no_format(&self.output))
    }
}

fn no_format(output: &Path) -> anyhow::Error {
    usage(match is_stdout(output) {
        true => "which format? Name it with --to, or a file with -o".to_owned(),
        false => format!("{}: no format has this end; name one with --to", output.display()),
    })
}
