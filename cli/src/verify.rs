//! `jfathom verify`: compares outputs with their originals, by readers that are not ours and then
//! by a JVM's verifier.

use crate::{check, messages};
use anyhow::Result;
use jfathom_instrument::{Faults, LinkChange, Verification, VerifyRequest};
use std::{ffi::OsString, path::PathBuf, process::ExitCode};

/// Compare outputs with their originals, then link every class of both in a JVM, and list the
/// differences
#[derive(Debug, clap::Args)]
#[command(after_long_help = "\
First the output is read back by readers that are not jfathom's, without a JVM, and compared with the original except for
the probes (docs/checking.md). Then every class is loaded and linked under -Xverify:all. None is initialised, so that no
code of the program runs. The JVM is that of JAVA_HOME, else that of `java`. A class that does not link even in the original, because a library is missing, is no fault.

Examples:
  jfathom verify out/app.jar
  jfathom verify out                          all that `jfathom rewrite -o out` wrote, on one class path
  JAVA_HOME=/usr/lib/jvm/temurin-25-jdk-amd64 jfathom verify out/app.jar app.jar -cp 'lib/*'

Exit code: 0 all classes link as before, 1 some link worse, or the output is not the original with probes")]
pub(crate) struct Args {
    /// A rewritten jar, class directory or module patch, or the directory of `jfathom rewrite -o`
    #[arg(value_name = "OUT")]
    path: PathBuf,
    /// The original [default: the one that `rewrite` read]
    #[arg(value_name = "ORIGINAL")]
    plain: Option<PathBuf>,
    /// Further entries of the class path, for libraries that the classes need (also -cp)
    #[arg(long = "class-path", visible_alias = "cp", value_name = "PATH")]
    class_path: Option<OsString>,
    /// List all classes that do not link, also those that do not link in the original
    #[arg(short, long)]
    verbose: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let request = VerifyRequest {
        path: args.path.clone(),
        original: args.plain.clone(),
        class_path: args.class_path.clone(),
    };
    let verification = Verification::open(&request)?;
    let outputs = verification.read_back()?;
    let faults = Faults::of(&outputs);
    let mut text = check::summary(&outputs, args.verbose);
    if let Some(faults) = &faults {
        text += &format!("{faults}\n");
    }
    messages::print(&text)?;
    let linking = verification.link()?;
    messages::print(&messages::verify::text(&linking, args.verbose))?;
    let is_worse = linking.classes().any(|class| class.change == LinkChange::Worse);
    Ok(if is_worse || faults.is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
