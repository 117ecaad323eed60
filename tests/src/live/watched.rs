//! Recordings whose session directory is theirs to choose, watched by what the JVM maps.

use super::{Lines, desk::signal};
use crate::{
    run::{Done, HANG},
    tool::Tool,
};
use jfathom_profile::Profile;
use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// A `jfathom record -p` that is running. Killed when it is dropped.
#[derive(Debug)]
pub struct Watched {
    child: Child,
    jvm: u32,
    folder: TempDir,
    command: String,
    stderr: Option<thread::JoinHandle<String>>,
}

impl Watched {
    /// Attaches to the JVM with this process id, as this process sees it.
    #[track_caller]
    pub fn attach(tool: Tool, jvm: u32, options: &[&str]) -> Self {
        Self::start(tool.command_with_signals("--default-signal=INT"), jvm, options)
    }

    /// The same with a recorder that sees the files that the JVM sees.
    #[track_caller]
    pub fn attach_beside(tool: Tool, jvm: u32, options: &[&str]) -> Self {
        let recorder = tool.command_with_signals("--default-signal=INT");
        let mut command = Command::new("nsenter");
        command.arg(format!("--mount=/proc/{jvm}/ns/mnt")).arg(recorder.get_program());
        command.args(recorder.get_args());
        for (name, value) in recorder.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        Self::start(command, jvm, options)
    }

    #[track_caller]
    fn start(mut command: Command, jvm: u32, options: &[&str]) -> Self {
        // Not in `/tmp`: namespaces have one of their own.
        let folder = tempfile::tempdir_in("/var/tmp").unwrap();
        command
            .args(["record", "--budget=none", "--tune=calibrate=off", "-p", &jvm.to_string()])
            .args(options)
            .arg("-o")
            .arg(folder.path().join("profile.jfp"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let words = format!("{command:?}");
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{words}: {error}"));
        let mut errors = child.stderr.take().expect("it is piped");
        let stderr = thread::spawn(move || {
            let mut text = Vec::new();
            let _ = errors.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        });
        Self { child, jvm, folder, command: words, stderr: Some(stderr) }
    }

    /// The recorder's process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The child of the recorder.
    #[track_caller]
    pub fn child(&self) -> u32 {
        let of = format!("/proc/{0}/task/{0}/children", self.pid());
        let children = fs::read_to_string(of).unwrap();
        children.split_whitespace().next().expect("the recorder has a child").parse().unwrap()
    }

    /// Waits until a root is live, and gives the session directory as this process sees it.
    #[track_caller]
    pub fn until_live(&mut self) -> PathBuf {
        let begun = Instant::now();
        loop {
            let session = session_of(self.jvm);
            if let Some(session) = session.filter(|dir| Lines::of(dir).root_is("live")) {
                return session;
            }
            let has_ended = self.child.try_wait().unwrap().is_some();
            if has_ended || begun.elapsed() > HANG {
                let _ = self.child.kill();
                panic!("no root is live: {}", self.done());
            }
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits for its end.
    #[track_caller]
    pub fn done(&mut self) -> Done {
        let begun = Instant::now();
        let status = loop {
            match self.child.try_wait().unwrap() {
                Some(status) => break status,
                None if begun.elapsed() > HANG => panic!("still running: {}", self.command),
                None => thread::sleep(Duration::from_millis(10)),
            }
        };
        let stderr = self.stderr.take().map(|stderr| stderr.join().unwrap()).unwrap_or_default();
        let stdout = String::new();
        Done { command: self.command.clone(), code: status.code(), stdout, stderr }
    }

    /// Interrupts it, and waits for its profile.
    #[track_caller]
    pub fn end(mut self) -> (Done, Profile) {
        signal(self.pid(), "INT");
        let done = self.done().code(0);
        let profile = self.profile(&done);
        (done, profile)
    }

    /// The profile that it has written.
    #[track_caller]
    pub fn profile(&self, done: &Done) -> Profile {
        let bytes = fs::read(self.file()).unwrap_or_else(|error| panic!("{error}: {done}"));
        let profile = Profile::read(&mut &*bytes).unwrap_or_else(|error| panic!("{error}: {done}"));
        profile.check().unwrap_or_else(|error| panic!("{error}: {done}"));
        profile
    }

    /// Where the profile will be.
    pub fn file(&self) -> PathBuf {
        self.folder.path().join("profile.jfp")
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The session directory that a JVM maps a file of, as this process sees it; none if it maps none.
fn session_of(jvm: u32) -> Option<PathBuf> {
    let maps = fs::read_to_string(format!("/proc/{jvm}/maps")).ok()?;
    let file = maps
        .lines()
        .filter(|line| line.ends_with(".jft"))
        .find_map(|line| Some(Path::new(&line[line.find('/')?..])))?;
    let inside = file.parent()?.strip_prefix("/").ok()?;
    Some(Path::new("/proc").join(jvm.to_string()).join("root").join(inside))
}
