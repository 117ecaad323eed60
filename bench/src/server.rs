//! What recording by sample costs a server under load: requests at a fixed rate and as fast as they
//! can be, one in fifty for a large page, with and without a recording of one request in a hundred,
//! in the same JVM and in turns.
//!
//! Jetty is where `JFATHOM_JETTY` says, Tomcat where `JFATHOM_TOMCAT` does.

mod client;
mod columns;

pub use columns::is_side;
mod course;
mod recording;

use crate::{
    statistics::{Ratios, median, most},
    table,
};
use anyhow::{Context, Result};
use client::{Latencies, closed, open};
use jfathom_tests::{jdk, live::server::Server};
pub use recording::Options;
use recording::{Recording, cpu_time};
use std::time::Duration;

/// Time around an attachment in which its pauses show.
const AROUND: Duration = Duration::from_secs(3);

/// Of one round: without and with a recording.
struct Round {
    throughput: [f64; 2],
    p99: [f64; 2],
    p50: [f64; 2],
    /// The server's CPU time for a request, its compilers and the garbage collector included, µs.
    cpu: [f64; 2],
    /// The worst request without a recording, around the attachment, around its end; ms.
    worst: [f64; 3],
}

/// Prints the table.
pub fn run(options: &Options) -> Result<()> {
    if options.columns && !columns::is_side() {
        return columns::pairs(options);
    }
    let jdk = match options.jdk25 {
        true => jdk::jdk25("server_load").context("no JDK 25")?,
        false => jdk::main(),
    };
    if options.columns {
        return columns::side(options, jdk);
    }
    let server = options.server.start(jdk)?;
    let port = server.port();
    // The page is compiled, and so is the server.
    closed(port, Duration::from_secs(20))?;
    if let Some(time) = options.course {
        course::course(options, &server, time)?;
        server.finish();
        return Ok(());
    }
    let mut rounds = Vec::new();
    for _ in 0..options.rounds {
        rounds.push(round(options, &server)?);
    }
    server.finish();
    print(options, &rounds);
    Ok(())
}

fn round(options: &Options, server: &Server) -> Result<Round> {
    let port = server.port();
    let (rate, window) = (options.rate, options.seconds);
    // After the end of a recording the code is compiled again, as after its begin: both sides have
    // the same time for it.
    open(port, rate, options.settle)?;
    closed(port, options.settle)?;
    let (plain, plain_cpu) = busy(server, window)?;
    let quiet = open(port, rate, window)?;
    let calm = open(port, rate, AROUND)?;
    let attached = std::thread::scope(|scope| -> Result<_> {
        let load = scope.spawn(|| open(port, rate, AROUND));
        std::thread::sleep(Duration::from_millis(300));
        let recording = Recording::start(options, server)?;
        let latencies = load.join().expect("the client does not panic")?;
        Ok((recording, latencies))
    })?;
    let (recording, around_begin) = attached;
    open(port, rate, options.settle)?;
    closed(port, options.settle)?;
    let recorded = open(port, rate, window)?;
    let (throughput, cpu) = busy(server, window)?;
    let around_end = std::thread::scope(|scope| -> Result<Latencies> {
        let load = scope.spawn(|| open(port, rate, AROUND));
        std::thread::sleep(Duration::from_millis(300));
        recording.stop(options.keep.as_deref())?;
        load.join().expect("the client does not panic")
    })?;
    Ok(Round {
        throughput: [plain, throughput],
        p99: [quiet.quantile(0.99), recorded.quantile(0.99)],
        p50: [quiet.quantile(0.5), recorded.quantile(0.5)],
        cpu: [plain_cpu, cpu],
        worst: [calm.quantile(1.0), around_begin.quantile(1.0), around_end.quantile(1.0)],
    })
}

/// Requests as fast as they are answered: answers per second, and the server's CPU time for one in
/// µs.
fn busy(server: &Server, window: Duration) -> Result<(f64, f64)> {
    let before = cpu_time(server.pid())?;
    let throughput = closed(server.port(), window)?;
    let cpu = cpu_time(server.pid())? - before;
    Ok((throughput, cpu / (throughput * window.as_secs_f64()) * 1e6))
}

/// Recorded ÷ plain, with the 95 % interval.
fn ratio(rounds: &[Round], of: impl Fn(&Round) -> [f64; 2]) -> String {
    Ratios::new(rounds.iter().map(|round| of(round)[1] / of(round)[0])).with_interval()
}

fn print(options: &Options, rounds: &[Round]) {
    println!("{} rounds, {} requests/s, {}", rounds.len(), options.rate, options.server.root());
    table::head(
        "plain req/s, CPU µs | recorded req/s, CPU µs | plain p50, p99 ms | recorded p50, p99 ms | worst ms: calm, attach, detach",
    );
    for round in rounds {
        println!(
            "| {:.0}, {:.1} | {:.0}, {:.1} | {:.2}, {:.2} | {:.2}, {:.2} | {:.1}, {:.1}, {:.1} |",
            round.throughput[0],
            round.cpu[0],
            round.throughput[1],
            round.cpu[1],
            round.p50[0],
            round.p99[0],
            round.p50[1],
            round.p99[1],
            round.worst[0],
            round.worst[1],
            round.worst[2],
        );
    }
    println!("throughput, recorded / plain: {}", ratio(rounds, |round| round.throughput));
    println!("CPU per request, recorded / plain: {}", ratio(rounds, |round| round.cpu));
    println!("p99, recorded / plain: {}", ratio(rounds, |round| round.p99));
    println!("p50, recorded / plain: {}", ratio(rounds, |round| round.p50));
    let worst = |at: usize| {
        let all: Vec<f64> = rounds.iter().map(|round| round.worst[at]).collect();
        format!("{:.1} (median), {:.1} (most)", median(all.iter().copied()), most(&all))
    };
    let [calm, attach, detach] = [0, 1, 2].map(worst);
    println!("worst request, ms: calm {calm}; around attach {attach}; around detach {detach}");
}
