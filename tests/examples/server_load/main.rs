//! What recording by sample costs a server under load: requests at a fixed rate and as fast as they
//! can be, one in fifty for a large page, with and without a recording of one request in a hundred,
//! in the same JVM and in turns.
//!
//! usage: server_load JFATHOM [--server tomcat|jetty|fibres] [--rounds N] [--rate REQUESTS]
//!     [--seconds N] [--settle SECONDS] [--course SECONDS] [--columns] [--column NAME]
//!     [--keep PROFILE] [--jdk25] [-- OPTIONS]
//!
//! `--settle` is how long the server runs, under two kinds of load one after the other, before the
//! windows with and before those without a recording: until then the JVM compiles again what has
//! changed. `--course` shows instead how the throughput goes over time: so long with a recording,
//! and so long after it. `--columns` shows what each column adds to a recording of all requests, at
//! the fixed rate, of two servers at once; `--column` one of them. `--keep` keeps the last profile.
//! What follows `--` is given to each recording. Jetty is where `JFATHOM_JETTY` says, Tomcat where
//! `JFATHOM_TOMCAT` does.

mod client;
mod columns;
mod course;

use client::{Latencies, closed, open};
use jfathom_statistics::student_quantile;
use jfathom_tests::{
    jdk,
    live::server::{Server, tomcat},
};
use std::{
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

/// What can go wrong here.
type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Time around an attachment in which its pauses show.
const AROUND: Duration = Duration::from_secs(3);

struct Options {
    jfathom: PathBuf,
    rounds: usize,
    rate: f64,
    window: Duration,
    settle: Duration,
    course: Option<Duration>,
    are_columns: bool,
    column: Option<String>,
    server: Kind,
    keep: Option<PathBuf>,
    is_25: bool,
    record: Vec<String>,
}

/// What answers.
#[derive(Clone, Copy)]
enum Kind {
    Tomcat,
    Jetty,
    Fibres,
}

impl Kind {
    fn named(name: &str) -> Result<Self> {
        match name {
            "tomcat" => Ok(Self::Tomcat),
            "jetty" => Ok(Self::Jetty),
            "fibres" => Ok(Self::Fibres),
            other => Err(format!("--server {other}?").into()),
        }
    }

    /// What answers a request.
    fn root(self) -> &'static str {
        match self {
            Self::Tomcat => "web.Listing::doGet",
            Self::Jetty => "jetty.Shelf::doGet",
            Self::Fibres => "fibres.Web::answer",
        }
    }

    fn start(self, jdk: &jdk::Jdk) -> Result<Server> {
        match self {
            Self::Tomcat => {
                Ok(Server::start(&tomcat("server_load").ok_or("there is no Tomcat")?, jdk))
            }
            Self::Jetty => {
                let folder = std::env::var_os("JFATHOM_JETTY").ok_or("JFATHOM_JETTY is not set")?;
                Ok(Server::jetty(folder.as_ref(), jdk))
            }
            Self::Fibres => Ok(Server::fibres(jdk)),
        }
    }
}

fn options() -> Result<Options> {
    let mut words = std::env::args().skip(1);
    let jfathom = words.next().ok_or("usage: server_load JFATHOM [--rounds N] …")?.into();
    let mut options = Options {
        jfathom,
        rounds: 10,
        rate: 300.0,
        window: Duration::from_secs(4),
        settle: Duration::from_secs(10),
        course: None,
        are_columns: false,
        column: None,
        server: Kind::Tomcat,
        keep: None,
        is_25: false,
        record: Vec::new(),
    };
    while let Some(word) = words.next() {
        match word.as_str() {
            "--" => {
                options.record = words.by_ref().collect();
                break;
            }
            "--jdk25" => {
                options.is_25 = true;
                continue;
            }
            "--columns" => {
                options.are_columns = true;
                continue;
            }
            "--column" => {
                options.column = Some(words.next().ok_or("--column NAME")?);
                continue;
            }
            "--server" => {
                options.server = Kind::named(&words.next().ok_or("--server NAME")?)?;
                continue;
            }
            "--keep" => {
                options.keep = Some(words.next().ok_or("--keep FILE")?.into());
                continue;
            }
            _ => {}
        }
        let mut number = || words.next().and_then(|word| word.parse::<f64>().ok());
        match word.as_str() {
            "--rounds" => options.rounds = number().ok_or("--rounds N")? as usize,
            "--rate" => options.rate = number().ok_or("--rate N")?,
            "--settle" => {
                options.settle = Duration::from_secs_f64(number().ok_or("--settle N")?);
            }
            "--course" => {
                options.course = Some(Duration::from_secs_f64(number().ok_or("--course N")?));
            }
            "--seconds" => {
                options.window = Duration::from_secs_f64(number().ok_or("--seconds N")?);
            }
            other => return Err(format!("{other}?").into()),
        }
    }
    Ok(options)
}

/// A recording of the server that runs.
struct Recording {
    child: Child,
    folder: tempfile::TempDir,
}

impl Recording {
    fn start(options: &Options, server: &Server) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let mut command = Command::new(&options.jfathom);
        command.args(["record", "-q", "--root", options.server.root(), "--slowest", "20"]);
        if !options.are_columns && !options.record.iter().any(|option| option == "--sample-roots") {
            command.args(["--sample-roots", "1/100"]);
        }
        command.args(&options.record);
        command.args(["--tune=calibrate=off", "-p", &server.pid().to_string(), "-o"]);
        let child = command.arg(folder.path().join("p.jfp")).stdin(Stdio::null()).spawn()?;
        Ok(Self { child, folder })
    }

    fn pid(&self) -> u32 {
        self.child.id()
    }

    fn stop(mut self, keep: Option<&Path>) -> Result<()> {
        let pid = self.child.id().to_string();
        Command::new("kill").args(["-INT", &pid]).status()?;
        let status = self.child.wait()?;
        if !status.success() {
            return Err(format!("the recording failed: {status}").into());
        }
        if let Some(keep) = keep {
            std::fs::copy(self.folder.path().join("p.jfp"), keep)?;
        }
        Ok(())
    }
}

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

fn main() -> Result<()> {
    let options = options()?;
    let words: Vec<String> = std::env::args().skip(1).collect();
    if options.are_columns && !columns::is_side() {
        return columns::pairs(&options, &words);
    }
    let jdk = match options.is_25 {
        true => jdk::jdk25("server_load").ok_or("no JDK 25")?,
        false => jdk::main(),
    };
    if options.are_columns {
        return columns::side(&options, jdk);
    }
    let server = options.server.start(jdk)?;
    let port = server.port();
    // The page is compiled, and so is the server.
    closed(port, Duration::from_secs(20))?;
    if let Some(time) = options.course {
        course::course(&options, &server, time)?;
        server.finish();
        return Ok(());
    }
    let mut rounds = Vec::new();
    for _ in 0..options.rounds {
        rounds.push(round(&options, &server)?);
    }
    server.finish();
    print(&options, &rounds);
    Ok(())
}

fn round(options: &Options, server: &Server) -> Result<Round> {
    let port = server.port();
    let (rate, window) = (options.rate, options.window);
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

/// What a process has run on processors, in seconds (`proc(5)`, `/proc/PID/stat`: fields 14 and 15,
/// in hundredths of a second on Linux).
fn cpu_time(pid: u32) -> Result<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"))?;
    let after_name = stat.rsplit_once(')').ok_or("a process without a name")?.1;
    let ticks: Vec<f64> =
        after_name.split_whitespace().skip(11).take(2).flat_map(str::parse).collect();
    Ok(ticks.iter().sum::<f64>() / 100.0)
}

/// Mean of the ratios' logarithms as a ratio, with the 95 % interval.
fn ratio(rounds: &[Round], of: impl Fn(&Round) -> [f64; 2]) -> String {
    let logs: Vec<f64> = rounds.iter().map(|round| (of(round)[1] / of(round)[0]).ln()).collect();
    let n = logs.len() as f64;
    let mean = logs.iter().sum::<f64>() / n;
    let variance = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    let half = student_quantile(0.975, (n - 1.0).max(1.0)) * (variance / n).sqrt();
    format!("{:.3} ({:.3} to {:.3})", mean.exp(), (mean - half).exp(), (mean + half).exp())
}

fn print(options: &Options, rounds: &[Round]) {
    println!("{} rounds, {} requests/s, {}", rounds.len(), options.rate, options.server.root());
    println!(
        "| plain req/s, CPU µs | recorded req/s, CPU µs | plain p50, p99 ms | recorded p50, p99 ms | worst ms: calm, attach, detach |"
    );
    println!("|---|---|---|---|---|");
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
        let mut all: Vec<f64> = rounds.iter().map(|round| round.worst[at]).collect();
        all.sort_by(f64::total_cmp);
        format!("{:.1} (median), {:.1} (most)", all[all.len() / 2], all[all.len() - 1])
    };
    let [calm, attach, detach] = [0, 1, 2].map(worst);
    println!("worst request, ms: calm {calm}; around attach {attach}; around detach {detach}");
}
