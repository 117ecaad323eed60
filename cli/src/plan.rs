//! `jfathom plan`: the dry run of `rewrite`.

use crate::{
    failure::{context, usage},
    messages,
    output::{is_stdout, to_output},
    progress::ProgressBar,
    select::{SELECTORS, SelectionArgs},
};
use anyhow::Result;
use jfathom_instrument::PlanRequest;
use jfathom_plan::Selector;
use jfathom_report::{plan_text, why_text};
use std::{
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

/// Show what `rewrite` with the same arguments would instrument, and why; nothing is written
#[derive(Debug, clap::Args)]
#[command(after_long_help = format!("{SELECTORS}\n{EXAMPLES}"))]
pub(crate) struct Args {
    #[command(flatten)]
    selection: SelectionArgs,
    /// Show the shortest call path from a root to the methods that SELECTOR selects; repeat for
    /// more
    #[arg(long, value_name = "SELECTOR", requires = "root")]
    why: Vec<Selector>,
    /// Write JSON (docs/plan-json.md)
    #[arg(long)]
    json: bool,
    /// Write the JSON to a file instead of stdout
    #[arg(short, long, value_name = "FILE", requires = "json")]
    output: Option<PathBuf>,
    /// Write the graph of the instrumented methods, in Graphviz's language, to stdout or FILE
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-", requires = "root")]
    dot: Option<PathBuf>,
    /// Print only warnings, errors and the answers to --why
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
    /// List everything: packages, inputs, skipped methods, missing classes
    #[arg(short, long)]
    verbose: bool,
}

const EXAMPLES: &str = "\
Examples:
  jfathom plan app.jar lib/*.jar --root 'com.acme.Engine::run'
      the methods that Engine.run can call, by package, by reason and by jar
  jfathom plan app.jar lib/*.jar --root 'com.acme.Engine::run' --why 'com.acme.util.Cache::get'
      the shortest call path from Engine.run to Cache.get
  jfathom plan app.jar lib/*.jar --root 'com.acme.Engine::run' --entry-point 'com.acme.Main::main'
      fewer methods, if the program starts in Main.main
  jfathom plan app.jar --root 'com.acme.Engine::run' --json | jq -r '.methods[] | .class + \"::\" + .name'
      each method
  jfathom plan app.jar --root 'com.acme.Engine::run' --dot=plan.dot && dot -Tsvg plan.dot -o plan.svg
      the call graph as a picture

Exit code: 0 success, 1 failure, 2 wrong arguments or a selector without a match";

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let start = Instant::now();
    args.check_outputs()?;
    let graph_options = [("--why", !args.why.is_empty()), ("--dot", args.dot.is_some())];
    let selection = args.selection.selection(&graph_options)?;
    let request = PlanRequest {
        selection: &selection,
        why: &args.why,
        graph: args.dot.is_some(),
        verbose: args.verbose,
    };
    let outcome = jfathom_instrument::plan(&request, &ProgressBar::new(args.quiet))?;
    if let (Some(path), Some(graph)) = (&args.dot, &outcome.dot) {
        write(path, &outcome.sources, |out| out.write_all(graph.as_bytes()))?;
    }
    let json = args.json_output();
    if let Some(path) = json {
        write(path, &outcome.sources, |out| outcome.write_json(out))?;
    }
    // A document on stdout stands alone.
    if ![json, args.dot.as_deref()].into_iter().flatten().any(is_stdout) {
        let call_graph = outcome.selection.call_graph().unwrap_or_default();
        to_output(None, |out| {
            if !args.quiet {
                let plan = messages::plan::view(&outcome);
                plan_text(&plan, args.verbose, start.elapsed(), out)?;
            }
            why_text(messages::plan::answers(&outcome), call_graph, args.verbose, out)
        })?;
    }
    messages::warn(&messages::plan::warnings(&outcome, args.verbose))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a document, in pieces of any size.
fn write(
    path: &Path,
    sources: &[PathBuf],
    text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let buffered = |out: &mut dyn Write| {
        let mut out = BufWriter::with_capacity(1 << 16, out);
        text(&mut out)?;
        out.flush()
    };
    if is_stdout(path) {
        return to_output(None, buffered);
    }
    if path.canonicalize().is_ok_and(|path| sources.contains(&path)) {
        return Err(usage(format!("{}: is an input", path.display())));
    }
    if path.is_dir() {
        return Err(usage(format!("{}: is a directory; name a file", path.display())));
    }
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    if let Some(parent) = parent.filter(|parent| !parent.is_dir()) {
        return Err(context(std::io::ErrorKind::NotFound.into(), parent, "cannot write there"));
    }
    to_output(Some(path), buffered)
}

impl Args {
    /// Where the JSON goes, if it is requested.
    fn json_output(&self) -> Option<&Path> {
        let output = self.output.as_deref().unwrap_or(Path::new("-"));
        self.json.then_some(output)
    }

    fn check_outputs(&self) -> Result<()> {
        let outputs = [self.json_output(), self.dot.as_deref()];
        if outputs.into_iter().flatten().filter(|path| is_stdout(path)).count() > 1 {
            return Err(usage(
                "--json and --dot cannot both go to stdout; name a file: --dot=FILE or -o FILE",
            ));
        }
        Ok(())
    }
}
