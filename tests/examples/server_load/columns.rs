//! What each column adds to a server that is recorded, all its requests: CPU time of server and
//! recorder for a request, and what the recording's end takes.
//!
//! Each pair is the server with the column and without it, at once, on a processor for each, so
//! that both meet the same machine. The next round swaps the processors, every second one which is
//! started first.

use crate::{Options, Recording, Result, client::open, cpu_time};
use jfathom_tests::jdk;
use std::{
    process::{Command, Stdio},
    time::Duration,
};

const PROCESSORS: [&str; 2] = ["0", "1"];
/// Requests without a recording, as many a second as later: the server is compiled.
const WARM_UP: Duration = Duration::from_secs(10);

/// Names of the columns, and their options. The first one shows how far pairs differ that do the
/// same.
const WAYS: [(&str, &[&str]); 7] = [
    ("no column", &[]),
    ("alloc", &["--metrics", "alloc"]),
    ("cpu by switches", &["--metrics", "cpu=switches"]),
    ("cpu by threads' clocks", &["--metrics", "cpu=thread-clock"]),
    ("waits", &["--metrics", "waits"]),
    ("stack samples", &["--metrics", "samples"]),
    ("all, with exceptions", &["--metrics", "alloc,cpu,waits,exceptions,samples"]),
];

/// What one of a pair took.
#[derive(Clone, Copy)]
struct Taken {
    /// CPU time of server and recorder for a request of the window, in µs.
    request_micros: f64,
    /// Their CPU time for the recording's end, in seconds.
    end: f64,
}

/// All pairs, in rounds; `words` are those of the command line.
pub fn pairs(options: &Options, words: &[String]) -> Result<()> {
    let is_asked = |way: &str| match &options.column {
        Some(column) => way == column || way == WAYS[0].0,
        None => true,
    };
    let ways: Vec<_> = WAYS.into_iter().filter(|(way, _)| is_asked(way)).collect();
    if ways.len() < 2 {
        return Err(format!("--column: one of {}", WAYS.map(|(way, _)| way).join(", ")).into());
    }
    println!(
        "| round | column | CPU µs a request: without | with | with ÷ without | end, CPU s: without | with |"
    );
    println!("|---|---|---|---|---|---|---|");
    for round in 0..options.rounds {
        for (way, column) in &ways {
            let [without, with] = pair(words, round, column)?;
            println!(
                "| {round} | {way} | {:.1} | {:.1} | {:.3} | {:.2} | {:.2} |",
                without.request_micros,
                with.request_micros,
                with.request_micros / without.request_micros,
                without.end,
                with.end,
            );
        }
    }
    Ok(())
}

/// What the server without and with a column takes.
fn pair(words: &[String], round: usize, column: &[&str]) -> Result<[Taken; 2]> {
    let [one, other] = PROCESSORS;
    let (one, other) = if round.is_multiple_of(2) { (one, other) } else { (other, one) };
    let is_parted = words.iter().any(|word| word == "--");
    let start = |processor: &str, column: &[&str]| {
        let mut side = Command::new("taskset");
        side.args(["-c", processor]).arg(std::env::current_exe()?).args(words);
        side.env(SIDE, "1").args((!is_parted).then_some("--")).args(column);
        side.stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn()
    };
    let started = if (round / 2).is_multiple_of(2) {
        [start(one, &[])?, start(other, column)?]
    } else {
        let with = start(other, column)?;
        [start(one, &[])?, with]
    };
    let [without, with] = started.map(|side| {
        let output = side.wait_with_output()?;
        if !output.status.success() {
            return Err(format!("one of a pair ended with {}", output.status).into());
        }
        taken(&String::from_utf8(output.stdout)?)
    });
    Ok([without?, with?])
}

/// What one of a pair has printed.
fn taken(printed: &str) -> Result<Taken> {
    let numbers: Vec<f64> = printed.split_whitespace().flat_map(str::parse).collect();
    match numbers[..] {
        [request_micros, end] => Ok(Taken { request_micros, end }),
        _ => Err(format!("one of a pair printed {printed:?}").into()),
    }
}

/// Set in the processes that a pair consists of.
const SIDE: &str = "JFATHOM_SERVER_LOAD_SIDE";

/// Whether this process is one of a pair.
pub fn is_side() -> bool {
    std::env::var_os(SIDE).is_some()
}

/// One of a pair: prints the CPU µs of server and recorder for each request of a window at the
/// fixed rate, and their CPU seconds from then to the recording's end.
pub fn side(options: &Options, jdk: &jdk::Jdk) -> Result<()> {
    let server = options.server.start(jdk)?;
    open(server.port(), options.rate, WARM_UP)?;
    let ended = cpu_time_of_ended()?;
    let recording = Recording::start(options, &server)?;
    open(server.port(), options.rate, options.settle)?;
    let before = cpu_time(server.pid())? + cpu_time(recording.pid())?;
    open(server.port(), options.rate, options.window)?;
    let between = cpu_time(server.pid())? + cpu_time(recording.pid())?;
    recording.stop(options.keep.as_deref())?;
    // The recorder's whole time is among that of the processes that have ended.
    let after = cpu_time(server.pid())? + (cpu_time_of_ended()? - ended);
    let requests = options.rate * options.window.as_secs_f64();
    println!("{} {}", (between - before) / requests * 1e6, after - between);
    server.finish();
    Ok(())
}

/// What this process's children that have ended have run on processors, in seconds (`proc(5)`,
/// `/proc/self/stat`: fields 16 and 17, in hundredths of a second on Linux).
fn cpu_time_of_ended() -> Result<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let after_name = stat.rsplit_once(')').ok_or("a process without a name")?.1;
    let ticks: Vec<f64> =
        after_name.split_whitespace().skip(13).take(2).flat_map(str::parse).collect();
    Ok(ticks.iter().sum::<f64>() / 100.0)
}
