//! The placements of the runtime, on JVMs that lack this or that.

use crate::support::{Collector, Jvm, built, default_jvm, jvms, run};
use jfathom_plan::Placement;
use jfathom_runtime_java::{CLASSES, Flags, TOOL_CLASSES, TOOL_MAIN, jvm_flags};
use jfathom_testkit::{Javac, jdk};
use std::fs;
use std::path::Path;
use std::process::Command;

/// A run of `Storm` with the runtime where the flags put it, and not on the class path.
fn placed(jvm: &Jvm, flags: &Flags) -> crate::support::Outcome {
    let mut command = Command::new(&jvm.java);
    if flags.placement == Placement::JavaBase {
        // The program calls the probes itself, from outside of java.base.
        command.arg("--add-exports=java.base/jfathom.runtime=ALL-UNNAMED");
    }
    command.args(jvm_flags(flags)).arg("-cp").arg(&built().programs).args(["Storm", "2", "1000"]);
    let outcome = run(&mut command, Collector::Live);
    outcome.good();
    let calls = outcome.number("calls");
    assert_eq!(outcome.session.calls(1), [calls, calls, 0, 0], "{flags:?}");
    outcome
}

#[test]
fn boot_and_java_base() {
    let runtime = Some(built().runtime.to_string_lossy().into_owned());
    for jvm in jvms() {
        for placement in [Placement::Boot, Placement::JavaBase] {
            let flags = Flags {
                placement,
                java: Some(jvm.version),
                runtime: runtime.clone(),
                ..Flags::default()
            };
            placed(&jvm, &flags);
        }
    }
}

#[test]
fn modular() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let (source, module) = (dir.path().join("source"), dir.path().join("module"));
    fs::create_dir_all(source.join("acme")).expect("a directory");
    fs::write(source.join("module-info.java"), "module acme { }").expect("a source");
    let storm =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/Storm.java"))
            .expect("Storm");
    fs::write(source.join("acme/Storm.java"), format!("package acme;\n{storm}")).expect("a source");
    Javac::release(11)
        .option("--add-reads=acme=ALL-UNNAMED")
        .option("-cp")
        .option(built().runtime.to_str().expect("a plain path"))
        .compile(&[source.join("module-info.java"), source.join("acme/Storm.java")], &module);
    for jvm in jvms() {
        let flags = Flags {
            placement: Placement::Modular,
            java: Some(jvm.version),
            runtime: Some(built().runtime.to_string_lossy().into_owned()),
            modules: vec!["acme".to_owned()],
            ..Flags::default()
        };
        let mut command = Command::new(&jvm.java);
        command.args(jvm_flags(&flags)).arg("-p").arg(&module).args([
            "-m",
            "acme/acme.Storm",
            "2",
            "1000",
        ]);
        let outcome = run(&mut command, Collector::Live);
        outcome.good();
        assert_eq!(outcome.session.calls(1)[0], outcome.number("calls"));
    }
}

/// An image of java.base alone: no `sun.misc.Unsafe`.
#[test]
fn an_image_without_jdk_unsupported() {
    let jlink = jdk::main().tool("jlink");
    if !jlink.is_file() || !jdk::main().home.join("jmods").is_dir() {
        eprintln!("skipped: this JDK has no jlink or no jmods");
        return;
    }
    let dir = tempfile::tempdir().expect("a temporary directory");
    let image = dir.path().join("image");
    let output =
        Command::new(jlink).args(["--add-modules", "java.base", "--output"]).arg(&image).output();
    assert!(output.is_ok_and(|output| output.status.success()));
    let jvm = Jvm { version: default_jvm().version, java: image.join("bin/java") };
    for program in [&["Calls", "50"][..], &["Roots", "1000"], &["Storm", "2", "100000"]] {
        let outcome = run(
            jvm.optimising().args(["-XX:+UseSerialGC", "-Xmx24m"]).args(program),
            Collector::Live,
        );
        outcome.good();
    }
}

/// Foreign, readable to others, or missing: the program runs as if no session were requested.
#[test]
fn a_directory_that_is_not_ours_is_left_alone() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().expect("a temporary directory");
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).expect("permissions");
    for path in [dir.path().to_owned(), dir.path().join("missing")] {
        let mut command = default_jvm().command();
        let output = command
            .args(["Storm", "1", "10"])
            .env(jfathom_session::names::ENV_SESSION, &path)
            .output();
        let output = output.expect("a JVM");
        assert!(output.status.success() && output.stderr.is_empty());
        assert_eq!(fs::read_dir(dir.path()).expect("the directory").count(), 0);
    }
}

/// All classes verify and link, and every field's type exists, even on JVMs that are too old for
/// some of the classes.
#[test]
fn all_classes_link_on_every_jvm() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    for (name, bytes) in TOOL_CLASSES {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().expect("a package")).expect("a directory");
        fs::write(path, bytes).expect("a class");
    }
    for jvm in jvms() {
        let mut command = Command::new(&jvm.java);
        command
            .args(["-Xverify:all", "-Xlog:disable", "-cp"])
            .arg(dir.path())
            .arg(TOOL_MAIN)
            .arg(&built().runtime);
        let output = command.output().expect("a JVM");
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(
            stdout.lines().filter(|line| !line.ends_with("\tok")).collect::<Vec<_>>(),
            Vec::<&str>::new()
        );
        assert_eq!(stdout.lines().count(), CLASSES.len());
    }
}

#[test]
fn link_all_links_modules_and_tells_what_fails() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    for (name, bytes) in TOOL_CLASSES {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().expect("a package")).expect("a directory");
        fs::write(path, bytes).expect("a class");
    }
    let broken = dir.path().join("broken");
    fs::create_dir(&broken).expect("a directory");
    fs::write(broken.join("Bad.class"), [0xca, 0xfe]).expect("a file");
    let mut command = Command::new(default_jvm().java);
    command.args(["-Xverify:all", "-cp"]).arg(dir.path()).arg(TOOL_MAIN);
    command
        .args(["--module", "java.base", "--extra"])
        .arg(&built().runtime)
        .arg(&broken)
        .arg(&built().programs);
    let output = command.output().expect("a JVM");
    let stdout = String::from_utf8_lossy(&output.stdout);
    let outcome =
        |name: &str| stdout.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('\t'));
    assert_eq!(outcome("java.lang.Object"), Some("ok"));
    assert_eq!(outcome("Storm"), Some("ok"));
    assert!(
        outcome("Bad").is_some_and(|text| text.starts_with("java.lang.ClassFormatError")),
        "{stdout}"
    );
    assert!(output.status.success());
}
