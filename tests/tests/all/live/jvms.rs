//! JVMs of other ages and in other moods.

use super::{assert_work, live};
use jfathom_tests::{
    jdk,
    jdk::Jdk,
    live::{Desk, classes},
    run, samples,
    tool::java,
};

/// Attached to, and launched, with these options: the roots' numbers and what the program says are
/// as always.
#[track_caller]
fn works(jdk: &Jdk, options: &[&str], class_path: &str) {
    let words = |options: &[&str]| {
        let mut words: Vec<String> = options.iter().map(|word| (*word).to_owned()).collect();
        words.extend(["-cp".to_owned(), class_path.to_owned(), "live.Desk".to_owned()]);
        words
    };
    let recording = live(&["live.Work::root"]);
    let mut desk = Desk::of(recording.launching(jdk, &words(options)));
    desk.expect("Work 10", "327");
    let done = desk.finish().fine();
    assert_work(&recording.read(&done), &recording.lines(), 10);

    let mut command = java(jdk);
    command.args(words(options));
    let mut desk = Desk::of(command);
    desk.expect("Work 10", "327");
    let mut recording = live(&["live.Work::root"]).attach(desk.pid);
    recording.until_live();
    desk.expect("Work 10", "327");
    let lines = recording.lines();
    let (_, profile) = recording.end();
    assert_work(&profile, &lines, 10);
    desk.expect("Work 10", "327");
    desk.finish().fine();
}

#[track_caller]
fn works_with(jdk: &Jdk, options: &[&str]) {
    works(jdk, options, &classes().display().to_string());
}

#[test]
fn older() {
    if let Some(jdk) = jdk::jre11("live on 11") {
        works_with(jdk, &[]);
    }
    if let Some(jdk) = jdk::jre21("live on 21") {
        works_with(jdk, &[]);
    }
}

#[test]
fn compiled_at_once_or_never() {
    // All code of the JDK's start is compiled, which takes long: on one JVM.
    works_with(jdk::main(), &["-Xcomp"]);
    for jdk in jdk::main_and_25("-Xint") {
        works_with(jdk, &["-Xint"]);
    }
}

#[test]
fn other_collectors() {
    works_with(jdk::main(), &["-XX:+UseSerialGC", "-Xshare:off"]);
    works_with(jdk::main(), &["-XX:+UseZGC"]);
    if let Some(jdk) = jdk::jdk25("other collectors") {
        works_with(jdk, &["-XX:+UseParallelGC", "-XX:+UseCompactObjectHeaders"]);
    }
}

/// Class data of the program shared from an archive: the load hook gets those classes' bytes all
/// the same.
/// Whether the JVM has an archive of the JDK's classes: others are made on top of it.
fn has_archive(jdk: &Jdk) -> bool {
    let output = java(jdk).args(["-Xshare:on", "-version"]).output();
    output.is_ok_and(|output| output.status.success())
}

#[test]
fn archived_classes() {
    for jdk in jdk::main_and_25("archived classes") {
        if !has_archive(jdk) {
            println!("archived classes: skipped for {jdk}, which has no archive of its own");
            continue;
        }
        let folder = samples::temp_dir();
        // Archives are of jars only.
        let jar = crate::jar(classes(), "live.Desk", &folder.path().join("live.jar"))
            .display()
            .to_string();
        let archive = folder.path().join("classes.jsa").display().to_string();
        let mut desk = {
            let mut command = java(jdk);
            command.arg(format!("-XX:ArchiveClassesAtExit={archive}")).args([
                "-cp",
                &jar,
                "live.Desk",
            ]);
            Desk::of(command)
        };
        desk.expect("Work 10", "327");
        desk.finish().fine();
        works(jdk, &[&format!("-XX:SharedArchiveFile={archive}")], &jar);
    }
}

/// The AOT cache of JDK 25, with its classes linked and its methods' profiles.
#[test]
fn aot_cache() {
    let Some(jdk) = jdk::jdk25("AOT cache") else { return };
    let folder = samples::temp_dir();
    let jar =
        crate::jar(classes(), "live.Desk", &folder.path().join("live.jar")).display().to_string();
    let cache = folder.path().join("live.aot").display().to_string();
    let mut command = java(jdk);
    command.arg(format!("-XX:AOTCacheOutput={cache}")).args(["-cp", &jar, "live.Desk"]);
    let mut desk = Desk::of(command);
    desk.expect("Work 10", "327");
    desk.finish().fine();
    works(jdk, &[&format!("-XX:AOTCache={cache}")], &jar);
}

/// A named module's classes, on the module path.
#[test]
fn named_modules() {
    let words = |jdk: &Jdk| {
        let place = samples::compiled().modular.display().to_string();
        let words =
            ["-p".to_owned(), place, "-m".to_owned(), "samples.modular/modular.Main".to_owned()];
        let expected = run::run(java(jdk).args(&words)).fine();
        (words, expected)
    };
    for jdk in jdk::main_and_25("live in a named module") {
        let (words, expected) = words(jdk);
        let (done, profile) = live(&["modular.Main::main"]).with(&["-q"]).run(jdk, &words, 0);
        assert_eq!((&done.stdout, &done.stderr), (&expected.stdout, &expected.stderr), "{done}");
        for source in [
            "modular/modular/Main.java",
            "modular/modular/Polite.java",
            "modular/service/Greeter.java",
        ] {
            let sample = samples::read_sample(&samples::sources().join(source));
            let wrong = jfathom_tests::truth::differences(
                &sample,
                &profile,
                jfathom_tests::truth::Plan::Every,
            );
            assert!(wrong.is_empty(), "{}\n{done}", wrong.join("\n"));
        }
    }
}

/// A JVM behind a script, reached through the environment.
#[test]
fn behind_a_script() {
    let jdk = jdk::main();
    let recording = live(&["live.Thrower::main"]).with(&["--use-java-tool-options"]);
    let script =
        format!("{} -cp {} live.Thrower; echo done $?", jdk.java().display(), classes().display());
    let done = run::run(&mut recording.launching_command(&["sh", "-c", &script])).fine();
    assert_eq!(done.stdout, "done 1\n", "{done}");
    let profile = recording.read(&done);
    super::assert_calls(
        &profile,
        &recording.lines(),
        &[("Thrower::main", 1), ("Thrower::inner", 1)],
    );
}
