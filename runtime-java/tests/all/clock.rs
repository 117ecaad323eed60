//! Which clock a JVM takes, and what it says of it.

use crate::support::{Jvm, Outcome, has_counter, jvms, run_prepared};
use jfathom_session::names::{self, CLOCK_LINK};
use jfathom_trace::layout as l;
use jfathom_trace::{Clock, ClockKind};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

const NATIVE_ACCESS: &str = "--enable-native-access=ALL-UNNAMED";

/// The flags by which a JVM lets the library be loaded without a warning.
fn loading(jvm: &Jvm) -> &'static [&'static str] {
    if jvm.version >= 24 { &[NATIVE_ACCESS] } else { &[] }
}

fn storm<'c>(command: &'c mut Command, flags: &[&str]) -> &'c mut Command {
    command.args(flags).args(["Storm", "1", "1000"])
}

/// A good run whose calls are exact; its clock.
fn clock(outcome: &Outcome) -> Clock {
    outcome.good();
    assert_eq!(outcome.session.calls(1)[0], outcome.number("calls"));
    outcome.header.as_ref().expect("a session").clock
}

fn notices(outcome: &Outcome) -> Vec<&str> {
    let notices = outcome.info.iter().filter(|entry| entry.kind == l::INFO_NOTICE);
    notices.map(|entry| &*entry.text).collect()
}

#[test]
fn every_jvm_reads_the_counter_by_the_library() {
    for jvm in jvms() {
        let outcome = run_prepared(storm(&mut jvm.command(), loading(&jvm)), |_| {});
        let clock = clock(&outcome);
        if has_counter() {
            let taken = (clock.kind, clock.reason);
            assert_eq!(taken, (ClockKind::Tsc, l::CLOCK_REASON_TSC_LIBRARY), "{}", jvm.version);
            // The counter of aarch64 has 24 MHz or more, that of x86-64 some GHz.
            assert!(clock.hz > 1_000_000, "{clock:?}");
        } else {
            assert_eq!(clock.kind, ClockKind::NanoTime);
        }
        assert_eq!(notices(&outcome), [""; 0]);
    }
}

#[test]
fn nano_is_taken_where_it_is_asked_for() {
    for jvm in jvms() {
        let mut command = jvm.command();
        storm(&mut command, loading(&jvm)).env(names::ENV_CLOCK, "nano");
        let clock = clock(&run_prepared(&mut command, |_| {}));
        assert_eq!((clock.kind, clock.reason), (ClockKind::NanoTime, l::CLOCK_REASON_ASKED));
    }
}

#[test]
fn without_native_access_nothing_is_loaded_where_the_jvm_would_warn() {
    for jvm in jvms().into_iter().filter(|jvm| jvm.version >= 24) {
        let outcome = run_prepared(storm(&mut jvm.command(), &[]), |_| {});
        let clock = clock(&outcome);
        assert_eq!(clock.kind, ClockKind::NanoTime);
        if has_counter() {
            assert_eq!(clock.reason, l::CLOCK_REASON_NO_NATIVE_ACCESS);
        }
    }
}

/// Without a library that can be loaded it is a downcall, or nanoTime; and never a line of output.
fn without_library(prepare: impl Fn(&Path), notice: &str) {
    for jvm in jvms() {
        let outcome = run_prepared(storm(&mut jvm.command(), loading(&jvm)), &prepare);
        let clock = clock(&outcome);
        if !has_counter() {
            continue;
        }
        let wanted = match jvm.version {
            22.. if cfg!(target_arch = "x86_64") => (ClockKind::Tsc, l::CLOCK_REASON_TSC_PAGE),
            _ => (ClockKind::NanoTime, l::CLOCK_REASON_NO_LIBRARY),
        };
        assert_eq!((clock.kind, clock.reason), wanted, "{}", jvm.version);
        let notices = notices(&outcome);
        assert_eq!(notices.len(), usize::from(!notice.is_empty()), "{notices:?}");
        assert!(notices.iter().all(|text| text.contains(notice)), "{notices:?}");
    }
}

fn library(session: &Path) -> PathBuf {
    fs::read_link(session.join(CLOCK_LINK)).expect("the link")
}

#[test]
fn a_session_without_a_library_has_another_clock() {
    without_library(|session| fs::remove_file(session.join(CLOCK_LINK)).unwrap(), "");
}

/// HotSpot prints two lines for a file that is no library.
#[test]
fn a_damaged_library_is_not_loaded() {
    let damage = |session: &Path| {
        let library = library(session);
        fs::remove_file(&library).unwrap();
        fs::write(library, "no library").unwrap();
    };
    without_library(damage, "is damaged");
}

#[test]
fn a_library_that_others_can_exchange_is_not_loaded() {
    let shared = tempfile::tempdir().unwrap();
    let expose = |session: &Path| {
        let library = library(session);
        let copy = shared.path().join(library.file_name().unwrap());
        fs::copy(&library, &copy).unwrap();
        set_mode(shared.path(), 0o755);
        fs::remove_file(session.join(CLOCK_LINK)).unwrap();
        symlink(copy, session.join(CLOCK_LINK)).unwrap();
    };
    without_library(expose, "is not in a directory of this user alone");
}

fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}
