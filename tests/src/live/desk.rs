//! A running program of `samples/live` that does what it is told.

use super::classes;
use crate::{
    jdk::Jdk,
    run::{Done, HANG},
    tool,
};
use jfathom_testkit::remove_attach_files;
use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
};

/// `live.Desk`, running. Killed when it is dropped.
#[derive(Debug)]
pub struct Desk {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    stderr: Receiver<String>,
    command: String,
    /// The JVM's process.
    pub pid: u32,
    heard: String,
}

impl Desk {
    /// Starts it with JVM options.
    #[track_caller]
    pub fn start(jdk: &Jdk, options: &[&str]) -> Self {
        let mut command = tool::java(jdk);
        command.args(options).arg("-cp").arg(classes()).arg("live.Desk");
        Self::of(command)
    }

    /// Starts a command that ends up as it, such as a recording of it.
    #[track_caller]
    pub fn of(mut command: Command) -> Self {
        let words = format!("{command:?}");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child =
            command.spawn().unwrap_or_else(|error| panic!("cannot start {words}: {error}"));
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("it is piped"));
        let mut errors = child.stderr.take().expect("it is piped");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let (sender, stderr) = channel();
        thread::spawn(move || {
            let mut text = Vec::new();
            let _ = errors.read_to_end(&mut text);
            let _ = sender.send(String::from_utf8_lossy(&text).into_owned());
        });
        let mut desk =
            Self { child, input, lines, stderr, command: words, pid: 0, heard: String::new() };
        let ready = desk.line();
        let pid = ready.strip_prefix("ready ").and_then(|pid| pid.parse().ok());
        desk.pid = pid.unwrap_or_else(|| panic!("no pid in {ready:?}: {}", desk.command));
        desk
    }

    /// Says a line and gives the answer.
    #[track_caller]
    pub fn ask(&mut self, words: &str) -> String {
        let input = self.input.as_mut().expect("the desk is open");
        if let Err(error) = writeln!(input, "{words}").and_then(|()| input.flush()) {
            self.dead(&error.to_string());
        }
        loop {
            // What the program itself prints stands between the answers.
            let line = self.line();
            if let Some(answer) = line.strip_prefix("= ") {
                return answer.to_owned();
            }
        }
    }

    /// Says a line and expects this answer.
    #[track_caller]
    pub fn expect(&mut self, words: &str, answer: &str) {
        let said = self.ask(words);
        assert_eq!(said, answer, "{words}: {}\n{}", self.command, self.heard);
    }

    #[track_caller]
    fn line(&mut self) -> String {
        match self.lines.recv_timeout(HANG) {
            Ok(line) => {
                self.heard.push_str(&line);
                self.heard.push('\n');
                line
            }
            Err(error) => self.dead(&error.to_string()),
        }
    }

    #[track_caller]
    fn dead(&mut self, error: &str) -> ! {
        // A hung JVM says on SIGQUIT where its threads are. Zero would be this process group.
        if self.pid != 0 {
            signal(self.pid, "QUIT");
        }
        thread::sleep(std::time::Duration::from_secs(2));
        while let Ok(line) = self.lines.try_recv() {
            self.heard.push_str(&line);
            self.heard.push('\n');
        }
        let _ = self.child.kill();
        let stderr = self.stderr.recv_timeout(HANG).unwrap_or_default();
        panic!(
            "no answer ({error}) from {}\n--- stdout\n{}--- stderr\n{stderr}",
            self.command, self.heard
        );
    }

    /// The process that was started, which may have started the JVM.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Ends it by SIGKILL. The process that is killed is the JVM, not one that records it.
    pub fn kill(&self) {
        signal(self.pid, "KILL");
    }

    /// Closes its input and waits for its end.
    #[track_caller]
    pub fn finish(mut self) -> Done {
        self.input = None;
        while let Ok(line) = self.lines.recv_timeout(HANG) {
            self.heard.push_str(&line);
            self.heard.push('\n');
        }
        let stderr =
            self.stderr.recv_timeout(HANG).unwrap_or_else(|_| self.dead("it does not end"));
        let status = self.child.wait().expect("a child can be waited for");
        Done {
            command: self.command.clone(),
            code: status.code(),
            stdout: std::mem::take(&mut self.heard),
            stderr,
        }
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        remove_attach_files(self.pid);
    }
}

/// Sends a signal by its name.
pub fn signal(pid: u32, name: &str) {
    let _ = Command::new("kill")
        .arg(format!("-{name}"))
        .arg(pid.to_string())
        .stderr(Stdio::null())
        .status();
}
