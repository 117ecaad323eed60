//! What threads caught, in recordings that are more than one run of one program: in slices, in
//! sessions one after another, and in methods of the JDK.

use crate::{JFATHOM, catches};
use jfathom_compare::join;
use jfathom_profile::{EventKind, Profile};
use jfathom_tests::{
    jdk,
    jdk::Jdk,
    live::{Desk, Live},
    run, samples,
    tool::java,
    wire,
};
use std::{collections::BTreeMap, fs, path::Path};

/// Exceptions by the name of the method that caught them, and their class.
fn caught(profile: &Profile) -> BTreeMap<(String, String), u64> {
    let mut found = BTreeMap::new();
    for row in profile.tree.all_events() {
        assert_eq!(row.name.kind, EventKind::Caught);
        let class = row.name.class.as_deref().unwrap_or_default().to_owned();
        let method = catches::name(profile, row.node).to_owned();
        *found.entry((method, class)).or_default() += row.sum.count;
    }
    found
}

/// The classes have their numbers in the first slice that needs them, and keep them.
#[test]
fn slices_have_what_was_caught() {
    let folder = samples::temp_dir();
    let place = |name: &str| folder.path().join(name);
    catches::compile(&place("classes"));
    let root = ["--root", catches::ROOT];
    let out = JFATHOM.rewrite(&place("classes"), &place("out"), &root);
    for jdk in jdk::main_and_25("caught exceptions in slices") {
        for (live, classes) in [(&[][..], &out), (&root[..], &place("classes"))] {
            let slices = place(&format!("slices-{}-{}", jdk.version, live.len()));
            fs::create_dir(&slices).unwrap();
            let mut command = JFATHOM.command();
            command.args([
                "record",
                "-q",
                "--every",
                "100ms",
                "--budget=none",
                "--tune=calibrate=off",
            ]);
            command.args(catches::CAUGHT).args(live).arg("-o").arg(slices.join("p-%n.jfp"));
            command.arg("--").arg(jdk.java());
            let words = wire::class_path(classes, catches::MAIN, &[]);
            let done = run::run(command.args(words)).fine();
            let mut paths: Vec<_> =
                fs::read_dir(&slices).unwrap().map(|entry| entry.unwrap().path()).collect();
            paths.sort();
            let read = |path: &std::path::PathBuf| {
                Profile::read_whole(&mut fs::read(path).unwrap().as_slice()).unwrap()
            };
            let all: Vec<Profile> = paths.iter().map(read).collect();
            assert!(all.len() > 1, "{} slices: {done}", all.len());
            let joined = join(all).expect("slices of one recording");
            let context = format!("{live:?} {jdk:?}");
            catches::check(&joined, &done.stdout, &context);
        }
    }
}

const TWICE: &str = "package twice; import java.io.*; public class Main {
    public static void main(String[] args) throws Exception {
        System.out.println(\"ready \" + ProcessHandle.current().pid());
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null; ) {
            root(Integer.parseInt(line));
            System.out.println(\"= \" + line);
        }
    }
    static void root(int times) { for (int at = 0; at < times; at++) catcher(at); }
    static void catcher(int at) {
        try {
            if (at % 3 == 0) throw new IllegalStateException();
            if (at % 3 == 1) throw new ArithmeticException();
            if (at > 10) throw new UnsupportedOperationException();
        } catch (RuntimeException e) { e.getMessage(); }
    } }";

fn compiled(source: &str, name: &str, folder: &Path) -> std::path::PathBuf {
    let file = folder.join("source").join(name);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, source).unwrap();
    samples::javac_for(11, &[], &folder.join("source"), &folder.join("classes"));
    folder.join("classes")
}

/// The JVM's table of classes outlives a session: the next one is told their names again.
#[test]
fn sessions_one_after_another_have_the_names_of_classes() {
    let folder = samples::temp_dir();
    let classes = compiled(TWICE, "twice/Main.java", folder.path());
    for jdk in jdk::all("caught exceptions of two sessions") {
        let mut command = java(jdk);
        command.arg("-cp").arg(&classes).arg("twice.Main");
        let mut desk = Desk::of(command);
        // The second session has a class that the first one has not.
        for (times, expected) in [(9, [3, 3, 0]), (30, [10, 10, 7])] {
            let live = Live::roots(JFATHOM, &["twice.Main::root"]).with(&["-q"]);
            let mut recording = live.with(catches::CAUGHT).attach(desk.pid);
            recording.until_live();
            desk.expect(&times.to_string(), &times.to_string());
            let (_, profile) = recording.end();
            let names = ["IllegalState", "Arithmetic", "UnsupportedOperation"];
            let of = names.map(|name| ("catcher".to_owned(), format!("java.lang.{name}Exception")));
            let expected = of.into_iter().zip(expected).filter(|(_, number)| *number > 0);
            assert_eq!(caught(&profile), expected.collect(), "{times}: {jdk:?}");
        }
        desk.finish().fine();
    }
}

const ASKS: &str = "package asks; public class Main {
    public static void main(String[] args) { root(); }
    static void root() { for (int at = 0; at < 7; at++) asker(); }
    static void asker() {
        try { java.net.URI.create(\"::\"); } catch (IllegalArgumentException e) { e.getMessage(); }
    } }";

/// `URI.create` catches what its constructor throws, and throws another one.
fn check_jdk(jdk: &Jdk, classes: &Path) {
    let live = Live::roots(JFATHOM, &["asks.Main::root"]).with(&["-q", "--scheme=jdk"]);
    let words = wire::class_path(classes, "asks.Main", &[]);
    let (_, profile) = live.with(catches::CAUGHT).run(jdk, &words, 0);
    let found = caught(&profile);
    let of = |method: &str, class: &str| found.get(&(method.to_owned(), class.to_owned())).copied();
    assert_eq!(of("create", "java.net.URISyntaxException"), Some(7), "{jdk:?}: {found:?}");
    assert_eq!(of("asker", "java.lang.IllegalArgumentException"), Some(7), "{jdk:?}: {found:?}");
}

#[test]
fn methods_of_the_jdk_tell_what_they_catch() {
    let folder = samples::temp_dir();
    let classes = compiled(ASKS, "asks/Main.java", folder.path());
    jdk::all("caught exceptions of the JDK").into_iter().for_each(|jdk| check_jdk(jdk, &classes));
}
