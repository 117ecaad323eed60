//! A server's throughput over time: before a recording, with it and after it.

use crate::{Options, Recording, Result, client::closed, cpu_time};
use jfathom_tests::live::server::Server;
use std::time::{Duration, Instant};

/// Time of one row.
const WINDOW: Duration = Duration::from_secs(5);

/// Windows before the recording.
const BEFORE: u32 = 6;

/// Requests as fast as they are answered, one row for each five seconds.
pub fn course(options: &Options, server: &Server, time: Duration) -> Result<()> {
    println!("| s | | requests/s | CPU µs a request | of it compilers |\n|---|---|---|---|---|");
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
    let (all, compilers) = (cpu_time(server.pid())?, compilers(server.pid())?);
    let throughput = closed(server.port(), WINDOW)?;
    let requests = throughput * WINDOW.as_secs_f64();
    let share = |from: f64, to: f64| (to - from) / requests * 1e6;
    println!(
        "| {:.0} | {phase} | {throughput:.0} | {:.1} | {:.1} |",
        begun.elapsed().as_secs_f64(),
        share(all, cpu_time(server.pid())?),
        share(compilers, self::compilers(server.pid())?),
    );
    Ok(())
}

/// CPU time of the JVM's compiler threads, in seconds. HotSpot names them `C1 CompilerThread0` and
/// `C2 CompilerThread0`; Linux keeps 15 characters of it. The JVM ends and begins them as it needs
/// them, so one that has ended takes its time with it.
fn compilers(pid: u32) -> Result<f64> {
    let mut sum = 0.0;
    for task in std::fs::read_dir(format!("/proc/{pid}/task"))? {
        let Ok(stat) = std::fs::read_to_string(task?.path().join("stat")) else { continue };
        let Some((name, rest)) = stat.rsplit_once(')') else { continue };
        if name.ends_with("CompilerThre") {
            let ticks = rest.split_whitespace().skip(11).take(2).flat_map(str::parse::<f64>);
            sum += ticks.sum::<f64>() / 100.0;
        }
    }
    Ok(sum)
}
