//! `recall`: holds the plan of real programs' roots against what a JVM really calls.
//!
//! Logs are kept in the target folder until `--again` or another agent asks for new ones.
//! `JFATHOM_RECALL_LOGS` names another place. Methods that were missed go to standard error with
//! `--list`. With `--live lazy` or `--live eager` a live recording stands in the plan's place.

mod live;

use crate::{
    corpus::{Corpus, roots},
    shell,
    statistics::median,
    table,
};
use anyhow::{Context, Result};
use jfathom_plan::MethodKey;
use jfathom_reachability::{EntryPoints, MethodIx, Query, Reached, World, reach};
use jfathom_tests::{
    calls::{self, Log, Mode},
    jdk::{self, Jdk},
    recall::Recall,
    run,
};
use jfathom_world::{Cache, OpenedWorld, open};
use std::{
    fs,
    path::{Path, PathBuf},
};

#[derive(clap::Args)]
pub struct Options {
    /// On JVM 25, too
    #[arg(long)]
    each: bool,
    /// What is missed
    #[arg(long)]
    list: bool,
    /// New logs
    #[arg(long)]
    again: bool,
    /// Of programs that the goals are not of, and that were never looked at while rules were made
    #[arg(long)]
    others: bool,
    /// Live recordings in the place of plans, under this scheme
    #[arg(long, value_parser = ["lazy", "eager"])]
    live: Option<String>,
    /// As `h2-main`; those of the goals without
    names: Vec<String>,
}

/// What is run, and where it is entered.
struct Case {
    name: String,
    /// As `run.sh` calls it.
    program: &'static str,
    /// The root.
    class: String,
    method: &'static str,
    /// The class of the program's own `main`.
    main: String,
}

/// The programs that the goals are of.
const GOALS: [&str; 4] = ["h2", "lucene", "ecj", "closure"];
/// Roots that are not `main`: name, program, class and method.
const INNER: [(&str, &str, &str, &str); 2] = [
    ("h2-query", "h2", "org/h2/command/Command", "executeQuery"),
    ("lucene-add", "lucene", "org/apache/lucene/index/IndexWriter", "addDocument"),
];

impl Case {
    /// The main methods of all programs with jars, and those of [`INNER`].
    fn all() -> Vec<Self> {
        let mut cases = Vec::new();
        for (program, mains) in roots::MAINS.iter().filter(|(program, _)| *program != "javac") {
            let main = mains[0].trim_end_matches("::main").replace('.', "/");
            let (name, class) = (format!("{program}-main"), main.clone());
            cases.push(Self { name, program, class, method: "main", main: main.clone() });
            let inner = INNER.into_iter().filter(|inner| inner.1 == *program);
            cases.extend(inner.map(|(name, _, class, method)| {
                let (name, class) = (name.to_owned(), class.to_owned());
                Self { name, program, class, method, main: main.clone() }
            }));
        }
        cases
    }
}

/// Prints tables for `docs/lab/plans-recall.md`.
pub fn run(options: &Options) -> Result<()> {
    let corpus = Corpus::find()?;
    let is_asked = |case: &Case| match options.names.as_slice() {
        [] => GOALS.contains(&case.program) != options.others,
        names => names.contains(&case.name),
    };
    let cases: Vec<Case> = Case::all().into_iter().filter(is_asked).collect();
    match options.live {
        Some(_) => table::head(&live::columns()),
        None => table::head(
            "root | JVM | objects from | called | outside only | found | recall | planned | planned / called | missed",
        ),
    }
    let jdks = jdk::main_and_25("recall");
    for jdk in jdks.into_iter().take(if options.each { 2 } else { 1 }) {
        let bench = Bench { corpus: &corpus, jdk, options };
        let mut surplus = Vec::new();
        for case in &cases {
            bench.corpus.fetch(case.program)?;
            match &options.live {
                Some(scheme) => bench.live_case(case, scheme)?,
                None => surplus.push(bench.case(case)?),
            }
        }
        if !surplus.is_empty() {
            let median = median(surplus);
            println!("\nmedian planned / called with the command's defaults: {median:.2}");
        }
    }
    Ok(())
}

struct Bench<'a> {
    corpus: &'a Corpus,
    jdk: &'a Jdk,
    options: &'a Options,
}

impl Bench<'_> {
    /// Prints the rows of one root; gives planned / called of the first row.
    fn case(&self, case: &Case) -> Result<f64> {
        let log = self.log(case)?;
        let opened = self.open(case)?;
        let mut world = opened.world();
        let roots = methods(&mut world, &case.class, case.method);
        assert!(!roots.is_empty(), "{} has no {}", case.class, case.method);
        let main = methods(&mut world, &case.main, "main");
        let from_main = EntryPoints::Methods(roots.iter().chain(&main).copied().collect());
        let defaults = if case.method == "main" {
            [("the root", from_main), ("the whole program", EntryPoints::AnyMethod)]
        } else {
            [("the whole program", EntryPoints::AnyMethod), ("the program's main", from_main)]
        };
        let mut first = f64::NAN;
        for (words, entry_points) in defaults {
            let reached = walk(&opened, &mut world, &roots, entry_points);
            let recall = Recall::of(&log, &mut world, &reached);
            let ratio = recall.planned as f64 / recall.called.max(1) as f64;
            println!(
                "| {} | {} | {words} | {} | {} | {} | {:.2} % | {} | {ratio:.2} | {} |",
                case.name,
                self.jdk.version,
                recall.called,
                recall.called - recall.called_inside,
                recall.found(),
                100.0 * recall.found() as f64 / recall.called.max(1) as f64,
                recall.planned,
                recall.missed.len() + recall.missed_outside.len(),
            );
            if self.options.list {
                tell("missed", &recall.missed);
                tell("missed outside", &recall.missed_outside);
                tell("not in the world", &recall.unknown);
            }
            if first.is_nan() {
                first = ratio;
            }
        }
        Ok(first)
    }

    /// The program's classes and the JDK's.
    fn open(&self, case: &Case) -> Result<OpenedWorld<'static>> {
        let options = jfathom_world::Options {
            jdk: Some(self.jdk.home.clone()),
            cache: Cache::Off,
            ..Default::default()
        };
        open(&self.corpus.class_path(case.program)?, &options).context(case.name.clone())
    }

    /// The log of a run, recorded when there is none.
    fn log(&self, case: &Case) -> Result<Log> {
        let folder = std::env::var_os("JFATHOM_RECALL_LOGS");
        let folder = folder.map_or_else(|| shell::target().join("recall"), PathBuf::from);
        fs::create_dir_all(&folder)?;
        let path = folder.join(format!("{}-{}.log", case.name, self.jdk.version));
        let agent = calls::agent(self.jdk, &folder, "recall");
        let agent = agent.context("a JDK with jvmti.h, and a C compiler")?;
        let newer = |path: &Path| fs::metadata(path).and_then(|meta| meta.modified()).ok();
        let source = shell::root().join("tests/jvmti/calls.c");
        if self.options.again || newer(&path) < newer(&source) {
            self.record(case, &agent, &folder, &path)?;
        }
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        Ok(Log::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
    }

    /// Runs the program; of its JVMs the one that enters the root counts.
    fn record(&self, case: &Case, agent: &Path, folder: &Path, path: &Path) -> Result<()> {
        let logs = tempfile::Builder::new().prefix("jvms-").tempdir_in(folder)?;
        let root = format!("{}.{}", case.class, case.method);
        let option = calls::option(agent, &logs.path().join("%p.log"), Some(&root), Mode::First);
        eprintln!("recording {}", case.name);
        let mut script = self.corpus.script(self.jdk);
        let done = run::run(script.arg(case.program).env("JAVA_OPTS", option)).fine();
        assert!(done.stdout.contains(" rc=0 "), "{done}");
        let has_entered = |path: &PathBuf| {
            let text = fs::read_to_string(path).unwrap_or_default();
            text.lines().any(|line| line.starts_with("R "))
        };
        let mut logs = fs::read_dir(logs.path())?.filter_map(|entry| Some(entry.ok()?.path()));
        let entered = logs.find(has_entered);
        let entered = entered.with_context(|| format!("no JVM of {} entered {root}", case.name))?;
        Ok(fs::rename(entered, path)?)
    }
}

fn methods(world: &mut World<'_>, class: &str, name: &str) -> Vec<MethodIx> {
    let class = world.class(class.as_bytes());
    let methods: Vec<MethodIx> = world.methods_of(class).collect();
    methods
        .into_iter()
        .filter(|&method| world.key(method).name == name && world.has_code(method))
        .collect()
}

fn walk(
    opened: &OpenedWorld<'_>,
    world: &mut World<'_>,
    roots: &[MethodIx],
    entry_points: EntryPoints,
) -> Reached {
    let services = opened.services().to_vec();
    let query = Query { roots: roots.to_vec(), entry_points, services, ..Query::default() };
    reach(world, &query)
}

fn tell(words: &str, methods: &[MethodKey]) {
    for method in methods {
        eprintln!("{words}: {method}");
    }
}
