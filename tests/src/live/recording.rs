//! Recordings of running programs.

use super::{Lines, desk::signal};
use crate::{
    jdk::Jdk,
    run::{Done, HANG},
    samples,
    tool::Tool,
};
use jfathom_profile::Profile;
use std::{
    ffi::OsStr,
    fs,
    io::Read,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// `jfathom record` in the making: its options, and where it writes.
#[derive(Debug)]
pub struct Live {
    tool: Tool,
    options: Vec<String>,
    folder: TempDir,
    /// What `env` does about SIGINT.
    interrupts: &'static str,
}

impl Live {
    /// With these roots.
    pub fn roots(tool: Tool, roots: &[&str]) -> Self {
        let options =
            roots.iter().flat_map(|root| ["--root".to_owned(), (*root).to_owned()]).collect();
        Self { tool, options, folder: samples::temp_dir(), interrupts: "--default-signal=INT" }
    }

    /// The recorder ignores SIGINT, as a script's background job does.
    #[must_use]
    pub fn in_background(self) -> Self {
        Self { interrupts: "--ignore-signal=INT", ..self }
    }

    /// With more options.
    #[must_use]
    pub fn with(mut self, options: &[&str]) -> Self {
        self.options.extend(options.iter().map(|option| (*option).to_owned()));
        self
    }

    fn command(&self) -> Command {
        let mut command = self.tool.command_with_signals(self.interrupts);
        // Truths are of calls that are timed.
        command
            .args([
                "record",
                "--budget=none",
                "--tune=calibrate=off",
                "--tune=session-files=keep",
                "-o",
            ])
            .arg(self.profile());
        command.arg(format!("--tune=session={}", self.session().display())).args(&self.options);
        command
    }

    fn profile(&self) -> PathBuf {
        self.folder.path().join("profile.jfp")
    }

    fn session(&self) -> PathBuf {
        self.folder.path().join("session")
    }

    /// The command that records a `java` of its own, for a [`super::Desk`] that then runs under it.
    pub fn launching(&self, jdk: &Jdk, java: &[impl AsRef<OsStr>]) -> Command {
        let mut command = self.command();
        command.arg("--").arg(jdk.java()).args(java);
        command
    }

    /// The command that records any command.
    pub fn launching_command(&self, words: &[impl AsRef<OsStr>]) -> Command {
        let mut command = self.command();
        command.arg("--").args(words);
        command
    }

    /// Runs a `java` of its own to the end.
    #[track_caller]
    pub fn run(&self, jdk: &Jdk, java: &[impl AsRef<OsStr>], code: i32) -> (Done, Profile) {
        let mut done = crate::run::run(&mut self.launching(jdk, java)).code(code);
        let profile = self.read(&done);
        // The tests' own wish, not the user's.
        let kept = format!("jfathom: session kept in {}\n", self.session().display());
        done.stderr = done.stderr.replace(&kept, "");
        (done, profile)
    }

    /// What was written to the methods files until now.
    pub fn lines(&self) -> Lines {
        Lines::of(&self.session())
    }

    /// The profile that was written.
    #[track_caller]
    pub fn read(&self, done: &Done) -> Profile {
        let bytes =
            fs::read(self.profile()).unwrap_or_else(|error| panic!("no profile: {error}\n{done}"));
        let profile =
            Profile::read(&mut bytes.as_slice()).unwrap_or_else(|error| panic!("{error}\n{done}"));
        profile.check().unwrap_or_else(|error| panic!("{error}\n{done}"));
        profile
    }

    /// Attaches to a running JVM.
    #[track_caller]
    pub fn attach(self, pid: u32) -> Recording {
        let mut command = self.command();
        command.arg("-p").arg(pid.to_string());
        Recording::start(command, self)
    }
}

/// A `jfathom record -p` that is running. Killed when it is dropped.
#[derive(Debug)]
pub struct Recording {
    child: Child,
    command: String,
    streams: Receiver<(bool, String)>,
    live: Live,
}

impl Recording {
    #[track_caller]
    fn start(mut command: Command, live: Live) -> Self {
        let words = format!("{command:?}");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child =
            command.spawn().unwrap_or_else(|error| panic!("cannot start {words}: {error}"));
        let (sender, streams) = channel();
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let read = |pipe: Option<Box<dyn Read + Send>>, is_error| {
            let sender = sender.clone();
            thread::spawn(move || {
                let mut bytes = Vec::new();
                if let Some(mut pipe) = pipe {
                    let _ = pipe.read_to_end(&mut bytes);
                }
                let _ = sender.send((is_error, String::from_utf8_lossy(&bytes).into_owned()));
            });
        };
        read(out.map(|pipe| Box::new(pipe) as _), false);
        read(err.map(|pipe| Box::new(pipe) as _), true);
        Self { child, command: words, streams, live }
    }

    /// The session directory.
    pub fn session(&self) -> PathBuf {
        self.live.session()
    }

    /// What was written to the methods file until now.
    pub fn lines(&self) -> Lines {
        self.live.lines()
    }

    /// Waits until a root is live.
    #[track_caller]
    pub fn until_live(&mut self) {
        self.until("a root is live", |lines| lines.root_is("live"));
    }

    /// Waits until a root is live, or the recording has ended without.
    pub fn becomes_live(&mut self) -> bool {
        let holds = |lines: &Lines| lines.root_is("live");
        await_lines(&self.session(), &holds, || self.child.try_wait().ok().flatten().is_none())
            .is_ok()
    }

    /// Waits until the agent has said that it is waiting for the root's class.
    #[track_caller]
    pub fn until_waiting(&mut self) {
        self.until("the root is waited for", |lines| lines.root_is("waiting"));
    }

    /// Waits until the methods file says something; a recording that ends before fails the test.
    #[track_caller]
    pub fn until(&mut self, what: &str, holds: impl Fn(&Lines) -> bool) {
        if let Err(error) =
            await_lines(&self.session(), &holds, || self.child.try_wait().ok().flatten().is_none())
        {
            let _ = self.child.kill();
            let done = self.done();
            panic!("{what}: {error}\n{:#?}\n{done}", Lines::of(&self.session()));
        }
    }

    /// As Ctrl-C.
    pub fn interrupt(&self) {
        signal(self.child.id(), "INT");
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Ends it by SIGKILL; what it left in its session directory can still be watched.
    pub fn kill(mut self) -> Live {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let left = Live::roots(self.live.tool, &[]);
        std::mem::replace(&mut self.live, left)
    }

    /// Waits for its end, expecting this code.
    #[track_caller]
    pub fn ended(mut self, code: i32) -> (Done, Live) {
        let done = self.done().code(code);
        let left = Live::roots(self.live.tool, &[]);
        (done, std::mem::replace(&mut self.live, left))
    }

    /// Interrupts it and waits for its profile.
    #[track_caller]
    pub fn end(self) -> (Done, Profile) {
        self.interrupt();
        self.profile()
    }

    /// Waits for its end and its profile.
    #[track_caller]
    pub fn profile(self) -> (Done, Profile) {
        let (done, live) = self.ended(0);
        let profile = live.read(&done);
        (done, profile)
    }

    fn done(&mut self) -> Done {
        let mut done = Done {
            command: self.command.clone(),
            code: None,
            stdout: String::new(),
            stderr: String::new(),
        };
        for _ in 0..2 {
            match self.streams.recv_timeout(HANG) {
                Ok((true, text)) => done.stderr = text,
                Ok((false, text)) => done.stdout = text,
                Err(_) => {
                    let _ = self.child.kill();
                    panic!(
                        "still running after {HANG:?}, killed: {done}\n{:#?}",
                        Lines::of(&self.session())
                    );
                }
            }
        }
        done.code = self.child.wait().expect("a child can be waited for").code();
        done
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Live {
    /// Waits until what a recording left says something.
    #[track_caller]
    pub fn until(&self, what: &str, holds: impl Fn(&Lines) -> bool) {
        if let Err(error) = await_lines(&self.session(), &holds, || true) {
            panic!("{what}: {error}\n{:#?}", self.lines());
        }
    }

    /// Where a recording meets its JVMs.
    pub fn directory(&self) -> PathBuf {
        self.session()
    }
}

fn await_lines(
    session: &Path,
    holds: &impl Fn(&Lines) -> bool,
    goes_on: impl FnMut() -> bool,
) -> Result<(), String> {
    let mut goes_on = goes_on;
    let start = Instant::now();
    loop {
        // Read after the look at the process: what it wrote before its end is then seen.
        let running = goes_on();
        if holds(&Lines::of(session)) {
            return Ok(());
        }
        if !running {
            return Err("it has ended".to_owned());
        }
        if start.elapsed() > HANG {
            return Err(format!("not so after {HANG:?}"));
        }
        thread::sleep(Duration::from_millis(10));
    }
}
