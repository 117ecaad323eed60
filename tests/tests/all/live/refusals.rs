//! What is refused, and in which words.

use super::{live, program};
use crate::JFATHOM;
use jfathom_tests::{
    jdk,
    live::{Desk, Live, classes},
    run::{self, Done},
    samples,
};
use std::fs;

/// A recording that is refused; one that is not would end by itself.
#[track_caller]
fn refused(roots: &[&str], pid: u32) -> (Done, Live) {
    live(roots).with(&["-d", "60s"]).attach(pid).ended(1)
}

/// One recording at a time: the second one says so and disturbs nothing.
#[test]
fn a_second_session() {
    let mut desk = Desk::start(jdk::main(), &[]);
    desk.expect("Work 10", "327");
    let mut first = live(&["live.Work::root"]).attach(desk.pid);
    first.until_live();
    desk.expect("Work 10", "327");
    let (done, _) = refused(&["live.Work::other"], desk.pid);
    done.says(&[&desk.pid.to_string(), "record"]);
    desk.expect("Work 10", "327");
    let lines = first.lines();
    let (_, profile) = first.end();
    super::assert_work(&profile, &lines, 20);
    desk.finish().fine();
}

/// A program of rewritten classes.
fn rewritten_desk(out: &std::path::Path, session: Option<&std::path::Path>) -> Desk {
    let mut command = jfathom_tests::tool::java(jdk::main());
    command.arg("-cp").arg(out).arg("live.Desk");
    if let Some(session) = session {
        command.env("JFATHOM_SESSION", session);
    }
    Desk::of(command)
}

/// A JVM whose classes have probes that record already.
#[test]
fn rewritten_classes_that_are_recorded() {
    let folder = samples::temp_dir();
    let session = folder.path().join("session");
    fs::create_dir(&session).unwrap();
    let out = JFATHOM.rewrite(classes(), folder.path(), &[]);
    let mut desk = rewritten_desk(&out, Some(&session));
    desk.expect("Work 10", "327");
    let (done, _) = refused(&["live.Work::root"], desk.pid);
    done.says(&["jfathom record -- "]);
    desk.expect("Work 10", "327");
    desk.finish().fine();
}

/// Probes that never record are no obstacle: the agent's stand beside them.
#[test]
fn rewritten_classes_that_nobody_records_are_recorded_live() {
    let folder = samples::temp_dir();
    let out = JFATHOM.rewrite(classes(), folder.path(), &[]);
    let mut desk = rewritten_desk(&out, None);
    desk.expect("Work 10", "327");
    let mut live = live(&["live.Work::root"]).attach(desk.pid);
    live.until_live();
    desk.expect("Work 10", "327");
    let lines = live.lines();
    let (_, profile) = live.end();
    super::assert_work(&profile, &lines, 10);
    desk.expect("Work 10", "327");
    desk.finish().fine();
}

/// A JVM in which another version's runtime is defined.
#[test]
fn another_version() {
    let folder = samples::temp_dir();
    let (source, classes) = (folder.path().join("source"), folder.path().join("classes"));
    fs::create_dir_all(source.join("java/lang")).unwrap();
    fs::write(
        source.join("java/lang/JfathomProbe.java"),
        "package java.lang; public class JfathomProbe {}\n",
    )
    .unwrap();
    let javac = jdk::main().tool("javac");
    let patch = format!("java.base={}", source.display());
    run::run(
        std::process::Command::new(javac)
            .args(["-nowarn", "--patch-module", &patch, "-d"])
            .arg(&classes)
            .arg(source.join("java/lang/JfathomProbe.java")),
    )
    .fine();
    let patch = format!("--patch-module=java.base={}", classes.display());
    let mut desk = Desk::start(jdk::main(), &[&patch]);
    desk.expect("Work 10", "327");
    desk.expect("Load java.lang.JfathomProbe", "loaded");
    let (done, _) = refused(&["live.Work::root"], desk.pid);
    done.says(&["version"]);
    desk.expect("Work 10", "327");
    desk.finish().fine();
}

/// No such process, a process that is no JVM, an unknown scheme; a launched program runs although
/// its agent cannot record it.
#[test]
fn what_is_no_jvm() {
    let attach = |pid: &str| JFATHOM.run(&["record", "--root", "live.Work::root", "-p", pid]);
    // Beyond the largest number that Linux gives.
    attach("4194305").code(1).says(&["4194305"]);
    let own = std::process::id().to_string();
    attach(&own).code(1).says(&[&own]);
    JFATHOM
        .run(&["record", "--root", "live.Work::root", "--scheme", "lazzy", "-p", &own])
        .code(2)
        .says(&["lazzy"]);
    JFATHOM.run(&["stop", &own]).code(1).says(&[&own]);
    let agent = JFATHOM.run(&["agent-path"]).fine();
    let flag = format!("-agentpath:{}=rot=live.Work::root", agent.stdout.trim());
    let words = [vec![flag], program("live.Thrower")].concat();
    let done = run::run(jfathom_tests::tool::java(jdk::main()).args(words)).code(1);
    done.says(&["jfathom: ", "rot", "root", "out of main"]);
}

/// The JVM's own switches against attaching are named.
#[test]
fn switched_off() {
    let desk = Desk::start(jdk::main(), &["-XX:+DisableAttachMechanism"]);
    let (done, _) = refused(&["live.Work::root"], desk.pid);
    done.says(&["DisableAttachMechanism"]);
    desk.finish().fine();
    let Some(jdk) = jdk::jdk25("switched off") else { return };
    let desk = Desk::start(jdk, &["-XX:-EnableDynamicAgentLoading"]);
    let (done, _) = refused(&["live.Work::root"], desk.pid);
    done.says(&["EnableDynamicAgentLoading"]);
    desk.finish().fine();
}
