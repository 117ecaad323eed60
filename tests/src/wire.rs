//! A collector of the tests' own, so that what the JVM writes is seen without the real one between.

use crate::{jdk::Jdk, run, run::Done, samples, tool};
use jfathom_profile::{BuilderSink, Context, Jvm, Meta, MethodNames, Profile};
use jfathom_trace::{OpenOutcome, SessionDir, SessionFile, offline::OfflineSession};
use std::{
    ffi::OsStr,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

/// How the tests' collector behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Drains again and again.
    Eager,
    /// Pauses between any two drains, so that producers find their rings full.
    Slow,
    /// Comes when the JVM has ended, and reads what it left.
    Afterwards,
}

/// What a recording through the wire gave.
#[derive(Debug)]
pub struct Recorded {
    /// What the program left.
    pub done: Done,
    /// Its profile.
    pub profile: Profile,
    /// Whether the JVM's shutdown hook had run.
    pub clean_end: bool,
}

/// Runs `java` with a session, rings of `ring_bytes`, and collects. Exactly one JVM must record.
#[track_caller]
pub fn record(
    pace: Pace,
    ring_bytes: usize,
    jdk: &Jdk,
    java: &[impl AsRef<OsStr>],
    names: &MethodNames,
) -> Recorded {
    let folder = samples::temp_dir();
    let session = SessionDir::create(&folder.path().join("session"))
        .expect("a session directory can be made");
    let mut command = tool::java(jdk);
    command
        .env("JFATHOM_SESSION", session.path())
        .env("JFATHOM_RING_BYTES", ring_bytes.to_string())
        .args(java);
    if pace == Pace::Afterwards {
        let done = run::run(&mut command);
        return afterwards(done, &session, names);
    }
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        let collector = scope.spawn(|| collect(&session, pace, &ended));
        let done = run::run(&mut command);
        ended.store(true, Ordering::Release);
        let collected = collector.join().unwrap_or_else(|_| panic!("the collector failed\n{done}"));
        let (file, feeder) =
            collected.unwrap_or_else(|| panic!("no session file appeared\n{done}"));
        let jvm = Jvm::from_session(file.header(), &file.info(), file.ended());
        let mut feeder = feeder;
        feeder.builder_mut().quality_mut().add_counters(&file.counters());
        finish(done, jvm, feeder, &file.virtual_calls(), names)
    })
}

fn collect(
    session: &SessionDir,
    pace: Pace,
    ended: &AtomicBool,
) -> Option<(Box<SessionFile>, BuilderSink)> {
    let mut open: Option<(Box<SessionFile>, BuilderSink)> = None;
    loop {
        // Read before draining: what was written before the end is then seen by the drain after it.
        let over = ended.load(Ordering::Acquire);
        if open.is_none()
            && let Some(entry) =
                session.entries().expect("the session directory can be listed").first()
            && let OpenOutcome::Ready(file) =
                SessionFile::open(&entry.path).expect("the session file is sound")
        {
            file.attach(std::process::id());
            open = Some((file, BuilderSink::new()));
        }
        if let Some((file, feeder)) = &mut open {
            file.heartbeat();
            if over {
                while file.drain_offline(feeder) != 0 {}
                return open;
            }
            file.drain(feeder);
            if !feeder.damage().is_empty() {
                // Nobody waits for us then, and the test fails with the reason.
                file.detach();
            }
        } else if over {
            return None;
        }
        thread::sleep(Duration::from_millis(if pace == Pace::Slow { 3 } else { 1 }));
    }
}

fn afterwards(done: Done, session: &SessionDir, names: &MethodNames) -> Recorded {
    let entries = session.entries().expect("the session directory can be listed");
    let [entry] = entries.as_slice() else { panic!("{} session files\n{done}", entries.len()) };
    let file = OfflineSession::open(&entry.path)
        .expect("the session file is sound")
        .expect("the session was ready");
    let mut feeder = BuilderSink::new();
    file.read(&[], &mut feeder).expect("the session file can be read");
    let jvm = Jvm::from_session(
        file.header(),
        &file.info().expect("the texts can be read"),
        file.ended(),
    );
    feeder.builder_mut().quality_mut().add_counters(&file.counters());
    finish(done, jvm, feeder, &file.virtual_calls().expect("the counts can be read"), names)
}

fn finish(
    done: Done,
    jvm: Jvm,
    feeder: BuilderSink,
    virtual_calls: &[(jfathom_plan::MethodId, u64)],
    names: &MethodNames,
) -> Recorded {
    assert!(feeder.damage().is_empty(), "damaged rings: {:?}\n{done}", feeder.damage());
    let (clean_end, rate) = (jvm.clean_end, jvm.clock.rate);
    let meta = Meta { jvms: vec![jvm], ..Meta::default() };
    let profile = feeder.into_builder().finish(Context { meta, rate, names, virtual_calls });
    profile.check().unwrap_or_else(|error| panic!("{error}\n{done}"));
    Recorded { done, profile, clean_end }
}

/// The usual arguments for a class of a directory.
pub fn class_path(directory: &Path, main: &str, arguments: &[&str]) -> Vec<String> {
    let mut words = vec!["-cp".to_owned(), directory.display().to_string(), main.to_owned()];
    words.extend(arguments.iter().map(|argument| (*argument).to_owned()));
    words
}
