//! Running a program to its end.

use crate::process_tree::kill_tree;
use std::{
    fmt,
    io::Read,
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

/// After this the program counts as hung and the test fails. Never part of what is expected.
pub const HANG: Duration = Duration::from_secs(600);

/// What a program left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// The command line.
    pub command: String,
    /// Exit code; none where a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}\nexit: {:?}\n--- stdout\n{}--- stderr\n{}",
            self.command, self.code, self.stdout, self.stderr
        )
    }
}

impl Done {
    /// Fails the test, showing everything, unless the program ended with `code`.
    #[track_caller]
    pub fn code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self}");
        self
    }

    /// Fails the test unless the program ended well.
    #[track_caller]
    pub fn fine(self) -> Self {
        self.code(0)
    }

    /// Fails the test unless standard error has all of `words`.
    #[track_caller]
    pub fn says(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.stderr.contains(word), "standard error lacks {word:?}:\n{self}");
        }
        self
    }
}

/// Runs the command with no input and waits for its end. A command that hangs is killed and fails
/// the test.
#[track_caller]
pub fn run(command: &mut Command) -> Done {
    let words = format!("{command:?}");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("cannot start {words}: {error}"));
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let (status, hung) = wait(child);
    let text = |receiver: mpsc::Receiver<Vec<u8>>| {
        // Whoever inherited the pipe may keep it open: what a hung program said is then lost.
        let bytes = if hung {
            receiver.recv_timeout(Duration::from_secs(5)).ok()
        } else {
            receiver.recv().ok()
        };
        String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned()
    };
    let done =
        Done { command: words, code: status.code(), stdout: text(stdout), stderr: text(stderr) };
    assert!(!hung, "still running after {HANG:?}, killed: {done}");
    done
}

fn drain(pipe: Option<impl Read + Send + 'static>) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        let _ = sender.send(bytes);
    });
    receiver
}

/// The child's status, and whether it had to be killed.
fn wait(mut child: Child) -> (ExitStatus, bool) {
    let pid = child.id();
    let (sender, receiver) = mpsc::channel();
    let waiter = thread::spawn(move || {
        let status = child.wait();
        let _ = sender.send(());
        status
    });
    let hung = receiver.recv_timeout(HANG).is_err();
    if hung {
        // Programs of scripts too: they would go on.
        kill_tree(pid);
    }
    let status = waiter
        .join()
        .expect("the waiting thread does not panic")
        .expect("a child can be waited for");
    (status, hung)
}
