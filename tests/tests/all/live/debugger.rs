//! JVMs with a debugger, which loses its breakpoints.

use super::live;
use jfathom_profile::Profile;
use jfathom_tests::{
    jdk,
    live::Desk,
    run::{Done, HANG},
};
use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    thread,
    time::{Duration, Instant},
};

/// What each side of a JDWP connection says first.
const HANDSHAKE: &[u8] = b"JDWP-Handshake";

/// A debugger that does nothing, and the flag by which a JVM connects to it.
fn debugger() -> (thread::JoinHandle<TcpStream>, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let flag =
        format!("-agentlib:jdwp=transport=dt_socket,server=n,suspend=n,quiet=y,address={address}");
    let connected = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(HANDSHAKE).unwrap();
        let mut said = [0; HANDSHAKE.len()];
        stream.read_exact(&mut said).unwrap();
        assert_eq!(said, HANDSHAKE);
        stream
    });
    (connected, flag)
}

#[track_caller]
fn assert_said(is_said: bool, done: &Done, profile: &Profile) {
    let starts = "a debugger is connected to this JVM: ";
    let notices = profile.meta.notices.iter().filter(|notice| notice.starts_with(starts)).count();
    let said = done.stderr.matches(starts).count();
    assert_eq!((notices, said), (is_said.into(), is_said.into()), "{done}");
    assert!(profile.quality.is_clean(), "{:?}\n{done}", profile.quality);
}

#[test]
fn that_are_attached_to() {
    for jdk in jdk::main_and_25("a debugger") {
        let (connected, flag) = debugger();
        let listening = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y,\
                         address=127.0.0.1:0";
        for (flag, is_said) in [(flag.as_str(), true), (listening, false)] {
            let mut desk = Desk::start(jdk, &[flag]);
            let mut recording = live(&["live.Work::root"]).attach(desk.pid);
            recording.until_waiting();
            desk.expect("Work 10", "327");
            let (done, profile) = recording.end();
            assert_said(is_said, &done, &profile);
            desk.finish().fine();
        }
        drop(connected.join().unwrap());
    }
}

#[test]
fn that_are_started() {
    for jdk in jdk::main_and_25("a debugger from the start") {
        let (connected, flag) = debugger();
        let live = live(&["live.Work::root"]);
        let words = [vec![flag], super::program("live.Desk")].concat();
        let mut desk = Desk::of(live.launching(jdk, &words));
        // The agent looks for it from time to time.
        let start = Instant::now();
        while live.lines().all("note").next().is_none() {
            assert!(start.elapsed() < HANG, "{:#?}", live.lines());
            thread::sleep(Duration::from_millis(20));
        }
        desk.expect("Work 10", "327");
        let done = desk.finish();
        assert_said(true, &done, &live.read(&done));
        drop(connected.join().unwrap());
    }
}
