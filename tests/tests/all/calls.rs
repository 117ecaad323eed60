//! What a JVM really calls, by an agent: against the plans of roots, against what the samples say
//! of themselves, and against the agent's own other way of looking.

use jfathom_plan::MethodKey;
use jfathom_reachability::{EntryPoints, Query, reach};
use jfathom_testkit::process_dir;
use jfathom_tests::{
    calls::{self, Log, Mode},
    jdk,
    jdk::Jdk,
    recall::Recall,
    run, samples, tool, wire,
};
use jfathom_world::{Cache, Options, open};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};
use tempfile::TempDir;

/// The programs of `samples/reach`, compiled for one JVM and run there.
struct Programs {
    jdk: &'static Jdk,
    agent: PathBuf,
    /// What the agent's breakpoints saw.
    log: Log,
    /// Where their classes are.
    classes: PathBuf,
    /// Name and source of each.
    sources: Vec<(String, String)>,
    _folder: TempDir,
}

/// For each JVM that there is, once for all tests.
fn programs() -> &'static [Programs] {
    static PROGRAMS: OnceLock<Vec<Programs>> = OnceLock::new();
    PROGRAMS
        .get_or_init(|| jdk::main_and_25("calls").into_iter().filter_map(Programs::new).collect())
}

/// Runs a main class with arguments under the agent.
#[track_caller]
fn logged(
    jdk: &Jdk,
    agent: &Path,
    mode: Mode,
    root: Option<&str>,
    words: &[String],
    code: i32,
) -> Log {
    let folder = samples::temp_dir();
    let file = folder.path().join("calls.log");
    let done = run::run(tool::java(jdk).arg(calls::option(agent, &file, root, mode)).args(words))
        .code(code);
    let log = Log::parse(&fs::read_to_string(&file).unwrap())
        .unwrap_or_else(|error| panic!("{error}\n{done}"));
    assert!(log.ended, "{done}");
    assert_eq!(log.root.is_some(), root.is_some(), "{done}");
    log
}

impl Programs {
    /// Compiles them, those of `samples/reach21` too where the JVM has a compiler for them, and
    /// runs them.
    fn new(jdk: &'static Jdk) -> Option<Self> {
        let folder = process_dir();
        let agent = calls::agent(jdk, folder.path(), "calls")?;
        let classes = folder.path().join("classes");
        let mut places = vec![samples::sources().join("reach")];
        samples::javac(&[], &places[0], &classes);
        let recent = samples::sources().join("reach21");
        if jdk.version >= 21 && jdk.tool("javac").is_file() {
            samples::javac_of(jdk, 21, &[], &recent, &classes);
            places.push(recent);
        }
        let services = classes.join("META-INF/services");
        fs::create_dir_all(&services).unwrap();
        for entry in fs::read_dir(places[0].join("META-INF/services")).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), services.join(entry.file_name())).unwrap();
        }
        let mut sources = Vec::new();
        for path in places.iter().flat_map(|place| samples::java_files(place)) {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            if name != "All" {
                sources.push((name, fs::read_to_string(path).unwrap()));
            }
        }
        let log = run_all(jdk, &agent, Mode::First, &classes, &sources);
        Some(Self { jdk, agent, log, classes, sources, _folder: folder })
    }
}

/// Runs all programs in one JVM.
fn run_all(
    jdk: &Jdk,
    agent: &Path,
    mode: Mode,
    classes: &Path,
    sources: &[(String, String)],
) -> Log {
    let names: Vec<&str> = sources.iter().map(|source| source.0.as_str()).collect();
    logged(
        jdk,
        agent,
        mode,
        Some("reach/All.main"),
        &wire::class_path(classes, "reach.All", &names),
        0,
    )
}

/// Whether the class is one that javac made for a program of `samples/reach`.
fn of_program(class: &str, program: &str) -> bool {
    let rest = class.strip_prefix("reach/").and_then(|class| class.strip_prefix(program));
    rest.is_some_and(|rest| (rest.is_empty() || rest.starts_with('$')) && !rest.contains('+'))
}

/// The methods that a source says the plan does not find: `// not planned: Inner::call,
/// Outer::<init>`.
fn not_planned(source: &str) -> BTreeSet<String> {
    let lists = source.lines().filter_map(|line| line.strip_prefix("// not planned: "));
    lists.flat_map(|list| list.split(", ")).map(str::to_owned).collect()
}

fn short(key: &MethodKey) -> String {
    let class = key.class.rsplit(['/', '$']).next().unwrap_or_default();
    format!("{class}::{}", key.name)
}

#[test]
fn plans_have_what_is_called() {
    for programs in programs() {
        let jdk = programs.jdk;
        let options =
            Options { jdk: Some(jdk.home.clone()), cache: Cache::Off, ..Options::default() };
        let opened = open(std::slice::from_ref(&programs.classes), &options).unwrap();
        let mut world = opened.world();
        let mut wrong = Vec::new();
        for (name, source) in &programs.sources {
            let class = format!("reach/{name}");
            let main = world
                .method(&class, "main", "([Ljava/lang/String;)V")
                .expect("each program has a main");
            // What runs as part of another program is no business of this one.
            let mut own = programs.log.clone();
            own.root = None;
            own.calls.retain(|call| of_program(&call.method.class, name));
            let stated = not_planned(source);
            let question = Query {
                roots: vec![main],
                entry_points: EntryPoints::Methods(vec![main]),
                services: opened.services().to_vec(),
                ..Query::default()
            };
            let reached = reach(&mut world, &question);
            let recall = Recall::of(&own, &mut world, &reached);
            assert!(recall.called > 2, "{name}: {recall:?}");
            let missed: BTreeSet<String> =
                recall.missed.iter().chain(&recall.missed_outside).map(short).collect();
            let new: Vec<&String> = missed.difference(&stated).collect();
            let found: Vec<&String> = stated.difference(&missed).collect();
            if !new.is_empty() || !found.is_empty() {
                wrong.push(format!(
                    "{name} on {jdk}: not planned {new:?}; planned against its comment {found:?}"
                ));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

#[test]
fn breakpoints_see_what_method_entries_see() {
    for programs in programs() {
        let jdk = programs.jdk;
        let log = run_all(jdk, &programs.agent, Mode::Entry, &programs.classes, &programs.sources);
        let [entry, first] = [&log, &programs.log].map(|log| {
            let own = |key: &&MethodKey| {
                programs.sources.iter().any(|source| of_program(&key.class, &source.0))
            };
            log.called(true).into_iter().filter(own).collect::<BTreeSet<&MethodKey>>()
        });
        assert!(entry.len() > 300, "{}", entry.len());
        let differences: Vec<String> =
            entry.symmetric_difference(&first).map(|key| key.to_string()).collect();
        assert!(differences.is_empty(), "on {jdk}: {differences:#?}");
    }
}

#[test]
fn agent_sees_what_samples_state() {
    let jdk = jdk::main();
    let folder = samples::temp_dir();
    let Some(agent) = calls::agent(jdk, folder.path(), "agent sees what samples state") else {
        return;
    };
    let names = [samples::together(false), samples::together(true)].concat();
    let words = wire::class_path(&samples::compiled().java, "samples.All", &names);
    let log = logged(jdk, &agent, Mode::First, None, &words, 0);
    let called = log.called(true);
    let stated = samples::all().iter().filter(|sample| names.contains(&sample.name.as_str()));
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (sample, truth) in
        stated.flat_map(|sample| sample.truths.iter().map(move |truth| (sample, truth)))
    {
        let Some(calls) = truth.calls else { continue };
        let matches = |key: &&&MethodKey| {
            let name = match truth.method.strip_suffix('*') {
                Some(start) => key.name.starts_with(start),
                None => key.name == truth.method,
            };
            let descriptor =
                truth.descriptor.as_ref().is_none_or(|descriptor| *descriptor == key.descriptor);
            name && descriptor && key.class == truth.class
        };
        count += 1;
        if called.iter().any(|key| matches(&key)) != (calls + truth.virtual_calls > 0) {
            wrong.push(format!(
                "{}:{}: {}::{} calls({calls})",
                sample.name, truth.line, truth.class, truth.method
            ));
        }
    }
    assert!(count > 100, "{count} truths");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn logs_are_whole_however_a_jvm_ends() {
    let jdk = jdk::main();
    let folder = samples::temp_dir();
    let Some(agent) = calls::agent(jdk, folder.path(), "logs are whole however a JVM ends") else {
        return;
    };
    for name in ["ExitInside", "HaltInside"] {
        let sample = samples::all()
            .iter()
            .find(|sample| sample.name == name)
            .expect("there is such a sample");
        let words = wire::class_path(&samples::compiled().java, &format!("samples.{name}"), &[]);
        let log = logged(
            jdk,
            &agent,
            Mode::First,
            Some(&format!("samples/{name}.main")),
            &words,
            sample.exit,
        );
        let root = log.root.as_ref().map(|root| root.name.as_str());
        assert!(root == Some("main") && log.called(false).len() > 1, "{name}: {log:?}");
    }
}
