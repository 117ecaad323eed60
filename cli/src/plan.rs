//! `jfathom plan`: the dry run of `rewrite`.

use crate::{
    failure::{context, usage},
    messages,
    output::{is_stdout, to_output},
    progress::ProgressBar,
    select::{ENVIRONMENT, SELECTORS, SelectionArgs},
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
#[command(after_long_help = format!("{SELECTORS}\n{ENVIRONMENT}\n{EXAMPLES}"))]
pub(crate) struct Args {
    #[command(flatten)]
    selection: SelectionArgs,
    /// Show the shortest call path from a root to the methods that SELECTOR selects, and nothing
    /// else; repeat for more
    #[arg(long, value_name = "SELECTOR", requires = "root")]
    why: Vec<Selector>,
    /// Write JSON (docs/reference/json.md)
    #[arg(long)]
    json: bool,
    /// Write to a file instead of stdout; to FILE.dot the graph of the instrumented methods, in
    /// Graphviz's language
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
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
  jfathom plan app.jar --root 'com.acme.Engine::run' -o plan.dot && dot -Tsvg plan.dot -o plan.svg
      the call graph as a picture

Exit code: 0 success, 1 failure, 2 wrong arguments or a selector without a match";

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let start = Instant::now();
    if args.is_graph() && !args.selection.has_root() {
        return Err(usage("-o FILE.dot: a call graph needs --root"));
    }
    let graph_options = [("--why", !args.why.is_empty()), ("-o FILE.dot", args.is_graph())];
    let selection = args.selection.selection(&graph_options)?;
    let request = PlanRequest {
        selection: &selection,
        why: &args.why,
        graph: args.is_graph(),
        verbose: args.verbose,
    };
    let answers_alone = !args.why.is_empty() && !args.verbose;
    let outcome = jfathom_instrument::plan(&request, &ProgressBar::new(answers_alone))?;
    write(args.output.as_deref(), &outcome.sources, |out| {
        if args.json {
            return outcome.write_json(out);
        }
        if let Some(graph) = &outcome.dot {
            return out.write_all(graph.as_bytes());
        }
        if !answers_alone {
            let plan = messages::plan::view(&outcome);
            plan_text(&plan, args.verbose, start.elapsed(), out)?;
        }
        let call_graph = outcome.selection.call_graph().unwrap_or_default();
        why_text(messages::plan::answers(&outcome), call_graph, args.verbose, out)
    })?;
    messages::warn(&messages::plan::warnings(&outcome, args.verbose))?;
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn is_graph(&self) -> bool {
        let ending = self.output.as_deref().and_then(Path::extension);
        !self.json && ending.is_some_and(|ending| ending == "dot")
    }
}

/// Writes to a file, or to stdout, in pieces of any size.
fn write(
    path: Option<&Path>,
    sources: &[PathBuf],
    text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let buffered = |out: &mut dyn Write| {
        let mut out = BufWriter::with_capacity(1 << 16, out);
        text(&mut out)?;
        out.flush()
    };
    let Some(path) = path.filter(|path| !is_stdout(path)) else {
        return to_output(None, buffered);
    };
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
