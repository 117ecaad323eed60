//! `jfathom export`: writes a profile in the format of another tool.

mod tables;

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
    jfathom export profile.jfp --to markdown\n  \
    jfathom export profile.jfp --to parquet -o tables")]
pub(crate) struct Args {
    /// A profile, or the session directory that a killed `record` left
    #[arg(value_name = "FILE|DIR", default_value = "profile.jfp")]
    profile: PathBuf,
    /// The format [default: by the end of the output's name]
    #[arg(long, value_parser = target_name(), value_name = "FORMAT")]
    to: Option<Target>,
    /// Folders of each table, by `day` or a label: day=2026-11-25/branch=main
    #[arg(long, value_name = "KEY,KEY", value_delimiter = ',', value_parser = tables::partition_key)]
    partition: Vec<String>,
    #[command(flatten)]
    scope: ScopeArgs,
    /// Write to a file instead of stdout; a directory of tables for parquet
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    output: PathBuf,
}

/// What a profile is exported to.
#[derive(Clone, Copy, Debug)]
enum Target {
    /// One file.
    File(Format),
    /// A directory of tables.
    Tables,
}

/// The names of the formats.
fn target_name() -> impl TypedValueParser<Value = Target> {
    let names = Format::all().map(|(_, name, about)| PossibleValue::new(name).help(about));
    let tables = PossibleValue::new(tables::NAME)
        .help("Tables for SQL: a file in each of six folders (a directory)");
    PossibleValuesParser::new(names.chain([tables]).collect::<Vec<_>>()).try_map(|name| {
        match Format::from_name(&name) {
            Some(format) => Ok(Target::File(format)),
            None if name == tables::NAME => Ok(Target::Tables),
            None => Err("no such format"),
        }
    })
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let format = match args.target()? {
        Target::Tables => return export_tables(args),
        Target::File(format) => format,
    };
    if !args.partition.is_empty() {
        return Err(usage("--partition: only tables have folders (--to parquet)"));
    }
    if format.is_binary() && is_stdout(&args.output) && out::is_stdout_terminal() {
        return Err(usage("this format is bytes, not text: name a file with -o"));
    }
    let profile = read(&args.profile)?;
    let scope = args.scope.scope(&profile, ThreadTrees::Each)?;
    to_file(&args.output, |out| export(&profile, &scope, format, out))?;
    Ok(ExitCode::SUCCESS)
}

fn export_tables(args: &Args) -> Result<ExitCode> {
    if args.scope.is_part() {
        return Err(usage(
            "--to parquet: tables have all threads and call paths; choose in the query",
        ));
    }
    let profile = read(&args.profile)?;
    tables::write(&profile, args.scope.is_raw(), &args.partition, &args.output)?;
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn target(&self) -> Result<Target> {
        if let Some(to) = self.to {
            return Ok(to);
        }
        let name = self.output.file_name().unwrap_or_default().to_string_lossy();
        Format::from_file_name(&name).map(Target::File).ok_or_else(|| no_format(&self.output))
    }
}

fn no_format(output: &Path) -> anyhow::Error {
    usage(match is_stdout(output) {
        true => "which format? Name it with --to, or a file with -o".to_owned(),
        false => format!("{}: no format has this end; name one with --to", output.display()),
    })
}
