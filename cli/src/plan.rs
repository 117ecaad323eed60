//! `jfathom plan`: the dry run. It selects as `rewrite` does, rewrites in memory, says what came of
//! it, and writes nothing.

mod chain;
mod dot;
mod json;
mod report;

pub(crate) use chain::{PathAnswer, PathLink};
pub(crate) use report::{InputRow, PlanReason, Planned, Report, WalkFacts};

use crate::{
    failure::{context, usage},
    messages,
    progress::ProgressBar,
    report::{is_stdout, to_output},
    select::{self, SELECTORS, Selection, Source},
};
use anyhow::Result;
use jfathom_plan::Selector;
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

/// Say what `rewrite` with the same arguments would instrument, and why; nothing is written
#[derive(Debug, clap::Args)]
#[command(after_long_help = format!("{SELECTORS}\n{EXAMPLES}"))]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) selection: Selection,
    /// Show the shortest way from the root to the methods that SELECTOR selects; repeat for more
    #[arg(long, value_name = "SELECTOR", requires = "root")]
    pub(crate) why: Vec<Selector>,
    /// Write JSON (docs/plan-json.md) to stdout or FILE
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    json: Option<PathBuf>,
    /// Write the graph of what is instrumented, in Graphviz's language, to stdout or FILE
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-", requires = "root")]
    dot: Option<PathBuf>,
    /// Print warnings and errors only, and the answers to --why
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
    /// List everything: packages, inputs, what is left alone, what is nowhere
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

const EXAMPLES: &str = "\
Examples:
  jfathom plan app.jar lib/*.jar --root 'com.acme.Engine::run'
      what Engine.run can call: counted by package, by reason and by jar
  jfathom plan app.jar lib/*.jar --root 'com.acme.Engine::run' --why 'com.acme.util.Cache::get'
      the shortest chain of calls from Engine.run to Cache.get
  jfathom plan app.jar lib/*.jar --root 'com.acme.Engine::run' --entry 'com.acme.Main::main'
      less, where it is known that all begins in Main.main
  jfathom plan app.jar --root 'com.acme.Engine::run' --json | jq -r '.methods[] | .class + \"::\" + .name'
      each method
  jfathom plan app.jar --root 'com.acme.Engine::run' --dot=plan.dot && dot -Tsvg plan.dot -o plan.svg
      the graph as a picture

Exit code: 0 fine, 1 failed, 2 wrong arguments (also a selector that matches nothing)";

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let start = Instant::now();
    args.check()?;
    select::select(
        &args.selection,
        None,
        args.quiet,
        |_| 0,
        |mut selected| {
            let bar = ProgressBar::new(
                "trying   ",
                select::entries(selected.sources.iter().copied()),
                args.quiet,
            );
            let report = report::gather(args, &mut selected, &bar, start)?;
            drop(bar);
            if let Some(path) = &args.json {
                let text = json::write(&report)?;
                write(path, &text, &selected.sources)?;
            }
            if let (Some(path), Some(walk)) = (&args.dot, &selected.walk) {
                write(path, &dot::write(&report, walk), &selected.sources)?;
            }
            if ![&args.json, &args.dot].into_iter().flatten().any(|path| is_stdout(path)) {
                let text = if args.quiet {
                    String::new()
                } else {
                    messages::plan::summary(&report, args.verbose)
                };
                messages::print(&(text + &messages::plan::ways(&report)))?;
            }
            messages::warn(&messages::plan::warnings(&report, args.verbose))?;
            Ok(ExitCode::SUCCESS)
        },
    )
}

fn write(path: &Path, text: &str, sources: &[&Source]) -> Result<()> {
    if is_stdout(path) {
        return messages::print(text);
    }
    if path.canonicalize().is_ok_and(|path| sources.iter().any(|source| source.origin == path)) {
        return Err(usage(format!("{}: is an input", path.display())));
    }
    if path.is_dir() {
        return Err(usage(format!("{}: is a directory; name a file", path.display())));
    }
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    if let Some(parent) = parent.filter(|parent| !parent.is_dir()) {
        return Err(context(std::io::ErrorKind::NotFound.into(), parent, "cannot write there"));
    }
    to_output(Some(path), |out| out.write_all(text.as_bytes()))
}

impl Args {
    fn check(&self) -> Result<()> {
        let both =
            [&self.json, &self.dot].into_iter().flatten().filter(|path| is_stdout(path)).count()
                > 1;
        if both {
            return Err(usage(
                "--json and --dot cannot both go to stdout; name a file: --dot=FILE",
            ));
        }
        let given = [("--why", !self.why.is_empty()), ("--dot", self.dot.is_some())];
        match given.iter().find(|it| it.1 && !self.selection.walks()) {
            Some((option, _)) => Err(usage(format!(
                "--policy total takes everything, so that there is no graph for {option}; leave one out"
            ))),
            None => Ok(()),
        }
    }
}
