//! A JVM that goes round and round, and recordings of it.

use crate::{java::Jdk, methods, shell};
use anyhow::{Context, Result, bail, ensure};
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
    child: Child,
    _input: ChildStdin,
    lines: Receiver<String>,
    pub pid: u32,
}

/// Compiles it into a folder.
pub fn compile(jdk: &Jdk, folder: &Path) -> Result<PathBuf> {
    let source = folder.join("Rounds.java");
    std::fs::write(&source, include_str!("Rounds.java"))?;
    let classes = folder.join("classes");
    shell::output(
        Command::new(jdk.tool("javac"))
            .args(["-g", "--release", "17", "-d"])
            .arg(&classes)
            .arg(&source),
    )?;
    Ok(classes)
}

impl Rounds {
    pub fn start(jdk: &Jdk, options: &[&str], classes: &Path, arguments: &[&str]) -> Result<Self> {
        let mut command = Command::new(jdk.tool("java"));
        command.args(options).arg("-cp").arg(classes).arg("Rounds").args(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take().context("it is piped")?;
        let output = BufReader::new(child.stdout.take().context("it is piped")?);
        let (sender, lines) = channel();
        thread::spawn(move || {
            output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let first = lines.recv_timeout(HANG)?;
        let pid = first
            .strip_prefix("PID ")
            .and_then(|pid| pid.parse().ok())
            .context("Rounds tells its process")?;
        Ok(Self { child, _input: input, lines, pid })
    }

    /// Nanoseconds of the next rounds; what was printed before is passed over.
    pub fn next(&self, rounds: usize) -> Result<Vec<f64>> {
        while self.lines.try_recv().is_ok() {}
        let line = || self.lines.recv_timeout(HANG).context("Rounds prints no more");
        // The round that is under way began before.
        line()?;
        (0..rounds)
            .map(|_| {
                Ok(line()?
                    .strip_prefix("ROUND_NS ")
                    .and_then(|nanos| nanos.parse().ok())
                    .unwrap_or(f64::NAN))
            })
            .collect()
    }

    /// Throws away what was printed, so that the pipe and memory do not fill.
    pub fn silence(&self) {
        while self.lines.try_recv().is_ok() {}
    }
}

impl Drop for Rounds {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A `jfathom record -p` that is running.
pub struct Attached {
    child: Child,
    session: PathBuf,
}

impl Attached {
    /// Attaches; `folder` is new for each.
    pub fn start(
        jfathom: &Path,
        pid: u32,
        root: &str,
        options: &[&str],
        folder: &Path,
    ) -> Result<Self> {
        let session = folder.join("session");
        // A script's background jobs ignore SIGINT, by which it is ended.
        let mut command = Command::new("env");
        command.arg("--default-signal=INT").arg(jfathom);
        command
            .args(["record", "-q", "--tune=session-files=keep", "-p"])
            .arg(pid.to_string())
            .args(["--root", root]);
        command
            .args(options)
            .arg("-o")
            .arg(folder.join("p.jfp"))
            .arg(format!("--tune=session={}", session.display()));
        let child = command.stdin(Stdio::null()).spawn()?;
        Ok(Self { child, session })
    }

    /// Waits until a line of the methods file holds.
    pub fn until(&mut self, what: &str, holds: impl Fn(&[String]) -> bool) -> Result<()> {
        let ended = || bail!("the recording ended before {what}");
        until(&self.session, what, holds, || match self.child.try_wait() {
            Ok(None) => Ok(()),
            _ => ended(),
        })
    }

    /// Waits until a root is live.
    pub fn live(&mut self) -> Result<()> {
        self.until("a root was live", |lines| lines.iter().any(|line| is_live(line)))
    }

    /// Ends it as Ctrl-C does.
    pub fn end(mut self) -> Result<PathBuf> {
        shell::output(Command::new("kill").arg("-INT").arg(self.child.id().to_string()))?;
        let status = self.child.wait()?;
        ensure!(status.success(), "the recording ended with {status}");
        Ok(std::mem::take(&mut self.session))
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether a line says that a root is live.
pub fn is_live(line: &str) -> bool {
    line.starts_with("{\"root\":") && line.contains("\"state\":\"live\"")
}

/// Looks at the methods files of a session every half millisecond.
pub fn until(
    session: &Path,
    what: &str,
    holds: impl Fn(&[String]) -> bool,
    mut goes_on: impl FnMut() -> Result<()>,
) -> Result<()> {
    let start = Instant::now();
    while !methods::lines(session).iter().any(|lines| holds(lines)) {
        goes_on()?;
        ensure!(start.elapsed() < HANG, "not after {HANG:?}: {what}");
        thread::sleep(Duration::from_micros(500));
    }
    Ok(())
}
