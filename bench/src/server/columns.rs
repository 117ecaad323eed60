//! What each column adds to a server that is recorded, all its requests: CPU time of server and
//! recorder for a request, and what the recording's end takes.
//!
//! Each pair is the server with the column and without it, at once, on a processor for each, so
//! that both meet the same machine. The next round swaps the processors, every second one which is
//! started first.

use super::{
    client::open,
    recording::{Options, Recording, cpu_time},
};
use crate::{
    columns::{processors, ways},
    shell, table,
};
use anyhow::{Result, bail, ensure};
use jfathom_tests::jdk;
use std::{
    process::{Command, Stdio},
    time::Duration,
};

/// Requests without a recording, as many a second as later: the server is compiled.
const WARM_UP: Duration = Duration::from_secs(10);

/// What one of a pair took.
#[derive(Clone, Copy)]
struct Taken {
    /// CPU time of server and recorder for a request of the window, in µs.
    request_micros: f64,
    /// Their CPU time for the recording's end, in seconds.
    end: f64,
}

/// All pairs, in rounds.
pub fn pairs(options: &Options) -> Result<()> {
    let ways = ways(options.column.as_deref())?;
    table::head(
        "round | column | CPU µs a request: without | with | with ÷ without | end, CPU s: without | with",
    );
    for round in 0..options.rounds {
        for (way, column) in &ways {
            let [without, with] = pair(round, column)?;
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
fn pair(round: usize, column: &[&str]) -> Result<[Taken; 2]> {
    let [one, other] = processors(round);
    let words: Vec<String> = std::env::args().skip(1).collect();
    let is_parted = words.iter().any(|word| word == "--");
    let start = |processor: &str, column: &[&str]| {
        let mut side = Command::new("taskset");
        side.args(["-c", processor]).arg(std::env::current_exe()?).args(&words);
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
        ensure!(output.status.success(), "one of a pair ended with {}", output.status);
        taken(&String::from_utf8(output.stdout)?)
    });
    Ok([without?, with?])
}

/// What one of a pair has printed.
fn taken(printed: &str) -> Result<Taken> {
    let numbers: Vec<f64> = printed.split_whitespace().flat_map(str::parse).collect();
    match numbers[..] {
        [request_micros, end] => Ok(Taken { request_micros, end }),
        _ => bail!("one of a pair printed {printed:?}"),
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
    let ended = shell::children_cpu()?.as_secs_f64();
    let recording = Recording::start(options, &server)?;
    open(server.port(), options.rate, options.settle)?;
    let before = cpu_time(server.pid())? + cpu_time(recording.pid())?;
    open(server.port(), options.rate, options.seconds)?;
    let between = cpu_time(server.pid())? + cpu_time(recording.pid())?;
    recording.stop(options.keep.as_deref())?;
    // The recorder's whole time is among that of the processes that have ended.
    let after = cpu_time(server.pid())? + (shell::children_cpu()?.as_secs_f64() - ended);
    let requests = options.rate * options.seconds.as_secs_f64();
    println!("{} {}", (between - before) / requests * 1e6, after - between);
    server.finish();
    Ok(())
}
