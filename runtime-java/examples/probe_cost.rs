//! Measures what a probe pair costs, on every JVM that is found: CPU time per call beyond the
//! program without probes, with a live consumer. `probe_cost [ROUNDS [ROW]]`; every cell is the
//! median over new JVMs.

#[path = "../tests/all/support/mod.rs"]
#[allow(dead_code, reason = "an example uses its part")]
mod support;

use jfathom_plan::{MethodId, Placement};
use jfathom_runtime_java::{Flags, jvm_flags};
use jfathom_session::names;
use jfathom_testkit::Javac;
use jfathom_trace::{OpenOutcome, SessionFile, layout};
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;
use support::{Collector, Jvm, built, jvms, run_with};

/// JVM flags: none, those of a main jar's manifest, or those that `record` adds.
#[derive(Clone, Copy, PartialEq)]
enum Given {
    None,
    Manifest,
    All,
}

/// The mode of all methods.
#[derive(Clone, Copy)]
enum Mode {
    Time,
    Count,
    Off,
    /// Timed for a while, then counted.
    Demoted,
}

/// How long a method is timed before it is demoted. The compilers are done by then, and the
/// measured rounds come later.
const TIMED: Duration = Duration::from_millis(150);

/// One line of the output: a run of the Java program under these conditions.
struct Row {
    name: &'static str,
    kind: &'static str,
    threads: u32,
    flags: Given,
    clock: &'static str,
    mode: Mode,
    session: bool,
    /// The id after the last one; empty where nobody says it.
    ids: &'static str,
}

const ROW: Row = Row {
    name: "",
    kind: "loop",
    threads: 1,
    flags: Given::None,
    clock: "auto",
    mode: Mode::Time,
    session: true,
    ids: "",
};

const ROWS: &[Row] = &[
    Row { name: "two nanoTime", kind: "clock", ..ROW },
    Row { name: "pair, no flags", ..ROW },
    Row { name: "pair, java -jar", flags: Given::Manifest, ..ROW },
    Row { name: "pair, flags, nanoTime", flags: Given::All, clock: "nano", ..ROW },
    Row { name: "pair, flags", flags: Given::All, ..ROW },
    Row { name: "pair inside a root, flags", kind: "rooted", flags: Given::All, ..ROW },
    Row { name: "pair, flags, 2 threads", flags: Given::All, threads: 2, ..ROW },
    Row { name: "fib, flags", kind: "fib", flags: Given::All, ..ROW },
    Row { name: "fib, inert", kind: "fib", session: false, ..ROW },
    Row { name: "fib, off", kind: "fib", mode: Mode::Off, ..ROW },
    Row { name: "fib, count", kind: "fib", mode: Mode::Count, ..ROW },
    Row { name: "fib, count, flags", kind: "fib", mode: Mode::Count, flags: Given::All, ..ROW },
    Row { name: "fib, demoted", kind: "fib", mode: Mode::Demoted, ..ROW },
    Row { name: "fib, demoted, flags", kind: "fib", mode: Mode::Demoted, flags: Given::All, ..ROW },
    Row { name: "fib, count, 2 threads", kind: "fib", mode: Mode::Count, threads: 2, ..ROW },
    Row { name: "timed and counted pairs", kind: "mixed", mode: Mode::Count, ..ROW },
    Row {
        name: "timed and counted pairs, flags",
        kind: "mixed",
        mode: Mode::Count,
        flags: Given::All,
        ..ROW
    },
    Row {
        name: "three counted methods in a pair, 1,000 ids",
        kind: "near",
        flags: Given::All,
        ids: "1000",
        ..ROW
    },
    Row {
        name: "three counted methods in a pair, 100,000 ids",
        kind: "far",
        flags: Given::All,
        ids: "100000",
        ..ROW
    },
    Row { name: "fib, outside, was inside", kind: "outside", ..ROW },
    Row { name: "fib, outside, never inside", kind: "never", ..ROW },
];

fn main() {
    let rounds = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(3);
    let only = std::env::args().nth(2).unwrap_or_default();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/java/ProbeCost.java");
    Javac::release(11)
        .option("-cp")
        .option(built().runtime.to_str().expect("a plain path"))
        .compile(&[source], &built().programs);
    println!(
        "| ns per call, CPU | {} |",
        jvms().iter().map(|jvm| format!("Java {}", jvm.version)).collect::<Vec<_>>().join(" | ")
    );
    println!("|---|{}", "---|".repeat(jvms().len()));
    for row in ROWS.iter().filter(|row| row.name.contains(&only)) {
        let cells: Vec<String> = jvms().iter().map(|jvm| cell(row, jvm, rounds)).collect();
        println!("| {} | {} |", row.name, cells.join(" | "));
    }
}

/// `beyond (without)`: the median over `rounds` JVMs and all their threads.
fn cell(row: &Row, jvm: &Jvm, rounds: usize) -> String {
    let mut measured = Vec::new();
    for _ in 0..rounds {
        let mut command = Command::new(&jvm.java);
        if row.flags == Given::Manifest && jvm.version >= 22 {
            command.arg("--enable-native-access=ALL-UNNAMED");
        }
        if row.flags == Given::All {
            command.args(jvm_flags(&Flags {
                placement: Placement::Main,
                java: Some(jvm.version),
                ..Flags::default()
            }));
        }
        if !row.ids.is_empty() {
            command.env(names::ENV_IDS, row.ids);
        }
        command.env(names::ENV_CLOCK, row.clock).arg("-cp").arg(format!(
            "{}:{}",
            built().runtime.display(),
            built().programs.display()
        ));
        command.args(["ProbeCost", row.kind, &row.threads.to_string()]);
        let output = if row.session {
            let outcome = run_with(&mut command, Collector::Live, |file| match row.mode {
                Mode::Time => {}
                Mode::Count => set_modes(file, layout::MODE_COUNT),
                Mode::Off => set_modes(file, layout::MODE_OFF),
                Mode::Demoted => {
                    let path = file.path().to_owned();
                    thread::spawn(move || {
                        thread::sleep(TIMED);
                        if let Ok(OpenOutcome::Ready(file)) = SessionFile::open(&path) {
                            set_modes(&file, layout::MODE_COUNT);
                        }
                    });
                }
            });
            assert_eq!(outcome.stderr, "");
            outcome.stdout
        } else {
            let output = command.output().expect("a JVM");
            String::from_utf8_lossy(&output.stdout).into_owned()
        };
        for line in output.lines() {
            let numbers: Vec<f64> =
                line.split(' ').skip(1).map(|number| number.parse().expect("a number")).collect();
            measured.push((numbers[1] - numbers[0], numbers[0]));
        }
    }
    measured.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (beyond, plain) = measured[measured.len() / 2];
    format!("{beyond:.1} ({plain:.1})")
}

/// The methods whose modes are set. All others are timed.
fn ids() -> Vec<MethodId> {
    (0..8).filter_map(MethodId::new).collect()
}

fn set_modes(file: &SessionFile, mode: u32) {
    ids().into_iter().for_each(|id| _ = file.set_mode(id, mode as u8));
}
