//! `jfathom export`: writes a profile in the format of another tool.

mod tables;

use crate::{
    failure::{nothing_in, usage},
    out,
    output::{is_stdout, to_file},
    profile_file::read,
    scope::ScopeArgs,
};
use anyhow::Result;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use jfathom_export::{Format, WALKS_FORMATS, export, export_walks};
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
    jfathom export profile.jfp --to firefox --filter thread=main -o profile.json\n  \
    jfathom export profile.jfp --filter focus=com.acme.Engine::run -o callgrind.out.run\n  \
    jfathom export profile.jfp --to markdown\n  \
    jfathom export --walks profile.jfp -o callers.pb.gz\n  \
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
    /// Write the walked stacks (`record --probe 'METHOD=time+stack/101'`) instead of the call tree:
    /// who calls these methods (pprof, speedscope, collapsed, csv)
    #[arg(long, conflicts_with = "partition")]
    walks: bool,
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
        .help("Tables for SQL: a file in the folder of each table (a directory)");
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
        Target::Tables if args.walks => {
            return Err(usage("--walks: tables have the walked stacks beside all others"));
        }
        Target::Tables => return export_tables(args),
        Target::File(format) => format,
    };
    if !args.partition.is_empty() {
        return Err(usage("--partition: only tables have folders (--to parquet)"));
    }
    if format.is_binary() && is_stdout(&args.output) && out::is_stdout_terminal() {
        return Err(usage("this format is bytes, not text: name a file with -o"));
    }
    if args.walks {
        return export_walked(args, format);
    }
    if format == Format::Perfetto && args.scope.is_part() {
        return Err(usage("--to perfetto: slow calls are those of all threads and call paths"));
    }
    let profile = read(&args.profile)?;
    let scope = args.scope.scope(&profile, ThreadTrees::Each)?;
    let exported = to_file(&args.output, |out| export(&profile, &scope, format, out));
    exported.map_err(|error| nothing_in(&args.profile, error))?;
    Ok(ExitCode::SUCCESS)
}

fn export_walked(args: &Args, format: Format) -> Result<ExitCode> {
    if !WALKS_FORMATS.contains(&format) {
        let names = Format::all().filter(|(of, _, _)| WALKS_FORMATS.contains(of));
        let names: Vec<&str> = names.map(|(_, name, _)| name).collect();
        return Err(usage(format!("--walks: formats with stacks are {}", names.join(", "))));
    }
    if args.scope.is_part() || args.scope.is_raw() {
        return Err(usage(
            "--walks: walked stacks are those of all threads and call paths, and have no times",
        ));
    }
    let profile = read(&args.profile)?;
    let exported = to_file(&args.output, |out| export_walks(&profile, format, out));
    exported.map_err(|error| nothing_in(&args.profile, error))?;
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
