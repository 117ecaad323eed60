//! Recordings in slices that are killed, or that have no space: whatever of their calls is in no
//! slice is counted as lost or said, and none is there twice.

use crate::JFATHOM;
use jfathom_testkit::{Random, SmallDisk};
use jfathom_tests::{
    jdk,
    jdk::Jdk,
    live::signal,
    run,
    run::{Done, HANG},
    samples,
};
use serde_json::Value;
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// The methods of `fibres.Journal`, in the order of its file.
const METHODS: [&str; 3] = ["stay", "turn", "leaf"];
const ROWS: usize = 8;
/// Threads of each row, and calls that each of them makes.
const STAYS: u64 = 24;
const CALLS_OF_STAY: u64 = 1 + 40 + 40 * 30;
const ALL_CALLS: u64 = ROWS as u64 * STAYS * CALLS_OF_STAY;
/// What each kill is tried with so often.
const ROUNDS: u64 = 4;

/// Who is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kill {
    Nobody,
    Collector,
    /// As soon as there is one more slice.
    CollectorAfterSlice,
    Jvm,
    Both,
}

/// A place for recordings of the program.
struct Place {
    folder: TempDir,
    program: PathBuf,
}

impl Place {
    fn new() -> Self {
        let folder = samples::temp_dir();
        let classes = folder.path().join("classes");
        samples::javac(&[], &samples::sources().join("fibres"), &classes);
        let options = ["--root", "fibres.Journal::stay", "--include", "!fibres.Journal$Counts"];
        let program = JFATHOM.rewrite(&classes, &folder.path().join("out"), &options);
        Self { folder, program }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Records the program in a folder that is made for it, and its slices to `slices`.
    fn start(&self, jdk: &Jdk, round: &str, every: &str, slices: &Path) -> Recording {
        let folder = self.path(round);
        fs::create_dir(&folder).unwrap();
        fs::create_dir_all(slices).unwrap();
        let stderr = fs::File::create(folder.join("stderr")).unwrap();
        let mut command = JFATHOM.command();
        command.args(["record", "--every", every, "--budget=none", "--tune=calibrate=off"]);
        command.arg(format!("--tune=session={}", folder.join("session").display()));
        command.arg("-o").arg(slices.join("p-%n.jfp")).arg("--").arg(jdk.java());
        command.arg("-cp").arg(&self.program).arg("fibres.Journal").arg(folder.join("journal"));
        command.args([ROWS.to_string(), STAYS.to_string()]);
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(stderr).spawn();
        Recording { child: child.unwrap(), folder, slices: slices.to_owned() }
    }
}

/// A recording in the making.
struct Recording {
    child: Child,
    folder: PathBuf,
    slices: PathBuf,
}

/// What the program has put down, by method: begun and done.
#[derive(Debug)]
struct Journal {
    pid: u32,
    counts: [(u64, u64); METHODS.len()],
}

impl Journal {
    fn begun(&self) -> u64 {
        self.counts.iter().map(|(begun, _)| begun).sum()
    }
}

impl Recording {
    fn session(&self) -> PathBuf {
        self.folder.join("session")
    }

    fn stderr(&self) -> String {
        fs::read_to_string(self.folder.join("stderr")).unwrap()
    }

    /// None before the program has begun.
    fn journal(&self) -> Option<Journal> {
        let bytes = fs::read(self.folder.join("journal")).ok()?;
        let words: Vec<u64> =
            bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let (pid, rows) = words.split_first().filter(|(pid, _)| **pid != 0)?;
        let mut counts = [(0, 0); METHODS.len()];
        for (pair, at) in rows.as_chunks::<2>().0.iter().zip((0..METHODS.len()).cycle()) {
            counts[at].0 += pair[0];
            counts[at].1 += pair[1];
        }
        Some(Journal { pid: u32::try_from(*pid).unwrap(), counts })
    }

    /// The profiles of the slices.
    fn profiles(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.slices).unwrap().map(|entry| entry.unwrap().path());
        let mut paths: Vec<_> =
            entries.filter(|path| path.extension().is_some_and(|end| end == "jfp")).collect();
        paths.sort();
        paths
    }

    #[track_caller]
    fn wait(&self, what: &str, is_so: impl Fn() -> bool) {
        let begun = Instant::now();
        while !is_so() {
            assert!(begun.elapsed() < HANG, "{what} does not come: {}", self.stderr());
            thread::sleep(Duration::from_micros(200));
        }
    }

    /// Kills when so many calls have begun, and waits for the end of all. Returns the exit code.
    #[track_caller]
    fn kill(&mut self, kill: Kill, at: u64) -> Option<i32> {
        self.wait("a call", || self.journal().is_some_and(|journal| journal.begun() > at));
        let jvm = self.journal().expect("it has begun").pid;
        if kill == Kill::CollectorAfterSlice {
            let before = self.profiles().len();
            self.wait("a slice", || self.profiles().len() > before || !is_running(jvm));
        }
        if matches!(kill, Kill::Collector | Kill::CollectorAfterSlice | Kill::Both) {
            let _ended = self.child.kill();
        }
        if matches!(kill, Kill::Jvm | Kill::Both) && is_running(jvm) {
            signal(jvm, "KILL");
        }
        let status = self.child.wait().unwrap();
        self.wait("the program's end", || !is_running(jvm));
        status.code()
    }

    /// `report --json` of these.
    fn report(&self, paths: &[PathBuf]) -> Done {
        run::run(JFATHOM.command().args(["report", "--json"]).args(paths))
    }
}

/// Whether the process is there, and not only its exit code.
fn is_running(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.starts_with(" Z"))
}

/// What a report has.
#[derive(Debug)]
struct Recorded {
    calls: [u64; METHODS.len()],
    is_clean: bool,
    /// Records and counts that were lost.
    lost: u64,
    quality: Value,
}

impl Recorded {
    #[track_caller]
    fn of(done: Done) -> Self {
        let report: Value = serde_json::from_str(&done.fine().stdout).expect("a report");
        let mut calls = [0; METHODS.len()];
        for method in report["methods"].as_array().expect("methods") {
            let at = METHODS.iter().position(|name| method["name"] == *name);
            calls[at.unwrap_or_else(|| panic!("{method}"))] +=
                method["calls"].as_u64().expect("a count");
        }
        let quality = report["quality"].clone();
        let count = |name: &&str| quality[*name].as_u64().expect("a count");
        let lost =
            ["lostRecords", "lostWaiting", "lostRingless", "lostWithCollector", "lostCounts"];
        let lost = lost.iter().map(count).sum();
        Self { calls, is_clean: quality["clean"] == true, lost, quality }
    }

    /// How many calls are missing of those that were done. There is none that was not begun.
    #[track_caller]
    fn missing(&self, journal: &Journal) -> u64 {
        let rows = METHODS.iter().zip(&self.calls).zip(&journal.counts);
        rows.map(|((name, calls), (begun, done))| {
            assert!(calls <= begun, "{name}: {calls} of {begun}: {}", self.quality);
            done.saturating_sub(*calls)
        })
        .sum()
    }
}

/// What is missing of a recording without holes is counted.
#[track_caller]
fn assert_counted(recorded: &Recorded, journal: &Journal) {
    let missing = recorded.missing(journal);
    let is_said = missing == 0 || !recorded.is_clean;
    assert!(is_said && missing <= recorded.lost, "{missing} missing: {recorded:?}");
}

/// Kills at random times.
#[track_caller]
fn kill(place: &Place, jdk: &Jdk, kill: Kill) {
    let now = std::time::UNIX_EPOCH.elapsed().unwrap().as_nanos() as u64;
    let mut random = Random(now | 1);
    for round in 0..ROUNDS {
        // Also after the first slice, when no checkpoint was due.
        let is_first = kill == Kill::CollectorAfterSlice && round == 0;
        let at = if is_first { 0 } else { random.below(ALL_CALLS * 3 / 4) };
        println!("{kill:?} on {jdk}, after {at} calls");
        let name = format!("{kill:?}-{}-{round}", jdk.version);
        let slices = place.path(&format!("{name}-slices"));
        let mut recording = place.start(jdk, &name, "150ms", &slices);
        let code = recording.kill(kill, at);
        let journal = recording.journal().expect("it has begun");
        let mut paths = recording.profiles();
        if kill == Kill::Jvm {
            assert_eq!(code, Some(137), "{}", recording.stderr());
            let recorded = Recorded::of(recording.report(&paths));
            assert_eq!(recorded.missing(&journal), 0, "{recorded:?}");
            assert!(!recorded.is_clean, "{recorded:?}");
            continue;
        }
        let slices = (!paths.is_empty()).then(|| Recorded::of(recording.report(&paths)));
        let left = Recorded::of(recording.report(&[recording.session()]));
        assert!(!left.is_clean, "the collector was killed: {left:?}");
        left.missing(&journal);
        paths.push(recording.session());
        let all = recording.report(&paths);
        if all.code == Some(2) {
            all.says(&["is a slice that was given before"]);
            slices.expect("there is the same slice").missing(&journal);
            continue;
        }
        let all = Recorded::of(all);
        assert!(!all.is_clean, "the collector was killed: {all:?}");
        assert_counted(&all, &journal);
    }
}

#[test]
fn a_killed_collector_leaves_all_slices_and_counts_what_is_missing() {
    let place = Place::new();
    for jdk in jdk::main_and_25("killed slices") {
        kill(&place, jdk, Kill::Collector);
        kill(&place, jdk, Kill::CollectorAfterSlice);
    }
}

#[test]
fn a_killed_jvm_leaves_all_calls_in_its_slices() {
    let place = Place::new();
    for jdk in jdk::main_and_25("slices of killed JVMs") {
        kill(&place, jdk, Kill::Jvm);
        kill(&place, jdk, Kill::Both);
    }
}

/// Leaves no space on a disk.
fn fill(disk: &Path) {
    let mut file = fs::File::create(disk.join("full")).unwrap();
    while file.write_all(&[1; 4096]).is_ok() {}
}

/// A full disk for slices, of which some are written before and the others saved in the session
/// directory.
#[test]
fn slices_without_space_are_in_the_session_directory() {
    let place = Place::new();
    let Some(jdk) = jdk::jdk25("slices without space") else { return };
    for kill in [Kill::Nobody, Kill::Collector] {
        let name = format!("full-{kill:?}");
        let Some(disk) = SmallDisk::mount(&place.path(&format!("{name}-disk")), "64k") else {
            println!("skipped: a tmpfs cannot be mounted here");
            return;
        };
        let slices = disk.path().join("slices");
        let mut recording = place.start(jdk, &name, "250ms", &slices);
        recording.wait("a slice", || !recording.profiles().is_empty());
        fill(disk.path());
        recording.wait("a refusal", || recording.stderr().contains("cannot be written"));
        let code = recording.kill(kill, 0);
        let journal = recording.journal().expect("it has begun");
        let stderr = recording.stderr();
        if kill == Kill::Nobody {
            assert_eq!((code, stderr.contains("is still in")), (Some(1), true), "{stderr}");
        }
        let mut paths = recording.profiles();
        paths.push(recording.session());
        let recorded = Recorded::of(recording.report(&paths));
        // What is open before slices that were given up counts again after them.
        if stderr.contains("is given up") {
            assert!(!recorded.is_clean, "a slice is missing: {recorded:?}");
            continue;
        }
        assert_counted(&recorded, &journal);
    }
}
