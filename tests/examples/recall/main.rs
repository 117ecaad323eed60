//! `recall [--jdk HOME] [--list] [--again] [--others] [NAME…]`: holds the plan of real programs'
//! roots against what a JVM really calls, and prints tables for `docs/lab/plans-recall.md`. Without
//! names, the six roots of the goals; with `--others` those of other programs.
//!
//! `JFATHOM_CORPUS` names the folder with `fetch.sh` and `run.sh`, as for `cargo xtask corpus`;
//! `CORPUS` the store. Logs are kept in the target folder until `--again` or another agent asks for
//! new ones. `JFATHOM_RECALL_LOGS` names another place. Methods that were missed go to standard
//! error with `--list`.
//!
//! With `--live lazy` or `--live eager` a live recording by `JFATHOM_BIN` stands in the plan's
//! place.

mod live;

use jfathom_plan::MethodKey;
use jfathom_reachability::{EntryPoints, MethodIx, Query, Reached, World, reach};
use jfathom_tests::{
    calls::{self, Log, Mode},
    jdk::{self, Jdk},
    recall::Recall,
    run,
};
use jfathom_world::{Cache, OpenedWorld, Options, open};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// What is run, and where it is entered.
struct Case {
    name: &'static str,
    /// As `run.sh` calls it.
    program: &'static str,
    /// The root.
    class: &'static str,
    method: &'static str,
    /// The class of the program's own `main`.
    main: &'static str,
    /// Whether the goals are of it. The others were never looked at while rules were made, and are
    /// run when they are named, or with `--others`.
    goal: bool,
}

impl Case {
    const fn of_main(
        name: &'static str,
        program: &'static str,
        class: &'static str,
        goal: bool,
    ) -> Self {
        Self { name, program, class, method: "main", main: class, goal }
    }
}

const H2: &str = "org/h2/tools/RunScript";
const LUCENE: &str = "org/apache/lucene/demo/IndexFiles";

const CASES: &[Case] = &[
    Case::of_main("h2-main", "h2", H2, true),
    Case {
        name: "h2-query",
        program: "h2",
        class: "org/h2/command/Command",
        method: "executeQuery",
        main: H2,
        goal: true,
    },
    Case::of_main("lucene-main", "lucene", LUCENE, true),
    Case {
        name: "lucene-add",
        program: "lucene",
        class: "org/apache/lucene/index/IndexWriter",
        method: "addDocument",
        main: LUCENE,
        goal: true,
    },
    Case::of_main("ecj-main", "ecj", "org/eclipse/jdt/internal/compiler/batch/Main", true),
    Case::of_main(
        "closure-main",
        "closure",
        "com/google/javascript/jscomp/CommandLineRunner",
        true,
    ),
    Case::of_main("fop-main", "fop", "org/apache/fop/cli/Main", false),
    Case::of_main("groovy-main", "groovy", "groovy/ui/GroovyMain", false),
    Case::of_main("kotlinc-main", "kotlinc", "org/jetbrains/kotlin/cli/jvm/K2JVMCompiler", false),
    Case::of_main("proguard-main", "proguard", "proguard/ProGuard", false),
    Case::of_main("sat4j-main", "sat4j", "org/sat4j/BasicLauncher", false),
    Case::of_main("scalac-main", "scalac", "scala/tools/nsc/Main", false),
    Case::of_main("weka-main", "weka", "weka/classifiers/trees/J48", false),
];

fn main() {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    let mut flag = |name: &str| {
        let before = names.len();
        names.retain(|word| word != name);
        names.len() < before
    };
    let (list, again, others) = (flag("--list"), flag("--again"), flag("--others"));
    let scheme = names.iter().position(|word| word == "--live").map(|at| {
        let scheme = names.drain(at..names.len().min(at + 2)).nth(1);
        scheme.expect("--live SCHEME")
    });
    let jdk = match names.iter().position(|word| word == "--jdk") {
        Some(at) => {
            let home = names.drain(at..names.len().min(at + 2)).nth(1).expect("--jdk HOME");
            Jdk::at(Path::new(&home)).expect("a JDK")
        }
        None => jdk::main().clone(),
    };
    let scripts = PathBuf::from(
        std::env::var_os("JFATHOM_CORPUS").expect("JFATHOM_CORPUS names a folder with run.sh"),
    );
    let bench = Bench { jdk, scripts, list, again };
    let named = |case: &&Case| match names.as_slice() {
        [] => case.goal != others,
        names => names.iter().any(|name| name == case.name),
    };
    if let Some(scheme) = scheme {
        println!("{}", live::HEAD);
        CASES.iter().filter(named).for_each(|case| bench.live_case(case, &scheme));
        return;
    }
    println!(
        "| root | JVM | objects from | called | outside only | found | recall | planned | planned / called | missed |\n\
         |---|---|---|---|---|---|---|---|---|---|"
    );
    let mut surplus: Vec<f64> = Vec::new();
    for case in CASES.iter().filter(named) {
        surplus.push(bench.case(case));
    }
    surplus.sort_by(f64::total_cmp);
    if let (Some(low), Some(high)) =
        (surplus.get((surplus.len().max(1) - 1) / 2), surplus.get(surplus.len() / 2))
    {
        println!(
            "\nmedian planned / called with the command's defaults: {:.2}",
            (low + high) / 2.0
        );
    }
}

struct Bench {
    jdk: Jdk,
    scripts: PathBuf,
    list: bool,
    again: bool,
}

impl Bench {
    /// Prints the rows of one root; gives planned / called of the first row.
    fn case(&self, case: &Case) -> f64 {
        let log = self.log(case);
        let options =
            Options { jdk: Some(self.jdk.home.clone()), cache: Cache::Off, ..Options::default() };
        let opened = open(&self.class_path(case), &options)
            .unwrap_or_else(|error| panic!("{}: {error}", case.name));
        let mut world = opened.world();
        let roots = methods(&mut world, case.class, case.method);
        assert!(!roots.is_empty(), "{} has no {}", case.class, case.method);
        let main = methods(&mut world, case.main, "main");
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
            if self.list {
                tell("missed", &recall.missed);
                tell("missed outside", &recall.missed_outside);
                tell("not in the world", &recall.unknown);
            }
            if first.is_nan() {
                first = ratio;
            }
        }
        first
    }

    /// The log of a run, recorded when there is none.
    fn log(&self, case: &Case) -> Log {
        let folder = match std::env::var_os("JFATHOM_RECALL_LOGS") {
            Some(folder) => PathBuf::from(folder),
            None => target().join("recall"),
        };
        fs::create_dir_all(&folder).expect("the target folder can be written");
        let path = folder.join(format!("{}-{}.log", case.name, self.jdk.version));
        let agent = calls::agent(&self.jdk, &folder, "recall")
            .expect("a JDK with jvmti.h, and a C compiler");
        let newer = |path: &Path| fs::metadata(path).and_then(|meta| meta.modified()).ok();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("jvmti/calls.c");
        if self.again || newer(&path) < newer(&source) {
            self.record(case, &agent, &folder, &path);
        }
        let text =
            fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Log::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Runs the program; of its JVMs the one that enters the root counts.
    fn record(&self, case: &Case, agent: &Path, folder: &Path, path: &Path) {
        let logs = tempfile::Builder::new()
            .prefix("jvms-")
            .tempdir_in(folder)
            .expect("a folder can be made");
        let root = format!("{}.{}", case.class, case.method);
        let option = calls::option(agent, &logs.path().join("%p.log"), Some(&root), Mode::First);
        eprintln!("recording {}", case.name);
        let done = run::run(self.script(case).arg(case.program).env("JAVA_OPTS", option)).fine();
        assert!(done.stdout.contains(" rc=0 "), "{done}");
        let entered = fs::read_dir(logs.path()).expect("the folder is there").find_map(|entry| {
            let path = entry.ok()?.path();
            fs::read_to_string(&path)
                .ok()?
                .lines()
                .any(|line| line.starts_with("R "))
                .then_some(path)
        });
        let entered =
            entered.unwrap_or_else(|| panic!("no JVM of {} entered {root}", case.program));
        fs::rename(entered, path).expect("the log can be moved");
    }

    fn script(&self, case: &Case) -> Command {
        run::run(Command::new("bash").arg(self.scripts.join("fetch.sh")).arg(case.program)).fine();
        let mut command = Command::new("bash");
        command.arg(self.scripts.join("run.sh")).env("JAVA", self.jdk.java());
        command
    }

    fn class_path(&self, case: &Case) -> Vec<PathBuf> {
        let store = std::env::var_os("CORPUS").map(PathBuf::from);
        let store = store.unwrap_or_else(|| {
            PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cache/corpus")
        });
        let done = run::run(self.script(case).arg("-c").arg(case.program)).fine();
        done.stdout.lines().filter(|line| !line.is_empty()).map(|jar| store.join(jar)).collect()
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

/// Cargo's target folder: this program is `TARGET/PROFILE/examples/recall`.
fn target() -> PathBuf {
    let program = std::env::current_exe().expect("a program knows its place");
    program.ancestors().nth(3).expect("examples lie in the target folder").to_path_buf()
}
