//! `jfathom report`: shows a profile.

use crate::{
    failure::usage,
    manifests::Manifests,
    out,
    output::{to_file, to_output},
    profile_file::read,
};
use anyhow::Result;
use jfathom_calibration::Estimator;
use jfathom_collector::RunningSession;
use jfathom_compare::merge;
use jfathom_page::profile_page;
use jfathom_profile::Profile;
use jfathom_report::{
    Scope, Section, Sort, StackWeight, ThreadTrees, View, collapsed, flame, json, text,
};
use std::{
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Show a profile: call tree, hot methods, threads, or as page, JSON, collapsed stacks, flame graph
///
/// Without a choice of sections, shows the summary, the call tree down to 1 % of the total time,
/// and the 20 hottest methods. Repairs and losses always come first.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    jfathom report profile.jfp\n  \
    jfathom report --tree --threshold 0.1 --thread main profile.jfp\n  \
    jfathom report --methods --sort total --limit 50 profile.jfp\n  \
    jfathom report --html out.html profile.jfp\n  \
    jfathom report --flamegraph out.svg profile.jfp\n  \
    jfathom report --json profile.jfp | jq .quality\n  \
    jfathom report --live 4711")]
pub(crate) struct Args {
    /// A profile, or the session directory that a killed `record` left
    #[arg(value_name = "FILE|DIR", default_value = "profile.jfp")]
    profile: PathBuf,
    /// Show the profile so far of a running recording: the JVM's process id, or its session
    /// directory
    #[arg(long, value_name = "PID|DIR", conflicts_with = "profile")]
    live: Option<String>,
    /// The recording conditions and the quality
    #[arg(long)]
    summary: bool,
    /// The call tree of each thread
    #[arg(long)]
    tree: bool,
    /// The hot methods
    #[arg(long)]
    methods: bool,
    /// The threads
    #[arg(long)]
    threads: bool,
    /// Calls on virtual threads
    #[arg(long)]
    virtual_threads: bool,
    /// Levels of the tree below the threads [default: 40 in text, else all]
    #[arg(short, long, value_name = "LEVELS")]
    depth: Option<u32>,
    /// Leave out nodes below this percentage of the total time [default: 1 in text, else 0]
    #[arg(short, long, value_name = "PERCENT", value_parser = percentage)]
    threshold: Option<f64>,
    /// Show only threads with this name, part of a name, or number (#7)
    #[arg(long, value_name = "NAME")]
    thread: Option<String>,
    /// Show the sum of the trees of all threads
    #[arg(long)]
    merge_threads: bool,
    /// Methods or threads in a list
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 20)]
    limit: usize,
    /// Sort hot methods by
    #[arg(long, value_enum, default_value_t = SortBy::SelfTime)]
    sort: SortBy,
    /// Show measured times, without overhead correction
    #[arg(long)]
    raw: bool,
    /// The source of the probe costs
    #[arg(long, value_enum, default_value_t = EstimateBy::Loops, conflicts_with = "raw")]
    estimator: EstimateBy,
    /// Write JSON (docs/report-json.md)
    #[arg(long, conflicts_with_all = ["collapsed", "flamegraph"])]
    json: bool,
    /// Write collapsed stacks, one line per call path
    #[arg(long, conflicts_with = "flamegraph")]
    collapsed: bool,
    /// Write a flame graph as SVG
    #[arg(long, value_name = "FILE.svg")]
    flamegraph: Option<PathBuf>,
    /// Write a page for the browser: one file that needs no network
    #[arg(long, value_name = "FILE.html", conflicts_with_all = ["json", "collapsed", "flamegraph", "output", "depth", "threshold"])]
    html: Option<PathBuf>,
    /// The weights of collapsed stacks and flame graphs
    #[arg(long, value_enum, default_value_t = WeightBy::SelfTime)]
    weight: WeightBy,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE", conflicts_with = "flamegraph")]
    output: Option<PathBuf>,
}

/// The order of methods.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum SortBy {
    #[value(name = "self")]
    SelfTime,
    #[value(name = "total")]
    TotalTime,
    Calls,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum EstimateBy {
    /// Calibration loops over empty methods in the recorded JVM
    Loops,
    /// Record intervals of the program itself
    Intervals,
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
pub(crate) fn percentage(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches('%').parse::<f64>().ok();
    number
        .filter(|number| (0.0..=100.0).contains(number))
        .ok_or_else(|| "expected a number from 0 to 100".to_owned())
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let profile = match &args.live {
        Some(place) => snapshot(place)?,
        None => read(&args.profile)?,
    };
    let is_text =
        !(args.json || args.collapsed || args.flamegraph.is_some() || args.html.is_some());
    let view = args.view(is_text);
    if view.scope.threads(&profile).is_empty() && view.scope.thread.is_some() {
        let mut names: Vec<&str> =
            profile.threads.iter().map(|thread| &*thread.name).take(8).collect();
        names.dedup();
        return Err(usage(format!(
            "no thread is called ‘{}’; there are: {}",
            view.scope.thread.as_deref().unwrap_or_default(),
            names.join(", ")
        )));
    }
    if let Some(page) = &args.html {
        to_file(page, |out| profile_page(&profile, &view, out))?;
        return Ok(ExitCode::SUCCESS);
    }
    to_output(args.flamegraph.as_deref().or(args.output.as_deref()), |out| {
        args.write(&profile, &view, out)
    })?;
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn view(&self, is_text: bool) -> View {
        let for_terminal = is_text && self.output.is_none();
        View {
            depth: self.depth.or(is_text.then_some(DEPTH)),
            threshold: self.threshold.unwrap_or(if is_text { 1.0 } else { 0.0 }),
            scope: Scope {
                thread: self.thread.clone(),
                threads: match (self.merge_threads, &self.html) {
                    (true, _) => ThreadTrees::Merged,
                    (false, Some(_)) => ThreadTrees::Pools,
                    (false, None) => ThreadTrees::Each,
                },
                filters: Vec::new(),
            },
            limit: self.limit,
            sort: match self.sort {
                SortBy::SelfTime => Sort::SelfTime,
                SortBy::TotalTime => Sort::TotalTime,
                SortBy::Calls => Sort::Calls,
            },
            raw: self.raw,
            estimator: match self.estimator {
                EstimateBy::Loops => Estimator::Loops,
                EstimateBy::Intervals => Estimator::Intervals,
            },
            width: for_terminal.then(out::terminal_width).flatten(),
        }
    }

    fn write(&self, profile: &Profile, view: &View, out: &mut dyn Write) -> std::io::Result<()> {
        let weight = match self.weight {
            WeightBy::SelfTime => StackWeight::SelfTime,
            WeightBy::Calls => StackWeight::Calls,
        };
        if self.json {
            json(profile, view, out)
        } else if self.collapsed {
            collapsed(profile, view, weight, out)
        } else if self.flamegraph.is_some() {
            flame(profile, view, weight, out)
        } else {
            text(profile, &self.sections(), view, out)
        }
    }

    fn sections(&self) -> Vec<Section> {
        let asked = [
            (self.summary, Section::Summary),
            (self.tree, Section::Tree),
            (self.methods, Section::Hot),
            (self.threads, Section::Threads),
            (self.virtual_threads, Section::Virtual),
        ];
        let chosen: Vec<Section> =
            asked.iter().filter(|(asked, _)| *asked).map(|(_, section)| *section).collect();
        match chosen.is_empty() {
            true => vec![Section::Summary, Section::Tree, Section::Hot, Section::Virtual],
            false => chosen,
        }
    }
}

/// The profile so far of a running recording.
fn snapshot(place: &str) -> Result<Profile> {
    let session = match place.parse::<u32>() {
        Ok(pid) => Some(RunningSession::find(pid)?),
        Err(_) => None,
    };
    let dir = session.as_ref().map_or(Path::new(place), RunningSession::held_dir);
    let profiles = jfathom_collector::snapshot(dir, &Manifests::default())?;
    merge(profiles).ok_or_else(|| anyhow::anyhow!("{place}: has no record so far"))
}
