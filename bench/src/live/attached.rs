//! A JVM that goes round and round, and recordings of it.

use super::Killed;
use crate::{jfathom::Jfathom, shell};
use anyhow::{Context, Result, ensure};
use jfathom_testkit::{Javac, Jdk};
use jfathom_tests::live::Lines;
use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::{Duration, Instant},
};

/// After this something hangs.
const HANG: Duration = Duration::from_secs(300);

/// A running `Rounds`.
pub struct Rounds {
    _jvm: Killed,
    _input: ChildStdin,
    lines: Receiver<String>,
    pub pid: u32,
}

/// Compiles it into a folder.
pub fn compile(folder: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/live/Rounds.java");
    let classes = folder.join("classes");
    Javac::release(17).option("-g").compile(&[source], &classes);
    classes
}

impl Rounds {
    pub fn start(jdk: &Jdk, options: &[&str], classes: &Path, arguments: &[&str]) -> Result<Self> {
        let mut command = Command::new(jdk.java());
        command.args(options).arg("-cp").arg(classes).arg("Rounds").args(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take().context("it is piped")?;
        let output = BufReader::new(child.stdout.take().context("it is piped")?);
        let (sender, lines) = channel();
        thread::spawn(move || {
            output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let first = lines.recv_timeout(HANG)?;
        let pid = first.strip_prefix("PID ").and_then(|pid| pid.parse().ok());
        let pid = pid.context("Rounds tells its process")?;
        Ok(Self { _jvm: Killed(child), _input: input, lines, pid })
    }

    /// Nanoseconds of the next rounds; what was printed before is passed over.
    pub fn next(&self, rounds: usize) -> Result<Vec<f64>> {
        self.silence();
        let line = || self.lines.recv_timeout(HANG).context("Rounds prints no more");
        // The round that is under way began before.
        line()?;
        let nanos = |line: String| line.strip_prefix("ROUND_NS ")?.parse().ok();
        (0..rounds).map(|_| Ok(nanos(line()?).unwrap_or(f64::NAN))).collect()
    }

    /// Throws away what was printed, so that the pipe and memory do not fill.
    pub fn silence(&self) {
        while self.lines.try_recv().is_ok() {}
    }
}

/// A `jfathom record -p` that is running.
pub struct Attached {
    recorder: Killed,
    session: PathBuf,
}

impl Attached {
    /// Attaches; `folder` is new for each.
    pub fn start(jfathom: &Jfathom, pid: u32, options: &[&str], folder: &Path) -> Result<Self> {
        let session = folder.join("session");
        // A script's background jobs ignore SIGINT, by which it is ended.
        let mut command = Command::new("env");
        command.arg("--default-signal=INT").arg(jfathom.command().get_program());
        command
            .args(["record", "-q", "--tune=session-files=keep", "-p", &pid.to_string()])
            .args(options);
        command.arg("-o").arg(folder.join("p.jfp"));
        command.arg(format!("--tune=session={}", session.display()));
        Ok(Self { recorder: Killed(command.stdin(Stdio::null()).spawn()?), session })
    }

    /// Waits until its methods files hold.
    pub fn until(&mut self, what: &str, holds: impl Fn(&Lines) -> bool) -> Result<()> {
        until(&mut self.recorder.0, &self.session, what, holds)
    }

    /// Ends it as Ctrl-C does.
    pub fn end(self) -> Result<()> {
        shell::output(Command::new("kill").arg("-INT").arg(self.recorder.0.id().to_string()))?;
        self.recorder.ends_well()
    }
}

/// Looks at the methods files of a session every half millisecond while its recorder runs.
pub fn until(
    recorder: &mut Child,
    session: &Path,
    what: &str,
    holds: impl Fn(&Lines) -> bool,
) -> Result<()> {
    let start = Instant::now();
    while !holds(&Lines::of(session)) {
        ensure!(recorder.try_wait()?.is_none(), "the recording ended before {what}");
        ensure!(start.elapsed() < HANG, "not after {HANG:?}: {what}");
        thread::sleep(Duration::from_micros(500));
    }
    Ok(())
}
