//! Sessions of the live runtime in one JVM, one after another, with a stand-in for the agent.

use crate::support::{Jvm, Recorded, Session, jvms, process_dir};
use jfathom_runtime_java::LIVE_CLASSES;
use jfathom_testkit::{Javac, jdk};
use jfathom_trace::layout as l;
use jfathom_trace::{ClockKind, OpenOutcome, SessionDir, SessionFile};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

const CLASS: &str = "java.lang.LiveSessions";

/// The stand-in's library, and a patch of java.base with the live runtime and the program.
struct Live {
    library: PathBuf,
    patch: PathBuf,
    _dir: tempfile::TempDir,
}

/// `None`, and a printed line, without a C compiler or the JDK's headers.
fn live() -> Option<&'static Live> {
    static LIVE: OnceLock<Option<Live>> = OnceLock::new();
    LIVE.get_or_init(make).as_ref()
}

fn make() -> Option<Live> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/live");
    let dir = process_dir();
    let include = jdk::main().home.join("include");
    if !include.join("jni.h").is_file() {
        eprintln!("live sessions: skipped, {} has no jni.h", include.display());
        return None;
    }
    let library = dir.path().join("agent.so");
    let compiler =
        std::env::var_os("CC").filter(|name| !name.is_empty()).unwrap_or_else(|| "cc".into());
    let made = Command::new(&compiler)
        .args(["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o"])
        .arg(&library)
        .arg(sources.join("agent.c"))
        .arg(format!("-I{}", include.display()))
        .arg(format!("-I{}", include.join("linux").display()))
        .output();
    let Ok(made) = made else {
        eprintln!("live sessions: skipped, there is no C compiler");
        return None;
    };
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let patch = dir.path().join("patch");
    for (name, bytes) in LIVE_CLASSES {
        let path = patch.join(name).with_extension("class");
        fs::create_dir_all(path.parent().expect("a package")).expect("a directory");
        fs::write(path, bytes).expect("a class");
    }
    ["-source", "11", "-target", "11", "-XDstringConcat=inline"]
        .into_iter()
        .fold(Javac::plain(), Javac::option)
        .option(format!("--patch-module=java.base={}:{}", sources.display(), patch.display()))
        .compile(&[sources.join("java/lang/LiveSessions.java")], &patch);
    Some(Live { library, patch, _dir: dir })
}

/// The output of a run, and its sessions in order.
struct Run {
    stdout: String,
    sessions: Vec<(Box<SessionFile>, Session)>,
}

impl Run {
    fn number(&self, key: &str) -> u64 {
        let line = self.stdout.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
        line.and_then(|text| text.parse().ok())
            .unwrap_or_else(|| panic!("no {key} in:\n{}", self.stdout))
    }
}

fn run(live: &Live, jvm: &Jvm, flags: &[&str], test: &str) -> Run {
    let scratch = tempfile::tempdir().expect("a temporary directory");
    let dir = SessionDir::create(&scratch.path().join("session")).expect("a session directory");
    let mut command = Command::new(&jvm.java);
    command.args(["-Xshare:auto", "-Xverify:all"]).args(flags);
    command.arg(format!("-agentpath:{}", live.library.display()));
    command.arg(format!("--patch-module=java.base={}", live.patch.display()));
    command.args([CLASS, test]).arg(dir.path());
    command.env_remove("JAVA_TOOL_OPTIONS").env_remove("JDK_JAVA_OPTIONS");
    let output = command.output().expect("a JVM");
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "Java {}, {test}: {:?}\n{stdout}\n{}",
        jvm.version,
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    let sessions = dir.entries().expect("the session directory").into_iter().map(|entry| {
        let OpenOutcome::Ready(mut file) = SessionFile::open(&entry.path).expect("a session file")
        else {
            panic!("{} is not ready", entry.path.display());
        };
        let mut session = Session::default();
        file.drain_offline(&mut session);
        assert!(file.ended());
        session.check();
        (file, session)
    });
    Run { stdout, sessions: sessions.collect() }
}

fn thread<'s>(session: &'s Session, name: &str) -> &'s Recorded {
    session
        .threads
        .iter()
        .find(|thread| thread.name == name)
        .unwrap_or_else(|| panic!("no thread {name}"))
}

#[test]
fn sessions_come_and_go() {
    let Some(live) = live() else { return };
    for jvm in jvms() {
        let run = run(live, &jvm, &[], "sessions");
        assert_eq!(run.sessions.len(), 10);
        let places: Vec<&str> =
            run.stdout.lines().filter(|line| line.starts_with("modes ")).collect();
        assert!(
            places.len() == 10 && places.windows(2).all(|pair| pair[0] == pair[1]),
            "{places:?}"
        );
        let left: Vec<&str> =
            run.stdout.lines().filter(|line| line.starts_with("begun ")).collect();
        assert_eq!(left, ["begun 0"; 10]);
        let clocks: Vec<_> = run
            .sessions
            .iter()
            .map(|(file, _)| (file.header().clock.kind, file.header().clock.base_ticks))
            .collect();
        assert!(clocks.windows(2).all(|pair| pair[0] == pair[1]), "{clocks:?}");
        let tsc = crate::support::has_counter() && cfg!(target_arch = "x86_64");
        assert_eq!(clocks[0].0, if tsc { ClockKind::Tsc } else { ClockKind::NanoTime });
        for (n, (file, session)) in (1..).zip(&run.sessions) {
            let header = file.header();
            assert_eq!(
                (header.ids.start, header.ids.len, header.jvm_start_millis),
                (0, l::LIVE_IDS, 1000 + n)
            );
            assert_eq!(session.calls(1), [1, 1, 0, 0]);
            assert_eq!(session.calls(10)[..2], [100 * n, 100 * n]);
            assert_eq!(session.calls(12)[..2], [200 * n, 200 * n]);
            assert_eq!(session.calls(13), [0; 4], "a task of an earlier session");
            let counted = BTreeMap::from([(11, 100 * n)]);
            assert_eq!(thread(session, "main").counted, counted);
            assert_eq!((session.threads.len(), file.counters().threads_seen), (3, 3));
            assert_eq!(thread(session, "spawned-0").opened, [1]);
            // The marked task that never ran, and nothing else.
            assert_eq!((file.counters().not_followed, file.counters().lost_records), (1, 0));
            let notices: Vec<_> = file
                .info()
                .into_iter()
                .filter(|entry| entry.kind == l::INFO_NOTICE)
                .map(|entry| entry.text)
                .collect();
            assert_eq!(notices[notices.len() - 2..], ["one", "two"]);
            let measured =
                file.info().iter().filter(|entry| entry.kind == l::INFO_CALIBRATION).count();
            assert_eq!(measured > 0, n == 3 || n == 7, "{measured} measurements in session {n}");
        }
    }
}

#[test]
fn first_calls_wait_and_lose_nothing() {
    let Some(live) = live() else { return };
    for jvm in jvms() {
        for flags in [&[][..], &["-Xint"]] {
            let run = run(live, &jvm, flags, "first");
            let [(_, session)] = &run.sessions[..] else { panic!("one session") };
            assert_eq!(run.number("outside"), 0);
            // Each of the 16 has one of its own. One thread or several report the shared ones.
            assert!(run.number("reported") >= 16 + 4, "{}", run.stdout);
            for own in 10..26 {
                let expected = if own == 11 { 53 } else { 50 };
                assert_eq!(session.calls(own)[..2], [expected; 2], "{own}");
            }
            assert_eq!(session.calls(26)[..2], [800, 800]);
            assert_eq!(session.calls(27)[..2], [1, 1], "a first call in an initialiser");
            let counted: u64 =
                session.threads.iter().filter_map(|thread| thread.counted.get(&28)).sum();
            assert_eq!(counted + session.calls(28)[0], 32);
            assert_eq!(counted, 32, "the mode that the agent has set in between");
            assert_eq!(session.calls(40), [0; 4], "probes on the way are quiet");
            assert_eq!(session.calls(1)[..2], [17, 17]);
            // Roots wait outside, where no time is excluded.
            let adjusted: u64 = session
                .threads
                .iter()
                .filter(|thread| thread.name != "deep")
                .map(|thread| thread.adjusted)
                .sum();
            assert!(adjusted >= 16 * 1_000_000, "{adjusted}");
            assert!(adjusted < run.number("waited") * 100, "{adjusted}");
            for own in 10..26 {
                let thread = thread(session, &format!("thread-{own}"));
                assert_eq!((thread.inferred, thread.stack.len()), (0, 0));
                assert!(thread.adjusts >= 1);
            }
            let deep = thread(session, "deep");
            let [entries, returns, throws, _] = deep.calls[&29];
            assert!(entries > 10 && returns == 0, "{entries}");
            // If an exit probe overflows the stack, its exit is inferred. The flag alone loses no
            // exit.
            assert!(deep.stack.is_empty() && throws > entries / 2, "{throws} of {entries}");
            assert_eq!(throws + deep.inferred, entries);
            assert_eq!(deep.calls[&11], [3, 3, 0, 0]);
        }
    }
}

#[test]
fn frames_of_one_session_are_nothing_to_the_next() {
    let Some(live) = live() else { return };
    for jvm in jvms() {
        let run = run(live, &jvm, &[], "middle");
        let [(_, first), (_, second), (_, third)] = &run.sessions[..] else {
            panic!("three sessions")
        };
        let old = thread(first, "old");
        assert_eq!(
            (old.calls[&1], old.calls[&10], old.calls[&11]),
            ([1, 0, 0, 0], [1, 0, 0, 0], [3, 3, 0, 0])
        );
        assert_eq!(old.stack, [1, 10]);
        let old = thread(second, "old");
        assert_eq!(old.calls, BTreeMap::from([(2, [1, 1, 0, 0]), (11, [7, 7, 0, 0])]));
        assert_eq!(third.threads.len(), 1);
        assert_eq!(third.calls(11)[..2], [13, 13]);
    }
}

#[test]
fn pauses_are_told_once_to_who_is_inside() {
    let Some(live) = live() else { return };
    for jvm in jvms() {
        let run = run(live, &jvm, &[], "pauses");
        let [(_, session)] = &run.sessions[..] else { panic!("one session") };
        let main = thread(session, "main");
        assert_eq!((main.adjusted, main.adjusts), (3 + 4 + 5 + 1100, 3));
        assert_eq!(main.calls[&10], [5, 5, 0, 0]);
        assert_eq!(main.counted, BTreeMap::from([(11, 1)]));
        let other = thread(session, "other");
        assert_eq!((other.adjusted, other.adjusts), (1110, 1));
    }
}

#[test]
fn hooks_tell_each_member_once_in_a_session() {
    let Some(live) = live() else { return };
    for jvm in jvms() {
        let run = run(live, &jvm, &[], "hooks");
        let once = [
            "outside 0",
            "plain",
            "plain",
            "java.util.ArrayList",
            "LiveSessions.plain()void",
            "LiveSessions.plain(int)void",
            "ArrayList.<init>()void",
            "String.length()int",
            "many 3000",
        ];
        assert_eq!(run.stdout.lines().collect::<Vec<_>>(), [once, once].concat());
        for (_, session) in &run.sessions {
            assert_eq!(session.calls(40), [0; 4]);
            assert_eq!(session.calls(1)[..2], [2, 2]);
        }
    }
}
