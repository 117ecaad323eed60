//! Other agents in the same JVM, which change classes too.

use super::{assert_calls, assert_work};
use crate::JFATHOM;
use jfathom_archive::{NewEntry, create_jar};
use jfathom_profile::Profile;
use jfathom_tests::{
    jdk,
    live::{Desk, Lines, classes},
    samples,
    tool::java,
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// An agent that changes the constant `plain` of `live.Shown` into another word of the same length
/// (both ways that it is asked to see the class: at loading, and at retransformation if it can),
/// and breaks what it is told to break when it is retransformed.
const AGENT: &str = r#"package neighbour;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;

public final class Neighbour implements ClassFileTransformer {
    private final String word;
    private final String broken;

    private Neighbour(String word, String broken) {
        this.word = word;
        this.broken = broken;
    }

    public static void premain(String options, Instrumentation instrumentation) {
        String[] words = options.split(",");
        instrumentation.addTransformer(new Neighbour(words[0], words.length > 2 ? words[2] : ""), words[1].equals("again"));
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> before, ProtectionDomain domain, byte[] bytes) {
        if (broken.equals(name) && before != null) {
            // The last instruction of a class of ours: a file cut short does not pass any
            // verification.
            return java.util.Arrays.copyOf(bytes, bytes.length - 3);
        }
        if (!"live/Shown".equals(name)) {
            return null;
        }
        byte[] changed = bytes.clone();
        byte[] from = "plain".getBytes(StandardCharsets.UTF_8);
        byte[] to = word.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i + from.length <= changed.length; i++) {
            if (java.util.Arrays.equals(changed, i, i + from.length, from, 0, from.length)) {
                System.arraycopy(to, 0, changed, i, to.length);
            }
        }
        return changed;
    }
}
"#;

/// The agent's jar.
fn agent(folder: &Path) -> PathBuf {
    let (source, classes, jar) =
        (folder.join("source"), folder.join("classes"), folder.join("neighbour.jar"));
    fs::create_dir_all(&source).unwrap();
    fs::write(source.join("Neighbour.java"), AGENT).unwrap();
    samples::javac_for(11, &[], &source, &classes);
    let manifest = "Manifest-Version: 1.0\r\nPremain-Class: neighbour.Neighbour\r\nCan-Retransform-Classes: true\r\n\r\n";
    let mut entries = vec![NewEntry::new("META-INF/MANIFEST.MF", manifest)];
    crate::add_files(&classes, "", &mut entries);
    fs::write(&jar, create_jar(&entries).unwrap()).unwrap();
    jar
}

/// Before us and after us on the command line, seeing classes once or again: what it changes stays
/// changed, and our numbers hold.
#[test]
fn that_change_constants() {
    let folder = samples::temp_dir();
    let jar = agent(folder.path()).display().to_string();
    let ours = JFATHOM.run(&["agent-path"]).fine().stdout.trim().to_owned();
    for (jdk, order) in
        jdk::main_and_25("neighbours").into_iter().flat_map(|jdk| [(jdk, 0), (jdk, 1)])
    {
        let place = folder.path().join(format!("{}-{order}.jfp", jdk.version));
        let mut flags = [
            format!("-javaagent:{jar}=OTHER,{}", if order == 0 { "once" } else { "again" }),
            format!(
                "-agentpath:{ours}=root=live.Shown::root,out={},jfathom={}",
                place.display(),
                JFATHOM.0
            ),
        ];
        if order == 1 {
            flags.reverse();
        }
        let mut command = java(jdk);
        command.args(flags).arg("-cp").arg(classes()).arg("live.Desk");
        let mut desk = Desk::of(command);
        desk.expect("Shown 3", "OTHER 3");
        let done = desk.finish().fine();
        let profile = written(&place);
        assert_calls(&profile, &Lines::default(), &[("Shown::root", 3), ("Shown::word", 3)]);
        assert!(profile.quality.is_clean(), "{:?}\n{done}", profile.quality);
    }
    // Attached and detached: the other agent's change is there throughout.
    for again in ["once", "again"] {
        let flag = format!("-javaagent:{jar}=OTHER,{again}");
        let mut desk = Desk::start(jdk::main(), &[&flag]);
        desk.expect("Shown 3", "OTHER 3");
        let mut recording = super::live(&["live.Shown::root"]).attach(desk.pid);
        recording.until_live();
        desk.expect("Shown 3", "OTHER 3");
        let lines = recording.lines();
        let (_, profile) = recording.end();
        assert_calls(&profile, &lines, &[("Shown::root", 3), ("Shown::word", 3)]);
        desk.expect("Shown 3", "OTHER 3");
        desk.finish().fine();
    }
}

/// A class that does not pass the JVM's checks after a retransformation is left as it was, said,
/// and costs no other class anything.
#[test]
fn that_break_a_class() {
    let folder = samples::temp_dir();
    let jar = agent(folder.path()).display().to_string();
    let flag = format!("-javaagent:{jar}=OTHER,again,live/Work$Deeper");
    for jdk in jdk::main_and_25("a broken class") {
        let mut desk = Desk::start(jdk, &[&flag]);
        desk.expect("Work 10", "327");
        for scheme in ["lazy", "total"] {
            let mut recording =
                super::live(&["live.Work::root"]).with(&["--scheme", scheme]).attach(desk.pid);
            recording.until_live();
            desk.expect("Work 10", "327");
            recording.interrupt();
            let (done, left) = recording.ended(0);
            let (profile, lines) = (left.read(&done), left.lines());
            let expected = [
                ("Work::root", 10),
                ("Work::step", 30),
                ("Work::leaf", 60),
                ("Work$Deeper::down", 0),
            ];
            assert_calls(&profile, &lines, &expected);
            let skipped = lines.all("skip").any(|skip| skip["class"] == "live/Work$Deeper");
            assert!(skipped && lines.total("failed") > 0, "{lines:#?}\n{done}");
            desk.expect("Work 10", "327");
        }
        desk.finish().fine();
    }
}

/// By hand: `-agentpath` with its own recorder.
#[test]
fn none_but_us_by_hand() {
    let folder = samples::temp_dir();
    let ours = JFATHOM.run(&["agent-path"]).fine().stdout.trim().to_owned();
    for jdk in jdk::main_and_25("by hand") {
        let place = folder.path().join(format!("{}.jfp", jdk.version));
        let mut command = java(jdk);
        command
            .arg(format!(
                "-agentpath:{ours}=root=live.Work::root,scheme=eager,out={}",
                place.display()
            ))
            .arg("-cp")
            .arg(classes());
        command.arg("live.Desk");
        let mut desk = Desk::of(command);
        desk.expect("Work 10", "327");
        until_recorder_is_apart(desk.pid);
        desk.finish().fine();
        assert_work(&written(&place), &Lines::default(), 10);
    }
}

/// Until the recorder that the JVM's agent has started leads a session of its own, out of the reach
/// of the program's terminal.
fn until_recorder_is_apart(jvm: u32) {
    let wanted = format!("\0--role=adopt\0--pid\0{jvm}\0");
    let start = std::time::Instant::now();
    loop {
        let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
        let mut recorders = processes.filter(|process| {
            let words = fs::read(process.join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&words).contains(&wanted) && !words.starts_with(b"/bin/sh")
        });
        // The session is the fourth field after the name, which is in parentheses (proc(5)).
        let leads = |process: std::path::PathBuf| {
            let stat = fs::read_to_string(process.join("stat")).unwrap_or_default();
            let session =
                stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(3));
            session.is_some_and(|session| process.ends_with(session))
        };
        if recorders.any(leads) {
            return;
        }
        assert!(
            start.elapsed() < jfathom_tests::run::HANG,
            "no recorder of JVM {jvm} in a session of its own"
        );
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

/// The profile that a recorder of the agent's own writes: it may still be at it when the JVM has
/// ended, and puts it there whole.
pub(super) fn written(place: &Path) -> Profile {
    let start = std::time::Instant::now();
    loop {
        if let Ok(bytes) = fs::read(place) {
            return Profile::read(&mut bytes.as_slice())
                .unwrap_or_else(|error| panic!("{}: {error}", place.display()));
        }
        assert!(start.elapsed() < jfathom_tests::run::HANG, "no {}", place.display());
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}
