//! `plan`, and `rewrite --root` with the reachability analysis.

use super::support::*;
use jfathom_archive::{Input, ManifestEdit};
use jfathom_plan::{MANIFEST_PATH, Manifest};
use jfathom_testkit::Javac;
use serde_json::Value;
use std::{collections::BTreeSet, fs, sync::OnceLock};

/// A program in three parts: `app` calls `lib` and `task`; nobody calls `idle`.
const SOURCES: &[(&str, &str)] = &[
    (
        "app/Main.java",
        r#"package app;
        public class Main {
            static lib.Shape shape;
            public static void main(String[] args) throws Exception {
                shape = args.length > 5 ? new lib.Square() : new lib.Circle();
                System.out.println(work(3));
                unrelated();
                reflected();
            }
            public static int work(int n) throws Exception {
                task.Job job = new task.Job(n);
                Thread thread = new Thread(job);
                thread.start();
                thread.join();
                return shape.area(n) + job.result;
            }
            static void unrelated() { lib.Extra.more(); }
            static void reflected() throws Exception {
                String name = new StringBuilder("neddiH.bil").reverse().toString();
                ((Runnable) Class.forName(name).getDeclaredConstructor().newInstance()).run();
            }
            static native void low();
        }"#,
    ),
    (
        "lib/Shape.java",
        "package lib; public interface Shape { int area(int n); default int twice(int n) { return 2 * area(n); } }",
    ),
    (
        "lib/Circle.java",
        "package lib; public class Circle implements Shape { public int area(int n) { return 3 * n * n; } }",
    ),
    (
        "lib/Square.java",
        "package lib; public class Square implements Shape { public int area(int n) { return n * n; } }",
    ),
    (
        "lib/Triangle.java",
        "package lib; public class Triangle implements Shape { public int area(int n) { return n * n / 2; } }",
    ),
    (
        "lib/Extra.java",
        "package lib; public class Extra { public static void more() { System.out.println(\"more\"); } }",
    ),
    (
        "lib/Hidden.java",
        "package lib; public class Hidden implements Runnable { public void run() { step(); } void step() { System.out.println(\"hidden\"); } }",
    ),
    (
        "task/Job.java",
        r#"package task;
        public class Job implements Runnable {
            final int n; public int result;
            public Job(int n) { this.n = n; }
            public void run() { result = java.util.stream.IntStream.range(0, n).map(i -> square(i)).sum(); }
            static int square(int i) { return i * i; }
        }"#,
    ),
];

/// What the program prints.
const OUTPUT: &str = "32\nmore\nhidden\n";

fn compiled() -> &'static [(String, Vec<u8>)] {
    static COMPILED: OnceLock<Vec<(String, Vec<u8>)>> = OnceLock::new();
    COMPILED.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let source = |&(name, text): &(&str, &str)| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            path
        };
        let sources: Vec<_> = SOURCES.iter().map(source).collect();
        Javac::release(11).compile(&sources, &folder.path().join("out"));
        let mut found = Vec::new();
        for package in ["app", "lib", "task"] {
            for entry in fs::read_dir(folder.path().join("out").join(package)).unwrap() {
                let entry = entry.unwrap();
                let name = format!("{package}/{}", entry.file_name().to_str().unwrap());
                found.push((name, fs::read(entry.path()).unwrap()));
            }
        }
        found.sort();
        found
    })
}

fn of(packages: &[&str]) -> Vec<(String, Vec<u8>)> {
    compiled()
        .iter()
        .filter(|(name, _)| packages.iter().any(|package| name.starts_with(package)))
        .cloned()
        .collect()
}

/// The program in two jars, of which the first names the second in its Class-Path.
fn program() -> Place {
    let place = Place::new();
    let main =
        [ManifestEdit::set("Main-Class", "app.Main"), ManifestEdit::set("Class-Path", "lib.jar")];
    place.write("main.jar", &jar(&main, &of(&["app/", "task/"])));
    place.write("lib.jar", &jar(&[], &of(&["lib/"])));
    place
}

/// A plan as JSON.
fn plan(place: &Place, arguments: &[&str]) -> Value {
    let answer = place.jfathom(&[&["plan", "--json"], arguments].concat()).fine();
    let json: Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(json["format"], "jfathom-plan");
    assert_eq!(json["totals"]["methods"], json["methods"].as_array().unwrap().len());
    json
}

fn key(method: &Value) -> String {
    let text = |name: &str| method[name].as_str().unwrap().to_owned();
    format!("{}.{}{}", text("class"), text("name"), text("descriptor"))
}

fn keys(json: &Value) -> BTreeSet<String> {
    json["methods"].as_array().unwrap().iter().map(key).collect()
}

/// Class and name of what is planned, without lambdas' numbers.
fn names(json: &Value) -> BTreeSet<String> {
    let name = |key: String| key.split('(').next().unwrap().to_owned();
    keys(json).into_iter().map(name).collect()
}

fn manifest(place: &Place, file: &str) -> BTreeSet<String> {
    let input = Input::open(place.path(file)).unwrap();
    let Some(bytes) = input.read(MANIFEST_PATH).unwrap() else { return BTreeSet::new() };
    let manifest = Manifest::from_json(&bytes).unwrap();
    manifest
        .methods()
        .map(|(class, method)| format!("{}.{}{}", class.name, method.name, method.descriptor))
        .collect()
}

const ROOT: [&str; 3] = ["main.jar", "--root", "app.Main::work"];

#[test]
fn a_root_reaches_what_it_can_call() {
    let place = program();
    let json = plan(&place, &ROOT);
    let expected = [
        "app/Main.work",
        "lib/Circle.area",
        "lib/Square.area",
        "task/Job.<init>",
        "task/Job.lambda$run$0",
        "task/Job.run",
        "task/Job.square",
    ];
    let names = names(&json);
    assert!(expected.iter().all(|item| names.contains(*item)), "{names:?}");
    for outside in [
        "app/Main.main",
        "app/Main.unrelated",
        "lib/Extra.more",
        "lib/Triangle.area",
        "lib/Hidden.step",
    ] {
        assert!(!names.contains(outside), "{outside} in {names:?}");
    }
    assert_eq!((&json["scheme"], &json["callGraph"]), (&"static".into(), &"rta".into()));
    assert_eq!(json["analysis"]["entryPoints"]["from"], "program");
    assert_eq!(
        json["analysis"]["roots"].as_array().unwrap().iter().map(key).collect::<Vec<_>>(),
        ["app/Main.work(I)I"]
    );
    let of = |name: &str| {
        json["methods"]
            .as_array()
            .unwrap()
            .iter()
            .find(|item| item["name"] == name)
            .unwrap()
            .clone()
    };
    assert_eq!(
        (of("work")["kind"].as_str(), of("work")["reason"].as_str()),
        (Some("root"), Some("root"))
    );
    assert_eq!(
        (of("square")["kind"].as_str(), of("square")["reason"].as_str()),
        (Some("in-root"), Some("call"))
    );
    assert_eq!(key(&of("square")["from"]), "task/Job.lambda$run$0(I)I");
    let sum = |name: &str| {
        json[name].as_object().unwrap().values().map(|item| item.as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!((sum("byReason"), sum("byPackage")), (names.len() as u64, names.len() as u64));
    let bytes = &json["totals"]["codeBytes"];
    assert!(bytes["before"].as_u64() < bytes["after"].as_u64(), "{bytes}");
}

#[test]
fn the_plan_is_what_rewrite_does() {
    let place = program();
    for (number, options) in [
        &[][..],
        &["--scheme=cha"],
        &["--scheme", "total"],
        &["--include", "lib.**"],
        &["--include", "!task.**", "--probe=trivial=off"],
        &["--assume-called", "lib.Hidden::run"],
        &["--entry-point", "app.Main::main"],
        &["--root", "!app.Main::low", "--root", "lib.Extra"],
    ]
    .into_iter()
    .enumerate()
    {
        let arguments = [&ROOT[..], options].concat();
        let planned = keys(&plan(&place, &arguments));
        let out = format!("out{number}");
        place.jfathom(&[&["rewrite", "-o", &out], &arguments[..]].concat()).fine();
        let mut written = manifest(&place, &format!("{out}/main.jar"));
        written.extend(manifest(&place, &format!("{out}/lib.jar")));
        assert_eq!(planned, written, "{options:?}");
    }
    assert_eq!(keys(&plan(&place, &["main.jar", "--include", "lib.**"])).len(), 12);
}

#[test]
fn a_recording_has_one_tree_under_the_root() {
    let place = program();
    place.jfathom(&[&["rewrite", "-o", "out"], &ROOT[..]].concat()).fine().says(&[
        "recorded only inside app.Main::work(I)I\n",
        "instrumented: the methods that can be called there, by call graph rta with entries any method of the program",
    ]);
    let run = place.java(&["-Xverify:all", "-jar", "out/main.jar"]).fine();
    assert_eq!((run.out.as_str(), run.err.as_str()), (OUTPUT, ""));
    let java = java_home().join("bin/java");
    let record = place
        .jfathom(&["record", "-q", "--", java.to_str().unwrap(), "-jar", "out/main.jar"])
        .fine();
    assert_eq!(record.out, OUTPUT);
    let report: Value =
        serde_json::from_str(&place.jfathom(&["report", "--json"]).fine().out).unwrap();
    assert_eq!(report["quality"]["clean"], true, "{}", report["quality"]);
    let called: BTreeSet<String> = report["methods"].as_array().unwrap().iter().map(key).collect();
    let planned = keys(&plan(&place, &ROOT));
    assert!(called.is_subset(&planned), "{called:?} in {planned:?}");
    assert!(
        called.contains("lib/Circle.area(I)I") && called.contains("task/Job.square(I)I"),
        "{called:?}"
    );
    let stacks = place
        .jfathom(&["report", "--as=collapsed", "--weight", "calls", "--filter=threads=all"])
        .fine()
        .out;
    for stack in stacks.lines() {
        assert!(
            stack.starts_with("app.Main::work") || stack.starts_with("spawned from app.Main::work"),
            "{stacks}"
        );
    }
    // What was recorded widens no plan that has it all.
    let seen = plan(&place, &[&ROOT[..], &["--profile-use", "profile.jfp"]].concat());
    assert_eq!(seen["analysis"]["profiledCalls"]["called"], called.len());
    assert_eq!(seen["analysis"]["profiledCalls"]["foundOnly"], serde_json::json!([]));
    assert_eq!(keys(&seen), planned);
    place.jfathom(&["inspect", "out/lib.jar"]).fine().says(&["app.Main::work", "static"]);
}

#[test]
fn what_a_run_saw_is_planned() {
    let place = program();
    place.jfathom(&["rewrite", "main.jar", "-o", "all"]).fine();
    let java = java_home().join("bin/java");
    place.jfathom(&["record", "-q", "--", java.to_str().unwrap(), "-jar", "all/main.jar"]).fine();
    let main = ["main.jar", "--root", "app.Main::main"];
    let without = plan(&place, &main);
    assert!(!names(&without).contains("lib/Hidden.step"), "its name is turned round at run time");
    let seen = plan(&place, &[&main[..], &["--profile-use", "profile.jfp"]].concat());
    let only: BTreeSet<String> = seen["analysis"]["profiledCalls"]["foundOnly"]
        .as_array()
        .unwrap()
        .iter()
        .map(key)
        .collect();
    assert_eq!(
        only,
        ["lib/Hidden.<init>()V", "lib/Hidden.run()V", "lib/Hidden.step()V"]
            .map(str::to_owned)
            .into()
    );
    assert!(only.is_subset(&keys(&seen)));
    let text =
        place.jfathom(&[&["plan", "--profile-use", "profile.jfp"], &main[..]].concat()).fine();
    text.says(&["3 found only there", "lib.Hidden::step()V"]);
    place
        .jfathom(&[&["plan", "--profile-use", "none.jfp"], &main[..]].concat())
        .refused(1, &["none.jfp"]);
}

#[test]
fn objects_come_from_where_it_is_said() {
    let place = program();
    let from = |options: &[&str]| {
        let json = plan(&place, &[&["main.jar"], options].concat());
        (json["analysis"]["entryPoints"]["from"].as_str().unwrap().to_owned(), names(&json))
    };
    let (objects, names) = from(&["--root", "app.Main::main"]);
    assert_eq!(objects, "roots");
    assert!(names.contains("lib/Extra.more") && !names.contains("lib/Triangle.area"), "{names:?}");
    let (objects, names) = from(&["--root", "app.Main::work", "--entry-point", "app.Main::work"]);
    assert_eq!(objects, "entries");
    assert!(
        !names.contains("lib/Circle.area") && !names.contains("lib/Square.area"),
        "nobody makes one: {names:?}"
    );
    let (objects, names) = from(&["--root", "app.Main::work", "--entry-point", "app.Main::main"]);
    assert_eq!(objects, "entries");
    assert!(names.contains("lib/Circle.area") && names.contains("lib/Square.area"), "{names:?}");
    let (_, names) = from(&["--root", "app.Main::work", "--scheme=cha"]);
    assert!(names.contains("lib/Triangle.area"), "{names:?}");
    let (_, names) = from(&["--root", "app.Main::work", "--assume-called", "lib.Hidden::run"]);
    assert!(names.contains("lib/Hidden.step") && !names.contains("lib/Extra.more"), "{names:?}");
    let text = place.jfathom(&["plan", "main.jar", "--root", "app.Main::main"]).fine();
    text.says(&[
        "entries     the root itself\n",
        "call graph  rta",
        "by reason",
        "by package",
        "by input",
    ]);
    let text = place.jfathom(&["plan", "main.jar", "--include", "lib.**"]).fine();
    text.says(&["would instrument 12 of 21 methods", "nothing was written"]);
    assert!(!place.path("out").exists());
}

#[test]
fn why_is_answered_by_the_shortest_way() {
    let place = program();
    let why =
        |selector: &str| place.jfathom(&[&["plan", "--why", selector], &ROOT[..]].concat()).fine();
    why("task.Job::square").says(&[
        "why task.Job::square(I)I: reached in ",
        "\n  app.Main::work(int) — root\n",
        "\n  task.Job::lambda$run$0(int) — lambda, called as IntUnaryOperator::applyAsInt\n  task.Job::square(int) — call\n",
    ]);
    why("lib.Circle::area").says(&[
        "reached in 1 step\n",
        "— interface call of Shape::area on a Circle, made in Main::main\n",
    ]);
    why("lib.Triangle::area")
        .says(&["not reached by call graph rta; --scheme cha would reach it in 1 step\n"]);
    why("lib.Extra::more").says(&["not reached, not even by call graph cha\n"]);
    why("java.lang.Thread::start()V").says(&["not instrumented: it is in the JDK"]);
    let json = plan(&place, &[&ROOT[..], &["--why", "task.Job::run"]].concat());
    let way = json["why"][0]["path"].as_array().unwrap();
    assert_eq!((way[0]["reason"].as_str(), way[0]["jdk"].as_bool()), (Some("root"), Some(false)));
    assert_eq!(key(way.last().unwrap()), "task/Job.run()V");
    let excluded =
        [&["plan", "--why", "task.Job::run", "--include", "!task.**"], &ROOT[..]].concat();
    place.jfathom(&excluded).fine().says(&["not instrumented: the selectors exclude it"]);
}

#[test]
fn graphs_and_files() {
    let place = program();
    let answer = place.jfathom(&[&["plan", "-o", "p.dot"], &ROOT[..]].concat()).fine();
    assert_eq!(answer.out, "");
    let dot = String::from_utf8(place.read("p.dot")).unwrap();
    assert!(dot.starts_with("digraph plan {\n") && dot.ends_with("}\n"), "{dot}");
    let mut nodes = BTreeSet::new();
    let mut ends = BTreeSet::new();
    for line in dot.lines().map(str::trim) {
        if let Some((from, rest)) = line.split_once(" -> ") {
            ends.extend([from, rest.split([' ', ';']).next().unwrap()]);
        } else if line.starts_with(['m', 'n']) && !line.starts_with("node") {
            nodes.insert(line.split(' ').next().unwrap());
        }
    }
    assert!(ends.is_subset(&nodes), "{dot}");
    let methods = nodes.iter().filter(|node| node.starts_with('m')).count();
    assert_eq!(methods, plan(&place, &ROOT)["methods"].as_array().unwrap().len());
    assert!(
        nodes.iter().filter(|node| node.starts_with('m')).all(|node| ends.contains(node)),
        "nothing hangs alone: {dot}"
    );

    place.jfathom(&[&["plan", "--json", "-o", "p.json"], &ROOT[..]].concat()).fine();
    assert!(serde_json::from_slice::<Value>(&place.read("p.json")).is_ok());
    let refused = |options: &[&str], words: &[&str]| {
        place.jfathom(&[&["plan"], &ROOT[..], options].concat()).refused(2, words);
    };
    refused(&["--json", "-o", "main.jar"], &["main.jar: is an input"]);
    refused(&["-o", "."], &["is a directory"]);
    place.jfathom(&["plan", "main.jar", "-o", "p.dot"]).refused(2, &["--root"]);
    place
        .jfathom(&[&["plan", "--json", "-o", "no/such.json"], &ROOT[..]].concat())
        .refused(1, &["no: cannot write there"]);
}

#[test]
fn wrong_selectors_are_refused_by_each_option() {
    let place = program();
    for option in ["--root", "--why", "--assume-called", "--entry-point", "--include"] {
        let arguments = [&["plan"], &ROOT[..], &[option, "app.Main::wrok"]].concat();
        let words =
            format!("{option} app.Main::wrok matches nothing; did you mean app.Main::work?");
        place.jfathom(&arguments).refused(2, &[&words]);
    }
    let roots = |root: &str, words: &[&str]| {
        place.jfathom(&["plan", "main.jar", "--root", root]).refused(2, words);
        place.jfathom(&["rewrite", "main.jar", "-o", "out", "--root", root]).refused(2, words);
    };
    roots(
        "lib.Shape::area",
        &["only abstract methods", "choose the methods that implement it", "lib.Circle::area(I)I"],
    );
    roots("app.Main::low", &["only native methods"]);
    roots("java.util.ArrayList::add", &["is in the JDK", "--scheme jdk"]);
    roots("!app.Main", &["a root is a selector without `!`"]);
    let with = |options: &[&str], words: &[&str]| {
        place.jfathom(&[&["plan"], &ROOT[..], options].concat()).refused(2, words);
    };
    with(&["--scheme", "lazy"], &["only `record` has it", "static and total"]);
    with(&["--scheme", "static+vta"], &["static and total", "+cha"]);
    with(
        &["--scheme", "total", "--why", "app.Main::main"],
        &["--scheme total instruments every selected method", "--why"],
    );
    with(&["--scheme", "total+cha"], &["no call graph for --scheme cha"]);
    // No profile is read for a request that is refused.
    for options in [&["--scheme", "total"][..], &["--scheme=jdk", "--placement", "main"]] {
        let options = [options, &["--profile-use", "no/such.jfp"]].concat();
        let answer = place.jfathom(&[&["plan"], &ROOT[..], &options].concat());
        assert!(!answer.err.contains("no/such.jfp"), "{}", answer.err);
        answer.refused(2, &["--"]);
    }
    with(
        &["--scheme", "total+jdk"],
        &["--scheme total instruments every selected method", "--scheme jdk"],
    );
    with(&["--assume-called", "!app.Main"], &["--assume-called !app.Main: takes no exclusions"]);
    let mut elsewhere = place.command(&[&["plan"], &ROOT[..]].concat());
    place
        .run(elsewhere.env("JAVA_HOME", "no/such"))
        .refused(2, &["no/such: there is no such directory"]);
    with(&["--scheme=jdk", "--placement", "main"], &["--scheme jdk needs --placement java-base"]);
    with(
        &["--scheme=jdk", "--root", "java.lang.String::format"],
        &["runtime uses java.lang.String itself"],
    );
    for option in ["--assume-called", "--entry-point", "--why"] {
        place.jfathom(&["plan", "main.jar", option, "app.Main"]).refused(2, &["--root"]);
    }
    assert!(!place.path("out").exists());
}

#[test]
fn what_is_nowhere_is_told() {
    let place = program();
    let one_input = ["main.jar", "--libraries=off", "--root", "app.Main::main"];
    let json = plan(&place, &one_input);
    let missing: Vec<&str> = json["analysis"]["missing"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["what"].as_str().unwrap())
        .collect();
    assert_eq!(missing, ["lib.Circle", "lib.Extra", "lib.Shape", "lib.Square"]);
    place.jfathom(&[&["plan"], &one_input[..]].concat()).fine().says(&[
        "missing     4 classes or methods",
        "lib.Extra (needed by app.Main::unrelated()V)",
    ]);
    let rewrite = place.jfathom(&[&["rewrite", "-o", "out"], &one_input[..]].concat()).fine();
    assert!(
        rewrite.err.contains("warning: 4 classes or methods that the roots need are missing"),
        "{}",
        rewrite.err
    );
}

#[test]
fn nested_and_versioned_classes_are_chosen() {
    let place = program();
    let boot: Vec<_> = of(&["app/"])
        .into_iter()
        .map(|(name, bytes)| (format!("BOOT-INF/classes/{name}"), bytes))
        .collect();
    let libraries = [("lib.jar", &["lib/"]), ("task.jar", &["task/"])];
    let nested =
        libraries.map(|(name, packages)| (format!("BOOT-INF/lib/{name}"), jar(&[], &of(packages))));
    place.write("boot.jar", &jar(&[], &[boot, nested.to_vec()].concat()));
    let flat = keys(&plan(&place, &ROOT));
    assert_eq!(keys(&plan(&place, &["boot.jar", "--root", "app.Main::work"])), flat);

    // A class for a release that is not loaded gets the same probes, and those of its own methods.
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("Circle.java"),
        "package lib; public class Circle implements Shape { public int area(int n) { return grow(n); } int grow(int n) { return 3 * n * n; } }",
    )
    .unwrap();
    let classes = folder.path().join("out");
    for (name, bytes) in of(&["lib/Shape"]) {
        fs::create_dir_all(classes.join("lib")).unwrap();
        fs::write(classes.join(name), bytes).unwrap();
    }
    let javac = Javac::release(11).option("-cp").option(classes.display().to_string());
    javac.compile(&[folder.path().join("Circle.java")], &classes);
    let mut entries = of(&["app/", "lib/", "task/"]);
    entries.push((
        "META-INF/versions/99/lib/Circle.class".to_owned(),
        fs::read(classes.join("lib/Circle.class")).unwrap(),
    ));
    place.write("versions.jar", &jar(&[ManifestEdit::set("Multi-Release", "true")], &entries));
    let json = plan(&place, &["versions.jar", "--root", "app.Main::work"]);
    let areas = json["methods"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|item| key(item) == "lib/Circle.area(I)I")
        .count();
    assert_eq!(areas, 2);
    let grow =
        json["methods"].as_array().unwrap().iter().find(|item| item["name"] == "grow").unwrap();
    assert_eq!(grow["reason"], "other-version");
}

#[test]
fn methods_of_the_jdk_are_instrumented_when_asked() {
    let place = program();
    let arguments = ["main.jar", "--root", "app.Main::work", "--scheme=jdk"];
    let json = plan(&place, &arguments);
    let inputs = json["inputs"].as_array().unwrap();
    let base =
        inputs.iter().position(|item| item["module"] == "java.base").expect("java.base is added");
    assert_eq!(
        (inputs[base]["jdk"].as_bool(), inputs[base]["path"].as_str()),
        (Some(true), Some("jrt:/java.base"))
    );
    let planned = |class: &str| {
        let mut methods = json["methods"].as_array().unwrap().iter();
        methods
            .any(|item| item["input"] == base && item["class"].as_str().unwrap().starts_with(class))
    };
    assert!(planned("java/util/stream/IntPipeline"));
    assert!(
        !planned("java/lang/Thread") && !planned("java/lang/String"),
        "what the runtime uses is skipped"
    );
    place
        .jfathom(&[&["plan"], &arguments[..]].concat())
        .fine()
        .says(&["in jrt:/java.base", "runtime-uses"]);
    place
        .jfathom(&[
            "plan",
            "main.jar",
            "--root",
            "java.util.stream.IntPipeline::sum",
            "--scheme=jdk",
        ])
        .fine();
    let without = plan(&place, &[&arguments[..], &["--include", "!java.util.stream.**"]].concat());
    assert!(!names(&without).iter().any(|name| name.starts_with("java/util/stream/")));
}

/// A program with one `main` that says what it makes, an overload of it, and a class that nobody
/// makes.
const OPEN: &str = r#"
package open;

public class Main {
    static Shape shape;

    public static void main(String[] args) {
        main(args.length);
    }

    static void main(int count) {
        shape = new Round();
        work();
    }

    static void work() {
        shape.draw();
    }

    interface Shape {
        void draw();
    }

    static class Round implements Shape {
        public void draw() {}
    }

    static class Flat implements Shape {
        static Shape unused() {
            return new Flat();
        }

        public void draw() {}
    }
}
"#;

#[test]
fn objects_come_from_the_main_of_the_program() {
    let place = Place::new();
    place.write("Main.java", OPEN.as_bytes());
    place.compile("Main.java", "classes");
    let json = plan(&place, &["classes", "--root", "open.Main::work"]);
    assert_eq!(json["analysis"]["entryPoints"]["from"], "mains");
    assert_eq!(
        key(&json["analysis"]["entryPoints"]["entries"][0]),
        "open/Main.main([Ljava/lang/String;)V"
    );
    let found = names(&json);
    assert!(
        found.contains("open/Main$Round.draw") && !found.contains("open/Main$Flat.draw"),
        "{found:?}"
    );
    // What no main leads to may find whatever the program makes.
    let json = plan(&place, &["classes", "--root", "open.Main$Flat::unused"]);
    assert_eq!(json["analysis"]["entryPoints"]["from"], "program");
    let said = place.jfathom(&["plan", "classes", "--root", "open.Main::main"]).fine().err;
    assert!(
        said.contains("--root selects 2 methods called main of open.Main; `open.Main::main([Ljava/lang/String;)V`"),
        "{said}"
    );
}

#[test]
fn of_a_large_program_what_is_reached_is_read() {
    let place = Place::new();
    place.write("Main.java", OPEN.as_bytes());
    place.compile("Main.java", "classes");
    let root = ["--root", "open.Main::main([Ljava/lang/String;)V"];
    let small = plan(&place, &[&["classes"], &root[..]].concat());
    // Entries that nothing reaches, more than are read as a whole: not one of them is a class.
    for number in 0..9 {
        place.write(&format!("more/junk/N{number}.class"), &vec![number; 8 << 20]);
    }
    let large = plan(&place, &[&["classes", "more"], &root[..]].concat());
    assert_eq!(names(&large), names(&small));
    assert!(
        small["totals"]["allMethods"].is_u64() && large["totals"].get("allMethods").is_none(),
        "{large}"
    );
    assert_eq!(large["inputs"][1]["allClasses"], 9);
    let said = place.jfathom(&[&["plan", "classes", "more"], &root[..]].concat()).fine();
    assert!(!said.err.contains("junk"), "{}", said.err);
    // The same probes are put in, and what has no part is as it was.
    place.jfathom(&[&["rewrite", "classes", "more", "-o", "out"], &root[..]].concat()).fine();
    let run = place.java(&["-cp", "out/classes", "open.Main"]);
    let plain = place.java(&["-cp", "classes", "open.Main"]);
    assert_eq!((run.out, run.code), (plain.out, plain.code));
    assert_eq!(place.read("out/more/junk/N7.class"), place.read("more/junk/N7.class"));
    // A selector that needs all classes has them: one that selects nothing is told as ever.
    place
        .jfathom(&["plan", "classes", "more", "--root", "open.Mein::main"])
        .refused(2, &["open.Main"]);
}

/// What reflection calls, by names that the program takes from outside.
const HIDDEN: &str = r#"
package hidden;

public class Main {
    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 100; i++) open();
        Object made = Class.forName(System.getProperty("name", args[0])).getConstructor().newInstance();
        Named.class.getConstructor(int.class).newInstance(3);
    }

    static void open() {}

    static native void unused();

    public static class Computed {
        public Computed() {}
    }

    public static class Named {
        public Named() {}

        public Named(int number) {}
    }
}
"#;

#[test]
fn a_report_says_what_its_plan_could_not_follow() {
    let place = Place::new();
    place.write("Main.java", HIDDEN.as_bytes());
    place.compile("Main.java", "classes");
    let root = ["--root", "hidden.Main::main"];
    let what = "1 class name that is computed: calls below may be missing";
    let plan = place.jfathom(&[&["plan", "classes"], &root[..]].concat()).fine();
    let first: Vec<&str> = plan.out.lines().take(2).collect();
    assert!(
        first[0].starts_with("hidden.Main::main may load any of 3 classes by a name"),
        "{first:?}"
    );
    assert!(first[1].starts_with("  (--profile-use PROFILE "), "{first:?}");
    plan.says(&[&format!("unfollowed  {what}")]);
    place.jfathom(&[&["rewrite", "classes", "-o", "out"], &root[..]].concat()).fine();
    let java = java_home().join("bin/java");
    let command =
        [java.to_str().unwrap(), "-cp", "out/classes", "hidden.Main", "hidden.Main$Computed"];
    place.jfathom(&[&["record", "--budget=none", "--"], &command[..]].concat()).fine();
    // The constructor with a parameter is there, the one of the computed class is not.
    let report = place
        .jfathom(&["report", "--view=summary", "--view=methods", "profile.jfp"])
        .fine()
        .says(&["102 calls of 3 methods", "hidden.Main$Named::<init>"]);
    let second = report.out.lines().nth(1).unwrap();
    assert!(
        second.starts_with("plan      could not follow 1 class name that is computed: "),
        "{}",
        report.out
    );
    let json = place.jfathom(&["report", "--json", "profile.jfp"]).fine();
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(json["unfollowed"], serde_json::json!({ "computed-class-name": 1 }));
    assert_eq!(json["quality"]["clean"], serde_json::json!(true));
    // A profile of everything that was selected has no such line.
    place.jfathom(&["rewrite", "classes", "-o", "all"]).fine();
    let all = command.map(|word| word.replace("out/", "all/"));
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    place.jfathom(&[&["record", "-f", "--budget=none", "--"], &all[..]].concat()).fine();
    let report = place.jfathom(&["report", "--view=summary", "profile.jfp"]).fine();
    let report = report.says(&["103 calls of 4 methods"]);
    assert!(!report.out.contains("could not follow"), "{}", report.out);
}

/// Method handles that are looked up by a computed name are followed as far as the name is known,
/// and counted in the head of plan and report.
#[test]
fn look_ups_of_method_handles_by_computed_names_are_counted() {
    let place = Place::new();
    place.write(
        "R.java",
        br#"import java.lang.invoke.*;
public class R {
    public static void viaHandle() { }
    public static void other() { }
    static void known(String name) throws Throwable {
        MethodHandles.lookup().findStatic(R.class, name, MethodType.methodType(void.class)).invoke();
    }
    static void unknown(Class<?> of, String name) throws Throwable {
        String constant = "identifier";
        MethodHandles.lookup().findStatic(of, name, MethodType.methodType(void.class)).invoke();
    }
    static void constructor(Class<?> of) throws Throwable {
        MethodHandles.lookup().findConstructor(of, MethodType.methodType(void.class)).invoke();
    }
    static void runKnown(String end) throws Throwable { known("via" + end); }
    public static void main(String[] words) throws Throwable { runKnown(words[0]); }
}"#,
    );
    place.compile("R.java", "classes");
    let plan = |root: &str| {
        let text = place.jfathom(&["plan", "classes", "--root", root, "--json"]).fine().out;
        serde_json::from_str::<serde_json::Value>(&text).unwrap()
    };
    let unfollowed = |root: &str, kind: &str| plan(root)["analysis"]["unfollowed"][kind].as_u64();
    assert_eq!(unfollowed("R::runKnown", "reflective-call"), Some(1));
    assert_eq!(unfollowed("R::unknown", "reflective-call"), Some(1));
    assert_eq!(unfollowed("R::constructor", "reflective-construction"), Some(1));
    let text = place.jfathom(&["plan", "classes", "--root", "R::runKnown"]).fine();
    text.says(&["unfollowed  1 reflective call"]);
    place.jfathom(&["rewrite", "classes", "-o", "out", "--root", "R::runKnown"]).fine();
    let java = java_home().join("bin/java").display().to_string();
    let words = ["record", "-o", "p.jfp", "--", &java, "-cp", "out/classes", "R", "Handle"];
    place.jfathom(&words).fine();
    place.jfathom(&["report", "p.jfp"]).fine().says(&["R::viaHandle", "1 reflective call"]);
}
