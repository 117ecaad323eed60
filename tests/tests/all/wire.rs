//! Java to Rust, record by record: tiny rings, many threads, a collector that is slow or comes
//! late.

use crate::JFATHOM;
use jfathom_profile::Profile;
use jfathom_testkit::process_dir;
use jfathom_tests::{
    jdk, samples,
    tool::names,
    wire::{Pace, record},
};
use std::{
    path::{Path, PathBuf},
    sync::OnceLock,
};
use tempfile::TempDir;

/// Threads call `step`, and each step calls `leaf` twice, the second of which throws: a known
/// number of records each.
const STORM: &str = "
public class Storm {
    static volatile int sink;
    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]), steps = Integer.parseInt(args[1]);
        Thread[] all = new Thread[threads];
        for (int i = 0; i < threads; i++) (all[i] = new Thread(() -> loop(steps))).start();
        for (Thread thread : all) thread.join();
        System.out.println(\"storm over\");
    }
    static void loop(int steps) { for (int i = 0; i < steps; i++) step(i); }
    static void step(int i) { leaf(false); try { leaf(true); } catch (IllegalStateException e) { sink = i; } }
    static final IllegalStateException THROWN = new IllegalStateException();
    static void leaf(boolean fails) { if (fails) throw THROWN; }
}";

fn storm() -> &'static Path {
    static STORM_CLASSES: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, path) = STORM_CLASSES.get_or_init(|| {
        let folder = process_dir();
        let source = folder.path().join("source");
        std::fs::create_dir(&source).unwrap();
        std::fs::write(source.join("Storm.java"), STORM).unwrap();
        samples::javac(&[], &source, &folder.path().join("storm"));
        let path = JFATHOM.rewrite(&folder.path().join("storm"), &folder.path().join("out"), &[]);
        (folder, path)
    });
    path
}

fn counts(profile: &Profile, name: &str) -> [u64; 5] {
    let method = profile.methods.iter().find(|method| method.info.key.name == name);
    let method = method.unwrap_or_else(|| panic!("no {name}"));
    [method.entries, method.returns, method.throws, method.inferred, method.caught]
}

#[track_caller]
fn assert_exact(profile: &Profile, threads: u64, steps: u64) {
    let all = threads * steps;
    assert_eq!(counts(profile, "loop"), [threads, threads, 0, 0, 0]);
    assert_eq!(counts(profile, "step"), [all, all, 0, 0, all]);
    assert_eq!(counts(profile, "leaf"), [2 * all, all, all, 0, 0]);
    assert!(profile.quality.is_clean(), "{:?}", profile.quality);
}

#[track_caller]
fn through(pace: Pace, ring: usize, threads: u64, steps: u64) {
    for jdk in jdk::main_and_25("wire") {
        let java = [
            "-cp".to_owned(),
            storm().display().to_string(),
            "Storm".to_owned(),
            threads.to_string(),
            steps.to_string(),
        ];
        let recorded = record(pace, ring, jdk, &java, &names(storm()));
        assert_eq!(recorded.done.stdout, "storm over\n", "{}", recorded.done);
        assert_eq!(recorded.done.stderr, "");
        assert!(recorded.clean_end);
        assert_exact(&recorded.profile, threads, steps);
        if pace == Pace::Slow {
            assert!(
                recorded.profile.quality.ring_waits > 0,
                "no thread ever waited: {:?}",
                recorded.profile.quality
            );
        }
    }
}

/// The smallest rings, two threads.
#[test]
fn two_threads_tiny_rings() {
    through(Pace::Eager, 512, 2, 2_000);
}

#[test]
fn sixteen_threads_tiny_rings_slow_collector() {
    through(Pace::Slow, 4096, 16, 1_000);
}

#[test]
fn sixteen_threads_usual_rings() {
    through(Pace::Eager, 1 << 20, 16, 20_000);
}

/// Nobody drains while the program runs; everything is in the file, and is read when the JVM has
/// ended.
#[test]
fn all_is_there_afterwards() {
    through(Pace::Afterwards, 1 << 20, 4, 5_000);
}
