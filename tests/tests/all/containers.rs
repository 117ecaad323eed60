//! What containers give a program: a small `/dev/shm` from which nothing may be executed, and pids
//! of their own.

use crate::{JFATHOM, jar, stack_samples::has_jfr};
use jfathom_profile::{EventSource, Method, Profile};
use jfathom_tests::{
    jdk,
    jdk::Jdk,
    run::{self, Done},
    samples,
};
use std::{fs, path::Path, process::Command};

/// As Docker mounts it.
const MOUNT: &str = "mount -t tmpfs -o noexec,nosuid,nodev,size=64m tmpfs /dev/shm && exec \"$@\"";
/// Nothing that lies there can be executed.
const NOT_EXECUTABLE: [(&str, &str); 2] =
    [("XDG_CACHE_HOME", "/dev/shm/cache"), ("TMPDIR", "/dev/shm")];
const THREADS: u64 = 200;
const STEPS: u64 = 100;

/// The command in a mount namespace of its own.
fn contained(command: &Command) -> Command {
    let mut outer = Command::new("unshare");
    outer.args(["--mount", "--propagation", "private", "sh", "-c", MOUNT, "sh"]);
    outer.arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => outer.env(name, value),
            None => outer.env_remove(name),
        };
    }
    outer
}

/// Whether this process may make a mount namespace.
fn can_contain() -> bool {
    let is_fine =
        contained(&Command::new("true")).output().is_ok_and(|output| output.status.success());
    if !is_fine {
        println!("skipped: a file system cannot be mounted in a namespace here");
    }
    is_fine
}

fn record(
    options: &[&str],
    jdk: &Jdk,
    classes: &Path,
    variables: &[(&str, &str)],
) -> (Done, Profile) {
    let folder = samples::temp_dir();
    let file = folder.path().join("profile.jfp");
    let mut command = JFATHOM.command();
    command
        .envs(variables.iter().copied())
        .args(["record", "--budget=none", "--tune=calibrate=off"])
        .args(options)
        .arg("-o")
        .arg(&file)
        .arg("--");
    command.arg(jdk.java()).arg("-cp").arg(classes).args([
        "crowd.Crowd",
        &THREADS.to_string(),
        &STEPS.to_string(),
    ]);
    let done = run::run(&mut contained(&command)).fine();
    let bytes = fs::read(&file).unwrap_or_else(|error| panic!("no profile: {error}\n{done}"));
    (done, Profile::read(&mut bytes.as_slice()).unwrap())
}

#[test]
fn each_of_a_crowd_of_threads_is_recorded() {
    if !can_contain() {
        return;
    }
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    samples::javac(&[], &samples::sources().join("crowd"), &classes);
    let rewritten =
        JFATHOM.rewrite(&classes, &folder.path().join("out"), &["--root", "crowd.Crowd::main"]);
    for jdk in jdk::main_and_25("a crowd in a container") {
        let live = record(&["--root", "crowd.Crowd::main"], jdk, &classes, &[]);
        for (done, profile) in [record(&[], jdk, &rewritten, &[]), live] {
            assert_eq!(done.stdout, format!("{}\n", THREADS * STEPS / 2), "{done}");
            assert!(profile.quality.is_clean(), "{jdk}: {:?}\n{done}", profile.quality);
            for (name, calls) in [("work", THREADS), ("step", THREADS * STEPS)] {
                let seen: u64 = profile
                    .methods
                    .iter()
                    .filter(|method| method.info.key.name == name)
                    .map(Method::calls)
                    .sum();
                assert_eq!(seen, calls, "{name} on {jdk}\n{done}");
            }
        }
    }
}

#[test]
fn a_clock_library_that_cannot_be_placed_is_told() {
    if !can_contain() {
        return;
    }
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    samples::javac(&[], &samples::sources().join("crowd"), &classes);
    let rewritten = JFATHOM.rewrite(&classes, &folder.path().join("out"), &[]);
    let clock = |variables| {
        let (done, profile) = record(&[], jdk::main(), &rewritten, variables);
        assert!(profile.quality.is_clean(), "{:?}\n{done}", profile.quality);
        let said = profile.meta.notices.iter().any(|notice| notice.contains("forbids execution"));
        (profile.meta.jvms[0].clock.name.clone(), said)
    };
    match clock(&[]) {
        (name, false) if name == "tsc" => {
            let (name, said) = clock(&NOT_EXECUTABLE);
            assert!(said == (name == "nanoTime"), "{name}: {said}");
        }
        (name, said) => assert!(name == "nanoTime" && !said, "{name}: {said}"),
    }
}

/// A JVM whose command line names a library that it cannot load does not start.
#[test]
fn an_agent_that_cannot_be_loaded_is_in_no_command_line() {
    if !can_contain() {
        return;
    }
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    samples::javac_for(11, &[], &samples::sources().join("crowd"), &classes);
    let mut command = JFATHOM.command();
    command.envs(NOT_EXECUTABLE).args(["record", "-q", "--root", "crowd.Crowd::main", "-o"]);
    command.arg(folder.path().join("p.jfp")).arg("--").arg(jdk::main().java());
    command.arg("-cp").arg(&classes).args(["crowd.Crowd", "1", "1"]);
    let done = run::run(&mut contained(&command));
    assert!(done.code != Some(0) && done.stderr.contains("forbids execution"), "{done}");
    // JFR is started by its flag then, which prints.
    let rewritten = JFATHOM.rewrite(&classes, &folder.path().join("out"), &[]);
    let prints = |jdk: &&Jdk| jdk.version < 17 && has_jfr(jdk);
    for jdk in jdk::all("JFR without the agent").into_iter().filter(prints) {
        let (done, profile) = record(&["--metrics", "waits"], jdk, &rewritten, &NOT_EXECUTABLE);
        assert!(done.stdout.contains("Started recording"), "{done}");
        assert_eq!(profile.events.waits, EventSource::Jfr, "{done}");
        let (done, _) = record(&["--metrics", "waits"], jdk, &rewritten, &[]);
        assert_eq!(done.stdout, format!("{}\n", THREADS * STEPS / 2), "{done}");
    }
}

/// The JVM has another pid inside than outside. Its process is found, so that the recording ends
/// with it, and its threads are observed.
#[test]
fn scheduling_is_observed_in_a_pid_namespace() {
    let words = ["--pid", "--fork", "--mount-proc"];
    let is_fine = Command::new("unshare").args(words).arg("true").output();
    if !is_fine.is_ok_and(|output| output.status.success()) {
        println!("skipped: a pid namespace cannot be made here");
        return;
    }
    let folder = samples::temp_dir();
    let plain = jar(&samples::compiled().demo, "demo.Market", &folder.path().join("market.jar"));
    let out = JFATHOM.rewrite(&plain, &folder.path().join("out"), &[]);
    let file = folder.path().join("profile.jfp");
    let mut command = JFATHOM.command();
    command.args(["record", "-q", "--tune=calibrate=off", "-o"]).arg(&file).args(["--", "unshare"]);
    command.args(words).arg(jdk::main().java()).arg("-jar").arg(&out);
    let done = run::run(&mut command).fine();
    let profile = Profile::read(&mut &*fs::read(&file).unwrap()).unwrap();
    let [jvm] = &profile.meta.jvms[..] else { panic!("{done}") };
    assert_eq!((jvm.pid, profile.quality.is_clean()), (1, true), "{:?}\n{done}", profile.quality);
    let ran = |thread: &jfathom_profile::Thread| {
        thread.scheduling.is_some_and(|observed| observed.ran_nanos > 0)
    };
    assert!(profile.threads.iter().any(ran), "{:?}\n{done}", profile.threads);
}
