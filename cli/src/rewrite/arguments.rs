//! The arguments of `rewrite`.

use crate::{
    check,
    select::{SELECTORS, Selection},
};
use jfathom_plan::MethodId;
use std::path::PathBuf;

/// Put probes into jars, class directories or JDK modules
#[derive(Debug, clap::Args)]
#[command(after_long_help = format!("{SELECTORS}\n{EXAMPLES}"))]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) selection: Selection,
    /// The directory for what is rewritten; each input keeps its file name there, or more of its
    /// path where others have the same
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// The first method id; by default the ids go on behind those in DIR
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=i64::from(MethodId::MAX.get())))]
    pub(crate) id_base: Option<u32>,
    /// Replace what an earlier run left in DIR
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) check: check::Wanted,
    /// Print warnings and errors only
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// List all that was left alone, with the reasons
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

const EXAMPLES: &str = "\
Examples:
  jfathom rewrite app.jar -o out
      everything in app.jar; out/app.jar runs with plain `java -jar`
  jfathom rewrite app.jar lib/*.jar -o out --root 'com.acme.Engine::run'
      what Engine.run can call, wherever it lies, and records only what happens inside it;
      `jfathom plan` with the same arguments says what that is, and why
  jfathom rewrite lib/*.jar classes -o out --include 'com.acme.**' --exclude '@Generated'
      a whole class path, of which only com.acme is instrumented
  jfathom rewrite --module java.base --include 'java.util.**' -o out
      classes of the JDK, for `java --patch-module java.base=out/java.base`
  jfathom rewrite app.jar -o out --check
      and holds out/app.jar against app.jar, by the crates zip and cafebabe, before it takes its place
  jfathom record -- java -jar out/app.jar
      then: run it and record

Exit code: 0 fine, 1 failed (also a fault that the check finds), 2 wrong arguments (also a selector that matches nothing)";
