//! What programs call by other ways than a call instruction: each case of `samples/features` prints
//! the methods that it really calls, and the plan of its `main` must have them.

use jfathom_plan::MethodKey;
use jfathom_reachability::{ContainerKind, EntryPoints, MethodIx, Query, World, access, reach};
use jfathom_tests::{jdk, jdk::Jdk, run, samples, tool};
use jfathom_world::{Cache, OpenedWorld, Options, open};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::Mutex,
    thread,
};
use tempfile::TempDir;

/// Cases in which the plan is known to miss a method, with the reason; `docs/reachability.md` has
/// the same list.
const UNSOUND: &[(&str, &str)] = &[
    ("Members$TypeArgument", "the class is a type argument in a signature"),
    ("Names$Decoded", "the name is decoded"),
];

/// The least number of cases.
const CASES: usize = 110;

/// A case: a class with a `main`, and what it printed.
struct Case {
    class: String,
    called: BTreeSet<String>,
}

/// The compiled cases with their resources.
fn classes() -> (TempDir, PathBuf) {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    let sources = samples::sources().join("features");
    samples::javac(&[], &sources, &classes);
    copy_resources(&sources, &classes);
    (folder, classes)
}

fn copy_resources(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(|entry| entry.unwrap().path()) {
        let target = to.join(entry.file_name().unwrap());
        if entry.is_dir() {
            copy_resources(&entry, &target);
        } else if entry.extension().is_none_or(|end| end != "java") {
            fs::copy(&entry, &target).unwrap();
        }
    }
}

/// All public static `main` methods of the program.
fn mains(opened: &OpenedWorld<'_>) -> Vec<String> {
    let mut world = opened.world();
    let mut found = Vec::new();
    for name in world.all_classes(ContainerKind::Program) {
        let class = world.class_of(name);
        let name = world.class_name(class);
        let main = world.method(&name, "main", "([Ljava/lang/String;)V");
        found
            .extend(main.filter(|&main| world.access_of(main) & access::STATIC != 0).map(|_| name));
    }
    found.sort();
    found
}

/// Runs each case in a JVM of its own: some end it, and what runs at an end belongs to its case.
fn run_all(jdk: &Jdk, classes: &Path, mains: &[String]) -> Vec<Case> {
    let next = Mutex::new(mains.iter());
    let cases = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(class) = next.lock().map_or(None, |mut left| left.next()) {
                    let case = Case { class: class.clone(), called: run_case(jdk, classes, class) };
                    cases.lock().unwrap().push(case);
                }
            });
        }
    });
    let mut cases = cases.into_inner().unwrap();
    cases.sort_by(|one, other| one.class.cmp(&other.class));
    cases
}

fn run_case(jdk: &Jdk, classes: &Path, class: &str) -> BTreeSet<String> {
    let mut command = tool::java(jdk);
    command
        .args(["-XX:TieredStopAtLevel=1", "-Xshare:auto", "-cp"])
        .arg(classes)
        .arg(class.replace('/', "."));
    let done = run::run(&mut command).fine();
    let called: BTreeSet<String> = done
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("called "))
        .map(str::to_owned)
        .collect();
    assert!(!called.is_empty(), "{class} called nothing\n{done}");
    called
}

fn shown(key: &MethodKey) -> String {
    format!("{}::{}{}", key.class, key.name, key.descriptor)
}

/// The methods of the program that the plan of a `main` has; those of the cases' own tools left
/// out.
fn planned(opened: &OpenedWorld<'_>, world: &mut World<'_>, main: MethodIx) -> BTreeSet<String> {
    let question = Query {
        roots: vec![main],
        entry_points: EntryPoints::Methods(vec![main]),
        services: opened.services().to_vec(),
        ..Query::default()
    };
    let reached = reach(world, &question);
    let methods: Vec<MethodIx> = reached.program_methods(world).collect();
    methods.into_iter().map(|method| shown(&world.key(method))).collect()
}

#[test]
fn plans_have_what_features_call() {
    let (_folder, classes) = classes();
    for jdk in jdk::main_and_25("features") {
        let options =
            Options { jdk: Some(jdk.home.clone()), cache: Cache::Off, ..Options::default() };
        let opened = open(std::slice::from_ref(&classes), &options).unwrap();
        let mains = mains(&opened);
        assert!(mains.len() >= CASES, "only {} cases", mains.len());
        let mut world = opened.world();
        let (mut unsound, mut lines) = (BTreeSet::new(), Vec::new());
        // By feature: cases, those that are not sound, methods called, methods planned.
        let mut features: BTreeMap<String, [usize; 4]> = BTreeMap::new();
        for case in run_all(jdk, &classes, &mains) {
            let main = world
                .method(&case.class, "main", "([Ljava/lang/String;)V")
                .expect("a case has a main");
            let plan = planned(&opened, &mut world, main);
            let missed: Vec<&String> = case.called.difference(&plan).collect();
            let (feature, _) = case
                .class
                .trim_start_matches("features/")
                .split_once('$')
                .expect("a case is nested");
            let row = features.entry(feature.to_owned()).or_default();
            let counts = [1, usize::from(!missed.is_empty()), case.called.len(), plan.len()];
            row.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            if !missed.is_empty() {
                let name = case.class.trim_start_matches("features/").to_owned();
                lines.push(format!("{name}: {missed:?}"));
                unsound.insert(name);
            }
        }
        println!(
            "| feature, {jdk} | cases | not sound | called | planned |\n|---|---|---|---|---|"
        );
        for (feature, [cases, not_sound, called, planned]) in features {
            println!("| {feature} | {cases} | {not_sound} | {called} | {planned} |");
        }
        let known: BTreeSet<String> = UNSOUND.iter().map(|case| case.0.to_owned()).collect();
        assert_eq!(unsound, known, "on {jdk}:\n{}", lines.join("\n"));
        assert!(
            unsound.len() * 20 <= mains.len(),
            "{} of {} cases are not sound",
            unsound.len(),
            mains.len()
        );
    }
}
