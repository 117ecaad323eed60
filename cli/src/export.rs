//! `jfathom export`: writes a profile in the format of another tool.

use crate::{
    failure::usage,
    out,
    output::{is_stdout, to_file},
    profile_file::read,
    scope::ScopeArgs,
};
use anyhow::Result;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use jfathom_export::{Format, export};
use jfathom_views::ThreadTrees;
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
    #[arg(long, value_parser = format_name(), value_name = "FORMAT")]
    to: Option<Format>,
    #[command(flatten)]
    scope: ScopeArgs,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    output: PathBuf,
}

/// The names of the formats.
fn format_name() -> impl TypedValueParser<Value = Format> {
    let names = Format::all().map(|(_, name, about)| PossibleValue::new(name).help(about));
    PossibleValuesParser::new(names.collect::<Vec<_>>())
        .try_map(|name| Format::from_name(&name).ok_or("no such format"))
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let format = args.format()?;
    if format.is_binary() && is_stdout(&args.output) && out::is_stdout_terminal() {
        return Err(usage("this format is bytes, not text: name a file with -o"));
    }
    let profile = read(&args.profile)?;
    let scope = args.scope.scope(&profile, ThreadTrees::Each)?;
    to_file(&args.output, |out| export(&profile, &scope, format, out))?;
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn format(&self) -> Result<Format> {
        if let Some(to) = self.to {
            return Ok(to);
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
