//! Runs a command and keeps the records of its JVMs as they come: one file of little-endian words
//! for each thread.
//!
//! The logs are what `consumer` reads. Nothing is interpreted, so the consumer is as fast as it can
//! be; the summary says how much came how fast.

use anyhow::{Context, Result};
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use jfathom_session::names::ENV_SESSION;
use jfathom_trace::{OpenOutcome, RingIx, SessionDir, SessionFile, Sink, ThreadInfo, TraceError};

struct Logs {
    dir: PathBuf,
    jvm: u64,
    open: HashMap<RingIx, BufWriter<File>>,
    problems: Vec<String>,
}

impl Sink for Logs {
    fn begin(&mut self, ring: RingIx, thread: &ThreadInfo, lost: u64) {
        if lost != 0 {
            self.problems.push(format!("{}: {lost} records lost", thread.name));
        }
        let path = self.dir.join(format!("{}-{}.log", self.jvm, thread.sequence));
        match File::create_new(path) {
            Ok(file) => {
                self.open.insert(ring, BufWriter::new(file));
            }
            Err(error) => self.problems.push(error.to_string()),
        }
    }

    fn records(&mut self, ring: RingIx, words: &[u64]) {
        let Some(log) = self.open.get_mut(&ring) else { return };
        for word in words {
            if let Err(error) = log.write_all(&word.to_le_bytes()) {
                self.problems.push(error.to_string());
                return;
            }
        }
    }

    fn end(&mut self, ring: RingIx) {
        if let Some(Err(error)) = self.open.remove(&ring).map(|mut log| log.flush()) {
            self.problems.push(error.to_string());
        }
    }

    fn damaged(&mut self, _ring: RingIx, error: TraceError) {
        self.problems.push(error.to_string());
    }
}

#[derive(clap::Args)]
pub struct Options {
    /// A directory that does not exist
    out: PathBuf,
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    command: Vec<OsString>,
}

/// Runs the command, and writes its logs.
pub fn run(options: &Options) -> Result<()> {
    let out = options.out.clone();
    let (program, args) = options.command.split_first().context("a command")?;
    std::fs::create_dir(&out)?;
    let dir = SessionDir::create(&std::path::absolute(&out)?.join("session"))?;
    let mut child = Command::new(program).args(args).env(ENV_SESSION, dir.path()).spawn()?;
    let start = Instant::now();
    let mut jvms: HashMap<PathBuf, (Box<SessionFile>, Logs)> = HashMap::new();
    let mut records = 0;
    let status = loop {
        let status = child.try_wait()?;
        open_new(&dir, &out, &mut jvms)?;
        let taken: u64 = jvms
            .values_mut()
            .map(|(file, logs)| {
                file.heartbeat();
                file.drain(logs)
            })
            .sum();
        records += taken;
        if let Some(status) = status {
            break status;
        }
        if taken == 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    for (file, logs) in jvms.values_mut() {
        records += file.drain_offline(logs);
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{status}; {} JVMs, {records} records in {seconds:.2} s", jvms.len());
    for (file, logs) in jvms.values() {
        println!("{:?} {:?} {:?}", file.header().clock, file.counters(), logs.problems);
    }
    Ok(())
}

fn open_new(
    dir: &SessionDir,
    out: &Path,
    jvms: &mut HashMap<PathBuf, (Box<SessionFile>, Logs)>,
) -> io::Result<()> {
    for entry in dir.entries().map_err(io::Error::other)? {
        if jvms.contains_key(&entry.path) {
            continue;
        }
        if let OpenOutcome::Ready(file) =
            SessionFile::open(&entry.path).map_err(io::Error::other)?
        {
            file.attach(std::process::id());
            let logs = Logs {
                dir: out.to_owned(),
                jvm: entry.jvm.pid,
                open: HashMap::new(),
                problems: Vec::new(),
            };
            jvms.insert(entry.path, (file, logs));
        }
    }
    Ok(())
}
