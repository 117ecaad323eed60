//! A server's throughput over time: before a recording, with it and after it.

use super::{
    client::closed,
    recording::{Options, Recording},
};
use crate::table;
use anyhow::{Context, Result};
use jfathom_tests::live::server::Server;
use std::time::{Duration, Instant};

/// Time of one row.
const WINDOW: Duration = Duration::from_secs(5);

/// Windows before the recording.
const BEFORE: u32 = 6;

/// Requests as fast as they are answered, one row for each five seconds.
pub fn course(options: &Options, server: &Server, time: Duration) -> Result<()> {
    table::head("s | | requests/s | user, system, compilers: CPU µs a request");
    let begun = Instant::now();
    let rows = |phase: &str, rows: u32| -> Result<()> {
        (0..rows).try_for_each(|_| row(server, begun, phase))
    };
    rows("plain", BEFORE)?;
    let windows = (time.as_secs_f64() / WINDOW.as_secs_f64()).ceil() as u32;
    let recording = Recording::start(options, server)?;
    rows("recorded", windows)?;
    recording.stop(options.keep.as_deref())?;
    rows("after", windows)
}

fn row(server: &Server, begun: Instant, phase: &str) -> Result<()> {
    let before = Times::of(server.pid())?;
    let throughput = closed(server.port(), WINDOW)?;
    let after = Times::of(server.pid())?;
    let requests = throughput * WINDOW.as_secs_f64();
    let share = |time: fn(&Times) -> f64| (time(&after) - time(&before)) / requests * 1e6;
    println!(
        "| {:.0} | {phase} | {throughput:.0} | {:.1}, {:.1}, {:.1} |",
        begun.elapsed().as_secs_f64(),
        share(|times| times.user - times.compilers),
        share(|times| times.system),
        share(|times| times.compilers),
    );
    Ok(())
}

/// CPU time of a JVM, in seconds.
struct Times {
    user: f64,
    system: f64,
    /// Of its compiler threads, which is in the others, too.
    compilers: f64,
}

impl Times {
    /// HotSpot names its compiler threads C1 CompilerThread0, C2 CompilerThread0 and so on; Linux
    /// keeps 15 characters. The JVM ends and begins them as it needs them, so one that has ended
    /// takes its time with it.
    fn of(pid: u32) -> Result<Self> {
        let process = std::fs::read_to_string(format!("/proc/{pid}/stat"))?;
        let (_, [user, system]) = ticks(&process).context("a process without times")?;
        let mut compilers = 0.0;
        for task in std::fs::read_dir(format!("/proc/{pid}/task"))? {
            let Ok(stat) = std::fs::read_to_string(task?.path().join("stat")) else { continue };
            if let Some((name, [user, system])) = ticks(&stat)
                && name.ends_with("CompilerThre")
            {
                compilers += user + system;
            }
        }
        Ok(Self { user, system, compilers })
    }
}

/// Name, and seconds in user and in system mode (`proc(5)`, fields 14 and 15 of `stat`, in
/// hundredths of a second on Linux).
fn ticks(stat: &str) -> Option<(&str, [f64; 2])> {
    let (name, rest) = stat.rsplit_once(')')?;
    let mut times = rest.split_whitespace().skip(11).flat_map(str::parse::<f64>);
    Some((name, [times.next()? / 100.0, times.next()? / 100.0]))
}
