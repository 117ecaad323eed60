//! `jfathom report`: shows a profile.

mod list;
mod slices;

use crate::{
    failure::{nothing_in, usage},
    out,
    output::{to_file, to_terminal},
    profile_file::{OUTPUT, read},
    running::{Running, profile_so_far},
    scope::ScopeArgs,
    sort::SortBy,
};
use anyhow::Result;
use jfathom_compare::{MethodSet, UnmatchedSelector};
use jfathom_export::collapsed;
use jfathom_page::profile_page;
use jfathom_plan::{Problem, Selector};
use jfathom_profile::Profile;
use jfathom_report::{FlameOrder, Section, View, flame, json, list_json, list_text, summary, text};
use jfathom_views::{Limits, Nothing, Pruned, Scope, Shown, Sort, StackWeight, ThreadTrees};
use list::ListArgs;
use slices::SpanArgs;
use std::{
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Show a profile: call tree, hot methods, threads, or as page, JSON, collapsed stacks, flame graph
///
/// Without a choice of sections, shows the roots' times and calls, the ten hottest methods and the
/// call tree down to 1 % of the total time. Repairs and losses always come first. Text on a
/// terminal is coloured unless NO_COLOR is set; with CLICOLOR_FORCE=1 any text is.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    jfathom report profile.jfp\n  \
    jfathom report --view tree --threshold 0.1 --filter thread=main profile.jfp\n  \
    jfathom report --view methods --sort total --limit 50 profile.jfp\n  \
    jfathom report profile.jfp -o out.html\n  \
    jfathom report --view callees --filter focus=com.acme.Dao::find profile.jfp\n  \
    jfathom report --list 'com.acme.Dao::find' --source-path src/main/java \\\n      \
      --class-path app.jar profile.jfp\n  \
    jfathom report --view latency --root 'com.acme.Dao::find' profile.jfp\n  \
    jfathom report profile.jfp -o out.svg\n  \
    jfathom report --json profile.jfp | jq .quality\n  \
    jfathom report p-*.jfp --span +1h..+1h5m\n  \
    jfathom report --live 4711")]
pub(crate) struct Args {
    /// A profile, or the session directory that a killed `record` left; several slices of a
    /// recording (`record --every`) are shown as one
    #[arg(value_name = "FILE|DIR", default_value = OUTPUT)]
    profile: Vec<PathBuf>,
    #[command(flatten)]
    span: SpanArgs,
    /// Show the profile so far of a running recording
    ///
    /// The JVM's process id, or its session directory.
    #[arg(hide_short_help = true, long, value_name = "PID|DIR", conflicts_with = "profile")]
    live: Option<String>,
    /// Only latencies and slowest calls of call paths that begin with this method
    ///
    /// Repeat for several.
    #[arg(hide_short_help = true, long, value_name = "SELECTOR")]
    root: Vec<Selector>,
    /// Levels of the tree below the threads [default: 40 in text, else all]
    #[arg(hide_short_help = true, short, long, value_name = "LEVELS")]
    depth: Option<u32>,
    /// Leave out nodes below this percentage of the total time [default: 1 in text, else 0]
    #[arg(short, long, value_name = "PERCENT", value_parser = percentage)]
    threshold: Option<f64>,
    /// Show these views alone, names with commas between them
    #[arg(long, value_enum, value_name = "VIEW", value_delimiter = ',')]
    view: Vec<ViewBy>,
    #[command(flatten)]
    scope: ScopeArgs,
    /// Show each call path as lines of their own, also those without a fork
    #[arg(hide_short_help = true, long)]
    unfolded: bool,
    /// Methods or threads in a list [default: 20, and 10 if no section is chosen]
    #[arg(short = 'n', long, value_name = "COUNT")]
    limit: Option<usize>,
    /// Sort hot methods by
    #[arg(long, value_enum, default_value_t = SortBy(Sort::SelfTime))]
    sort: SortBy,
    /// Write JSON (docs/reference/json.md)
    #[arg(long, conflicts_with = "form")]
    json: bool,
    /// Show it in another form [default: by FILE's ending, .html or .svg, else text]
    #[arg(long = "as", value_enum, value_name = "FORM")]
    form: Option<Form>,
    /// The weights of collapsed stacks and flame graphs
    #[arg(hide_short_help = true, long, value_enum, default_value_t = WeightBy::SelfTime)]
    weight: WeightBy,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    list: ListArgs,
}

/// What a profile is shown as, beside text and JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// A page for the browser: one file that needs no network
    Html,
    /// A flame graph as SVG
    Flamegraph,
    /// A flame graph as SVG, methods at the bottom, their callers above
    Callers,
    /// Collapsed stacks, one line per call path
    Collapsed,
    /// A walk through the profile in the terminal
    Tui,
}

/// A part of a text report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ViewBy {
    /// The recording conditions and the quality
    Summary,
    /// The call tree of each thread
    Tree,
    /// The hot methods
    Methods,
    /// Back traces of the methods in focus, or of the hottest ones
    Callers,
    /// Callers and callees of the methods in focus, or of the hottest ones
    Callees,
    /// The call tree as a flat table
    Table,
    /// The threads
    Threads,
    /// Calls on virtual threads
    VirtualThreads,
    /// Who calls the methods whose stacks were walked (record --probe SELECTOR=time+stack/N)
    Walks,
    /// How long the calls of roots and tasks took: p50, p90, p99, p99.9, longest
    Latency,
    /// The slowest calls of roots and tasks (record --slowest)
    Slowest,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum WeightBy {
    #[value(name = "self")]
    SelfTime,
    Calls,
}

/// Default levels of a text tree.
const DEPTH: u32 = 40;

/// A percentage as an argument.
pub(crate) fn percentage(text: &str) -> Result<f64, Problem> {
    let number = text.trim_end_matches('%').parse::<f64>().ok();
    number
        .filter(|number| (0.0..=100.0).contains(number))
        .ok_or_else(|| "expected a number from 0 to 100".into())
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let profile = match &args.live {
        Some(place) => profile_so_far(Running::find(place)?.dir())?,
        None => args.span.profile(&args.profile)?,
    };
    let form = args.form();
    args.check(form)?;
    let is_for_people = !args.json && matches!(form, None | Some(Form::Html | Form::Tui));
    let threads = if is_for_people { ThreadTrees::Pools } else { ThreadTrees::Each };
    let scope = args.scope.scope(&profile, threads)?;
    if form == Some(Form::Tui) {
        return walk(&profile, &scope);
    }
    if form == Some(Form::Html) {
        let summary = page_summary(&profile, &scope)?;
        let file = args.output.as_deref().unwrap_or(Path::new("-"));
        to_file(file, |out| profile_page(&profile, &scope, &summary, out))?;
        return Ok(ExitCode::SUCCESS);
    }
    let view = args.view(is_for_people, scope, &profile)?;
    if args.list.is_given() {
        let listed = args.list.listed(&profile)?;
        let is_coloured = is_for_people && out::is_coloured();
        to_terminal(args.output.as_deref(), is_coloured, |out| match args.json {
            true => list_json(&profile, &listed, &view, out),
            false => list_text(&profile, &listed, &view, out),
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    let file = args.output.as_deref();
    let named = args.live.as_ref().map(Path::new);
    let named = named.or(args.profile.first().map(PathBuf::as_path)).unwrap_or(Path::new(OUTPUT));
    let is_coloured = is_for_people && out::is_coloured();
    let written = to_terminal(file, is_coloured, |out| args.write(&profile, form, &view, out));
    written.map_err(|error| nothing_in(named, error))?;
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn form(&self) -> Option<Form> {
        let ending = self.output.as_deref().and_then(Path::extension);
        let by_ending = match ending.and_then(|ending| ending.to_str()) {
            Some("html") => Some(Form::Html),
            Some("svg") => Some(Form::Flamegraph),
            _ => None,
        };
        self.form.or(by_ending.filter(|_| !self.json && !self.list.is_given()))
    }

    /// Refuses options that say nothing of this form.
    fn check(&self, form: Option<Form>) -> Result<()> {
        let is_whole = matches!(form, Some(Form::Html | Form::Tui));
        if is_whole && (!self.view.is_empty() || self.depth.is_some() || self.threshold.is_some()) {
            return Err(usage(
                "a page and a walk show all: leave out --view, --depth and --threshold",
            ));
        }
        if form == Some(Form::Tui) && self.output.is_some() {
            return Err(usage("--as tui goes to the terminal: leave out -o"));
        }
        Ok(())
    }

    fn view(&self, is_text: bool, scope: Scope, profile: &Profile) -> Result<View> {
        let for_terminal = is_text && self.output.is_none();
        let latency_of = self.latency_of(profile)?;
        Ok(View {
            depth: self.depth.or(is_text.then_some(DEPTH)),
            threshold: self.threshold.unwrap_or(if is_text { 1.0 } else { 0.0 }),
            scope,
            of: self.scope.focused(profile),
            latency_of,
            limit: self.limit.unwrap_or(if self.has_choice() { 20 } else { 10 }),
            has_legend_at_end: !self.has_choice(),
            sort: self.sort.0,
            fold_chains: is_text && !self.unfolded,
            width: for_terminal.then(out::terminal_width).flatten(),
        })
    }

    /// The methods of `--root`; none if there is none.
    fn latency_of(&self, profile: &Profile) -> Result<Option<MethodSet>> {
        if self.root.is_empty() {
            return Ok(None);
        }
        let views = [ViewBy::Latency, ViewBy::Slowest];
        let has_view = self.view.iter().any(|view| views.contains(view));
        if !has_view && !self.json {
            return Err(usage("--root goes with --view latency or slowest".to_owned()));
        }
        let methods = MethodSet::new(&profile.methods, &self.root);
        methods.map(Some).map_err(|UnmatchedSelector(at)| {
            usage(format!("--root {} matches no method of the profile", self.root[at]))
        })
    }

    fn write(
        &self,
        profile: &Profile,
        form: Option<Form>,
        view: &View,
        out: &mut dyn Write,
    ) -> std::io::Result<()> {
        let weight = match self.weight {
            WeightBy::SelfTime => StackWeight::SelfTime,
            WeightBy::Calls => StackWeight::Calls,
        };
        match form {
            _ if self.json => json(profile, view, out),
            Some(Form::Collapsed) => {
                let corrected = view.scope.corrected(profile);
                let shown = Shown::new(profile, corrected.as_ref(), &view.scope);
                let limits = Limits { depth: view.depth, threshold: view.threshold };
                if let Some(nothing) = Nothing::of_paths(&shown, &view.scope, weight) {
                    return Err(nothing.into());
                }
                collapsed(&Pruned::new(shown, limits), weight, out)
            }
            Some(Form::Flamegraph) => flame(profile, view, weight, FlameOrder::Callees, out),
            Some(Form::Callers) => flame(profile, view, weight, FlameOrder::Callers, out),
            Some(Form::Html | Form::Tui) | None => text(profile, &self.sections(), view, out),
        }
    }

    /// Whether sections are chosen.
    fn has_choice(&self) -> bool {
        !self.chosen().is_empty()
    }

    fn sections(&self) -> Vec<Section> {
        let chosen = self.chosen();
        match chosen.is_empty() {
            true => vec![
                Section::Overview,
                Section::Hot,
                Section::Tree,
                Section::Virtual,
                Section::Walks,
            ],
            false => chosen,
        }
    }

    fn chosen(&self) -> Vec<Section> {
        let has = |view| self.view.contains(&view);
        let asked = [
            (has(ViewBy::Summary), Section::Summary),
            (has(ViewBy::Tree), Section::Tree),
            (has(ViewBy::Table), Section::Rows),
            (has(ViewBy::Methods), Section::Hot),
            (has(ViewBy::Callers), Section::Callers),
            (has(ViewBy::Callees), Section::Stanzas),
            (has(ViewBy::Threads), Section::Threads),
            (has(ViewBy::VirtualThreads), Section::Virtual),
            (has(ViewBy::Walks), Section::Walks),
            (has(ViewBy::Latency), Section::Latency),
            (has(ViewBy::Slowest), Section::Slowest),
        ];
        asked.iter().filter(|(asked, _)| *asked).map(|(_, section)| *section).collect()
    }
}

/// Shows a profile in the terminal, to walk through.
fn walk(profile: &Profile, scope: &Scope) -> Result<ExitCode> {
    if !out::has_terminal() {
        return Err(usage("--as tui needs a terminal as stdin and stdout".to_owned()));
    }
    jfathom_tui::run(profile, scope)?;
    Ok(ExitCode::SUCCESS)
}

/// The lines at the top of a page: those of the text report's summary.
pub(crate) fn page_summary(profile: &Profile, scope: &Scope) -> Result<String> {
    let mut text = Vec::new();
    let view = View { scope: scope.clone(), ..View::default() };
    summary(profile, &view, &mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
