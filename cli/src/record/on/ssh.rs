//! Sessions of the system's `ssh`. It checks host keys and authenticates as the user has
//! configured.

use super::{address::Address, quote, signals::Signals, signals::TICK};
use crate::failure::usage;
use anyhow::{Context, Result, anyhow, bail};
use std::{
    env,
    ffi::{OsStr, OsString},
    io::{self, BufRead, BufReader, Read, Write},
    os::unix::ffi::OsStrExt,
    process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// Names another program than `ssh`, with its first arguments.
const VARIABLE: &str = "JFATHOM_SSH";
/// Starts a program with these signals ignored: a terminal sends them to every process of the
/// group, and the session has to outlast the recording that they end.
const SHIELDED: &str = r#"trap "" HUP INT QUIT TERM; exec "$@""#;
/// A dead connection ends after a minute.
const KEEP_ALIVE: [&str; 4] = ["-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=4"];
/// Time between two signs of life for a recording; it waits for one for a minute.
const BEAT: Duration = Duration::from_secs(15);
/// Bytes of one argument (execve(2), `MAX_ARG_STRLEN`) without its end.
const COMMAND_MAX: usize = 131_071;
/// The line before an answer. What a login script prints stands before it.
const MARK: &str = "-- an answer to jfathom --";
/// Bytes before the mark, and of a line behind it.
const CHATTER_MAX: u64 = 64 << 10;

/// What a script answers.
pub(super) type Answer = BufReader<ChildStdout>;

/// Another machine, reached by `ssh`.
pub(super) struct Ssh<'a> {
    address: &'a Address,
    program: Vec<OsString>,
}

impl<'a> Ssh<'a> {
    /// Makes no connection yet.
    pub(super) fn new(address: &'a Address) -> Self {
        let named = env::var_os(VARIABLE).unwrap_or_default();
        let words = named.as_bytes().split(u8::is_ascii_whitespace);
        let words = words.filter(|word| !word.is_empty()).map(OsStr::from_bytes);
        let mut program: Vec<OsString> = words.map(OsStr::to_owned).collect();
        if program.is_empty() {
            program.push("ssh".into());
        }
        Self { address, program }
    }

    /// The machine, for people.
    pub(super) fn host(&self) -> &str {
        self.address.host()
    }

    /// Runs a script there and talks to it. Its first word is the mark of its answer.
    ///
    /// # Errors
    /// Fails as `talk` does, and says what became of the connection if that has failed.
    pub(super) fn ask<T>(
        &self,
        script: &str,
        words: &[&OsStr],
        signals: &mut Signals,
        talk: impl FnOnce(ChildStdin, &mut Answer) -> Result<T>,
    ) -> Result<T> {
        let words = [&[OsStr::new(MARK)], words].concat();
        let mut child = self.start(script, &words, Stdio::piped())?;
        let streams = child.stdin.take().zip(child.stdout.take());
        let (input, output) = streams.context("ssh was started without its streams")?;
        let (child, is_over) = (&Mutex::new(child), &AtomicBool::new(false));
        let (talked, status) = thread::scope(|scope| {
            scope.spawn(move || {
                while !is_over.load(Ordering::Acquire) {
                    signals.arrived();
                    if signals.is_enough() {
                        kill(child);
                    }
                    thread::sleep(TICK);
                }
            });
            let talked = talk(input, &mut BufReader::new(output));
            let status = wait(child);
            is_over.store(true, Ordering::Release);
            (talked, status)
        });
        let status = status.context("ssh cannot be waited for")?;
        talked.map_err(|error| if status.success() { error } else { self.failure(status) })
    }

    /// Runs a script there that has the outputs of this process. Its input gets the names of
    /// signals, and signs of life. Returns when the session has ended, in whatever way.
    pub(super) fn watch(
        &self,
        script: &str,
        words: &[&OsStr],
        signals: &mut Signals,
    ) -> Result<()> {
        let mut child = self.start(script, words, Stdio::inherit())?;
        let mut input = child.stdin.take();
        let mut beat = Instant::now();
        while child.try_wait().context("ssh cannot be waited for")?.is_none() {
            signals.arrived().into_iter().for_each(|name| send(&mut input, name));
            if signals.is_enough() {
                // If it has just ended by itself, the next look sees that.
                let _ = child.kill();
            }
            if beat.elapsed() >= BEAT {
                beat = Instant::now();
                send(&mut input, "beat");
            }
            thread::sleep(TICK);
        }
        Ok(())
    }

    fn start(&self, script: &str, words: &[&OsStr], output: Stdio) -> Result<Child> {
        let line = quote::command(script, words);
        if line.len() > COMMAND_MAX {
            return Err(usage(format!(
                "--on: the command line has {} bytes with its quotes, and ssh can pass {COMMAND_MAX}: \
                 put arguments of java into a file there, and name it with @",
                line.len()
            )));
        }
        let mut ssh = Command::new("/bin/sh");
        ssh.args(["-c", SHIELDED, "sh"]).args(&self.program).arg("-T").args(KEEP_ALIVE);
        ssh.args(self.address.words()).arg(line).stdin(Stdio::piped()).stdout(output);
        ssh.spawn().context("/bin/sh: cannot be started")
    }

    /// Why a session has failed; `ssh` and the other machine have said more.
    fn failure(&self, status: ExitStatus) -> anyhow::Error {
        let program = self.program.first().map(|word| word.to_string_lossy()).unwrap_or_default();
        let host = self.host();
        match status.code() {
            Some(126 | 127) => anyhow!(
                "`{program}` cannot be run: install OpenSSH's client, or name another program \
                 with {VARIABLE}"
            ),
            Some(255) => anyhow!(
                "no connection to {host}: {program} says why, above; make `{program} {} true` work \
                 first",
                self.address.words().join(" ")
            ),
            Some(code) => anyhow!(
                "{host}: a command of jfathom has failed there, with exit code {code}; above \
                 stands why (if a quote is the reason, the login shell is no POSIX shell)"
            ),
            None => anyhow!("the connection to {host} was ended"),
        }
    }
}

/// The lines behind the mark of an answer.
///
/// # Errors
/// Fails if there is no mark, and if a line is missing, too long or no text.
pub(super) fn header<const LINES: usize>(answer: &mut Answer) -> Result<[String; LINES]> {
    let mut chatter = answer.by_ref().take(CHATTER_MAX);
    let mut line = Vec::new();
    while line != format!("{MARK}\n").as_bytes() {
        line.clear();
        if chatter.read_until(b'\n', &mut line)? == 0 {
            bail!("there is no answer: the login shell has to be a POSIX shell (sh, bash, zsh)");
        }
    }
    let mut lines = [const { String::new() }; LINES];
    for line in &mut lines {
        answer.by_ref().take(CHATTER_MAX).read_line(line)?;
        if line.pop() != Some('\n') {
            bail!("the answer ends too early");
        }
    }
    Ok(lines)
}

/// Sends a word, as long as somebody reads.
fn send(input: &mut Option<ChildStdin>, word: &str) {
    let Some(open) = input else { return };
    if open.write_all(format!("{word}\n").as_bytes()).is_err() {
        *input = None;
    }
}

fn wait(child: &Mutex<Child>) -> io::Result<ExitStatus> {
    loop {
        let status = child.lock().unwrap_or_else(PoisonError::into_inner).try_wait()?;
        if let Some(status) = status {
            return Ok(status);
        }
        thread::sleep(TICK);
    }
}

fn kill(child: &Mutex<Child>) {
    // A child that has ended cannot be killed, and need not.
    let _ = child.lock().unwrap_or_else(PoisonError::into_inner).kill();
}
