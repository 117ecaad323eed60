//! One round: the program is recorded and attacked, and what is left is checked.

use super::{
    attack::{Struck, Target},
    check,
    draw::{Attack, Draw},
    ground::Ground,
    journal::Verdict,
    patience::Patience,
    processes::{self, MARK, Process},
    program::Program,
    truth::Truth,
};
use anyhow::Result;
use rustix::process::Signal;
use std::{
    fs,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

/// What a round left behind.
pub struct Left {
    pub draw: Draw,
    pub struck: Struck,
    /// Exit code of the collector; 128 and the signal's number where a signal ended it.
    pub code: i32,
    /// The program's own, where the collector has not started it.
    pub program_code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    /// `report --json` of the profile, or of the session directory that a killed collector has
    /// left; else what it said instead.
    pub report: Option<std::result::Result<String, String>>,
    /// Names in the round's folders.
    pub files: Vec<PathBuf>,
    pub alive: Vec<Process>,
    pub hung: bool,
}

/// Runs a round and gives what came of the recording, or what did not hold.
pub fn run(program: &Program, draw: &Draw, folder: &Path) -> Result<Verdict> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    let truth = Truth::make(&folder.join("truth"), draw.threads)?;
    let ground = Ground::make(draw, folder)?;
    let mark =
        format!("{}-{}", std::process::id(), folder.file_name().unwrap_or_default().display());
    let patience = Patience::new();
    let target = Target {
        draw,
        ground: &ground,
        truth: &truth,
        jfathom: &program.jfathom,
        mark: &mark,
        patience,
    };
    let profile = ground.work.join("profile.jfp");
    let start = |program_path: &Path, words: &[String]| {
        spawn(program, draw, &ground, &mark, program_path, words)
    };
    let record = Program::record(draw, &profile, ground.session.as_deref());

    let (mut child, struck, java) = if draw.attached() {
        let go = folder.join("go");
        let java = program.java(draw, &truth.0, Some(&go));
        let mut java = start(Path::new(&java[0]), &java[1..])?;
        let java_out = Output::of(&mut java);
        wait_for(&java_out.stdout, &mut java, patience, |text| text.contains("storm begins"));
        let words = [record, vec!["-p".into(), java.id().to_string()]].concat();
        let mut child = start(&program.jfathom, &words)?;
        let output = Output::of(&mut child);
        wait_for(&output.stderr, &mut child, patience, |text| {
            text.contains("waiting for") || text.contains("is live")
        });
        fs::write(&go, "")?;
        let struck = strike(&target, &mut child, &output);
        (Running { child, output }, struck, Some(Running { child: java, output: java_out }))
    } else {
        let words = [record, vec!["--".into()], program.java(draw, &truth.0, None)].concat();
        let mut child = start(&program.jfathom, &words)?;
        let output = Output::of(&mut child);
        let struck = strike(&target, &mut child, &output);
        (Running { child, output }, struck, None)
    };
    let mut hung = false;
    let mut java = java;
    for running in [Some(&mut child), java.as_mut()].into_iter().flatten() {
        hung |= !ends(&mut running.child, patience);
    }
    // A JVM whose collector was killed goes on by itself.
    while !hung && processes::marked(&mark).iter().any(Process::is_java) {
        hung |= patience.over();
        thread::sleep(Duration::from_millis(5));
    }
    if hung {
        show_stacks(&mark, folder);
    }
    let alive = processes::marked(&mark);
    alive.iter().for_each(|process| process.signal(Signal::KILL));
    let (code, output) = child.end()?;
    let (program_code, java_output) = match java {
        Some(java) => java.end().map(|(code, output)| (Some(code), Some(output)))?,
        None => (None, None),
    };
    let mut left = Left {
        draw: draw.clone(),
        struck,
        code,
        program_code,
        stdout: java_output.as_ref().map_or(output.0.clone(), |java| java.0.clone()),
        stderr: output.1 + java_output.as_ref().map_or("", |java| &java.1),
        report: None,
        files: ground.left(),
        alive,
        hung,
    };
    let recording = recording(&left, &ground, &profile);
    let report = |recording: &Path, options: &[&str]| -> Result<std::process::Output> {
        let mut report = ground.command(&program.jfathom);
        environment(&mut report, program, &ground, &mark);
        Ok(report.arg("report").args(options).arg(recording).stdin(Stdio::null()).output()?)
    };
    if let Some(recording) = &recording {
        let output = report(recording, &["--json"])?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        left.report = Some(match output.status.success() {
            true => Ok(text(&output.stdout)),
            false => Err(text(&output.stderr).trim().to_owned()),
        });
    }
    left.files.retain(|path| *path != profile && !path.ends_with("full"));
    let counts = truth.read()?;
    let (faults, outcome) = check::faults(&left, &counts);
    if faults.is_empty() {
        drop(ground);
        fs::remove_dir_all(folder)?;
        return Ok(Verdict::Held(outcome));
    }
    let said = match &recording {
        Some(recording) => report(recording, &["--view=summary", "--view=threads"])
            .map(|said| [said.stdout, said.stderr].concat())?,
        None => b"nothing to report of\n".to_vec(),
    };
    let said = format!(
        "{}\ncode {}\n--- stdout\n{}--- stderr\n{}--- truth\n{counts:?}\n--- report\n{}--- files\n{:?}\n--- faults\n{}\n",
        draw,
        left.code,
        left.stdout,
        left.stderr,
        String::from_utf8_lossy(&said),
        left.files,
        faults.join("\n")
    );
    fs::write(folder.join("said"), said)?;
    let _ = fs::copy(ground.outer(&profile), folder.join("profile.jfp"));
    Ok(Verdict::Failed(faults))
}

/// The profile, or the session directory that a killed collector has left, or one that could not
/// write the profile.
fn recording(left: &Left, ground: &Ground, profile: &Path) -> Option<PathBuf> {
    // Beside it may lie an overflow directory, which a session directory names and which is none.
    let session = |path: &&PathBuf| {
        let entries = fs::read_dir(ground.outer(path)).into_iter().flatten().flatten();
        let mut names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.any(|name| {
            name.starts_with("jvm-") && (name.ends_with(".jft") || name.ends_with(".jfp"))
        })
    };
    let found = left.files.iter().find(|path| *path == profile);
    let kept = left.struck.collector_killed && !early(left) || left.stderr.contains("is still in");
    found.or_else(|| left.files.iter().find(session).filter(|_| kept)).cloned()
}

/// Whether no call was made: there may be no session yet.
fn early(left: &Left) -> bool {
    !left.stdout.contains("storm begins")
}

/// Attacks; readers whose pipes are to be closed end with the next line.
fn strike(target: &Target<'_>, child: &mut Child, output: &Output) -> Struck {
    let struck = target.strike(child);
    if target.draw.attack == Attack::ClosePipes {
        output.closed.store(true, std::sync::atomic::Ordering::Relaxed);
    }
    struck
}

fn spawn(
    program: &Program,
    draw: &Draw,
    ground: &Ground,
    mark: &str,
    path: &Path,
    words: &[String],
) -> Result<Child> {
    let mut command = match (draw.files, draw.pid_namespace) {
        (None, false) => ground.command(path),
        (files, namespace) => {
            let mut wrapped: Vec<String> = Vec::new();
            if let Some(files) = files {
                wrapped.extend(["prlimit".into(), format!("--nofile={files}")]);
            }
            if namespace {
                wrapped.extend(["unshare", "--pid", "--fork", "--mount-proc"].map(str::to_owned));
            }
            let mut command = ground.command(Path::new(&wrapped[0]));
            command.args(&wrapped[1..]).arg(path);
            command
        }
    };
    environment(&mut command, program, ground, mark);
    command.args(words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Ok(command.spawn()?)
}

fn environment(command: &mut Command, program: &Program, ground: &Ground, mark: &str) {
    command.env(MARK, mark).env("TMPDIR", &ground.temporary).env("XDG_CACHE_HOME", &program.cache);
    command.env("JAVA_HOME", &jfathom_tests::jdk::main().home);
    for variable in ["JFATHOM_SESSION", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"] {
        command.env_remove(variable);
    }
}

type Text = Arc<Mutex<String>>;

/// What a process says, as it says it.
struct Output {
    stdout: Text,
    stderr: Text,
    readers: Vec<thread::JoinHandle<()>>,
    closed: Arc<std::sync::atomic::AtomicBool>,
}

impl Output {
    fn of(child: &mut Child) -> Self {
        let closed = Arc::default();
        let mut readers = Vec::new();
        let stdout =
            child.stdout.take().map(|pipe| follow(pipe, &closed, &mut readers)).unwrap_or_default();
        let stderr =
            child.stderr.take().map(|pipe| follow(pipe, &closed, &mut readers)).unwrap_or_default();
        Self { stdout, stderr, readers, closed }
    }
}

/// Reads lines until the end, or until the pipe is to be closed, which the next line shows.
fn follow(
    pipe: impl Read + Send + 'static,
    closed: &Arc<std::sync::atomic::AtomicBool>,
    readers: &mut Vec<thread::JoinHandle<()>>,
) -> Text {
    let text = Text::default();
    let (to, closed) = (Arc::clone(&text), Arc::clone(closed));
    readers.push(thread::spawn(move || {
        let mut pipe = BufReader::new(pipe);
        let mut line = Vec::new();
        while !closed.load(std::sync::atomic::Ordering::Relaxed)
            && pipe.read_until(b'\n', &mut line).is_ok_and(|read| read > 0)
        {
            if let Ok(mut text) = to.lock() {
                text.push_str(&String::from_utf8_lossy(&line));
            }
            line.clear();
        }
    }));
    text
}

struct Running {
    child: Child,
    output: Output,
}

impl Running {
    /// Its exit code, and what it said on both streams.
    fn end(mut self) -> Result<(i32, (String, String))> {
        use std::os::unix::process::ExitStatusExt;
        let status = self.child.wait()?;
        for reader in self.output.readers.drain(..) {
            let _ = reader.join();
        }
        let text = |text: &Text| text.lock().map(|text| text.clone()).unwrap_or_default();
        let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or_default());
        Ok((code, (text(&self.output.stdout), text(&self.output.stderr))))
    }
}

fn wait_for(text: &Text, child: &mut Child, patience: Patience, there: impl Fn(&str) -> bool) {
    while !text.lock().is_ok_and(|text| there(&text))
        && !patience.over()
        && matches!(child.try_wait(), Ok(None))
    {
        thread::sleep(Duration::from_millis(2));
    }
}

/// Whether the child has ended before the round hangs.
fn ends(child: &mut Child, patience: Patience) -> bool {
    loop {
        match child.try_wait() {
            Ok(None) if !patience.over() => thread::sleep(Duration::from_millis(2)),
            Ok(None) => return false,
            _ => return true,
        }
    }
}

/// The stacks of a JVM that hangs.
fn show_stacks(mark: &str, folder: &Path) {
    for process in processes::marked(mark).iter().filter(|process| process.is_java()) {
        let mut jstack = Command::new(jfathom_tests::jdk::main().tool("jstack"));
        jstack.env_remove("JAVA_TOOL_OPTIONS").arg(process.pid.to_string());
        let stacks =
            jstack.stdin(Stdio::null()).output().map(|output| output.stdout).unwrap_or_default();
        let _ = fs::write(folder.join("stacks"), stacks);
    }
}
