//! `jfathom rewrite`: puts probes into jars, class directories and JDK modules ahead of time.

use crate::{
    check, java, messages,
    progress::ProgressBar,
    select::{ENVIRONMENT, SELECTORS, SelectionArgs},
    when::When,
};
use anyhow::Result;
use jfathom_instrument::{RewriteOutcome, RewriteRequest};
use jfathom_plan::MethodId;
use std::{path::PathBuf, process::ExitCode, time::Instant};

/// Put probes into jars, class directories or JDK modules
#[derive(Debug, clap::Args)]
#[command(visible_alias = "instrument", after_long_help = format!("{SELECTORS}\n{ENVIRONMENT}\n{EXAMPLES}"))]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) selection: SelectionArgs,
    /// The directory for the outputs
    ///
    /// Each keeps the file name of its input, with folders above it if several inputs have the same
    /// name.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// The first method id [default: the one after those in DIR]
    #[arg(hide_short_help = true, long, value_name = "N",
        value_parser = clap::value_parser!(u32).range(..=i64::from(MethodId::MAX.get())))]
    id_base: Option<u32>,
    /// Replace existing outputs in DIR
    #[arg(short, long)]
    force: bool,
    /// Compare outputs with their inputs, by readers that are not jfathom's
    ///
    /// Before they replace anything (docs/checking.md); auto: if CI is set.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, num_args = 0..=1,
        require_equals = true, default_missing_value = "always", overrides_with = "check")]
    check: When,
    /// Print only warnings and errors
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
    /// List everything that was skipped, with the reasons
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

const EXAMPLES: &str = "\
Examples:
  jfathom rewrite app.jar -o out
      all of app.jar; out/app.jar runs with plain `java -jar`
  jfathom rewrite app.jar lib/*.jar -o out --root 'com.acme.Engine::run'
      the methods that Engine.run can call, recorded only inside it; `jfathom plan` with the same
      arguments lists them, and says why
  jfathom rewrite lib/*.jar classes -o out --include 'com.acme.**' --include '!@Generated'
      a whole class path; only com.acme is instrumented
  jfathom rewrite jrt:/java.base --include 'java.util.**' -o out
      classes of the JDK, for `java --patch-module java.base=out/java.base`
  jfathom rewrite app.jar -o out --check
      compares out/app.jar with app.jar, by the crates zip and cafebabe, before it is put in place
  jfathom record -- java -jar out/app.jar
      runs the result and records it

Exit code: 0 success, 1 failure or a fault that --check finds, 2 wrong arguments or a selector
without a match";

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let start = Instant::now();
    let selection = args.selection.selection(&[])?;
    let request = RewriteRequest {
        selection: &selection,
        output: &args.output,
        id_base: args.id_base,
        force: args.force,
        check: check::is_wanted(args.check),
    };
    let rewriting = match jfathom_instrument::rewrite(&request, &ProgressBar::new(args.quiet))? {
        RewriteOutcome::Written(rewriting) => rewriting,
        RewriteOutcome::Faults(faults) => {
            return check::refuse(
                &faults,
                "nothing was replaced; please report it (--check=never writes what was rewritten all the same)",
            );
        }
    };
    if !args.quiet {
        let shown = messages::rewrite::Shown {
            selection: &selection,
            rewriting: &rewriting,
            output: &args.output,
            java: java::default_version(),
            verbose: args.verbose,
        };
        let text = messages::rewrite::summary(&shown, start.elapsed());
        messages::print(&text)?;
    }
    messages::warn(&messages::rewrite::warnings(&rewriting, args.verbose))?;
    Ok(ExitCode::SUCCESS)
}
