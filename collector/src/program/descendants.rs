//! The processes that a command leaves behind, which may become JVMs or start some.
//!
//! They are known by an entry of their environment, which the kernel keeps with the program that a
//! process executes: it is there whatever became of the parents. Whoever takes the entry away,
//! such as `env -i`, has taken it from the JVM, too, which then cannot join.

use jfathom_session::{Process, ProcessStat};
use std::{
    collections::{HashMap, HashSet},
    ffi::OsStr,
    fs, io,
    os::unix::ffi::OsStrExt,
    path::Path,
    thread,
    time::{Duration, Instant},
};

/// The processes of one command.
#[derive(Debug)]
pub(crate) struct Descendants {
    /// The entry, `NAME=value`.
    mark: Vec<u8>,
    /// When this process began, in clock ticks since boot. What is older belongs to an earlier
    /// recording, which may have had the same session directory.
    since: u64,
    /// The process group of this process, which the command begins in.
    group: u32,
    /// The processes of the last look, and whether they are the command's. So each of the
    /// machine's processes is examined once, and the others are only listed.
    seen: HashMap<u32, bool>,
}

/// How long one look waits at most for processes that execute another program. On a busy machine
/// one may lose its processor meanwhile.
const PATIENCE: Duration = Duration::from_secs(1);
/// The same for an environment that is empty.
const EMPTY_PATIENCE: Duration = Duration::from_millis(50);
/// Time before an environment is read again.
const PAUSE: Duration = Duration::from_millis(2);

/// What the environment of a process tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Mark,
    NoMark,
    /// This user may not read it.
    Unreadable,
}

impl Descendants {
    /// Those with `variable=value` in their environment.
    pub(crate) fn new(variable: &str, value: &Path) -> Self {
        let mark = [variable.as_bytes(), b"=", value.as_os_str().as_bytes()].concat();
        let (since, group) =
            ProcessStat::read(std::process::id()).map_or((0, 0), |own| (own.start(), own.group()));
        Self { mark, since, group, seen: HashMap::new() }
    }

    /// Those that live, without this process.
    ///
    /// # Errors
    /// Fails if `/proc` cannot be read.
    pub(crate) fn living(&mut self) -> io::Result<Vec<Process>> {
        let until = Instant::now() + PATIENCE;
        let (mut seen, mut unreadable) = (HashMap::new(), Vec::new());
        for entry in fs::read_dir("/proc")? {
            let Ok(entry) = entry else { continue };
            let Some(pid) = pid(&entry.file_name()).filter(|&pid| pid != std::process::id()) else {
                continue;
            };
            // A program that is executed may have another environment.
            let is_mine = match self.seen.get(&pid) {
                Some(false) => false,
                _ => match self.examine(pid, until) {
                    Found::Mark => true,
                    Found::NoMark => false,
                    Found::Unreadable => {
                        unreadable.push(pid);
                        continue;
                    }
                },
            };
            seen.insert(pid, is_mine);
        }
        // Programs with other rights, such as `sudo`: by their parents or their process group.
        let marked: HashSet<u32> = seen.iter().filter(|seen| *seen.1).map(|seen| *seen.0).collect();
        for pid in unreadable {
            let is_mine = ProcessStat::read(pid).is_some_and(|stat| {
                marked.contains(&stat.parent()) || (stat.group() == self.group && self.group != 0)
            });
            seen.insert(pid, is_mine);
        }
        self.seen = seen;
        let mine = self.seen.iter().filter(|seen| *seen.1).map(|seen| *seen.0);
        let mut found: Vec<Process> = mine.filter_map(Process::find).collect();
        found.sort_by_key(|process| process.pid());
        Ok(found)
    }

    /// Reads the environment of a process, again and again while the process executes programs.
    fn examine(&self, pid: u32, until: Instant) -> Found {
        let until_empty = until.min(Instant::now() + EMPTY_PATIENCE);
        loop {
            let Some(before) = ProcessStat::read(pid).filter(|stat| self.may_be_mine(stat)) else {
                return Found::NoMark;
            };
            let bytes = match fs::read(format!("/proc/{pid}/environ")) {
                Ok(bytes) if self.is_marked(&bytes) => return Found::Mark,
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                    return Found::Unreadable;
                }
                Err(_) => return Found::NoMark,
            };
            let Some(after) = ProcessStat::read(pid) else { return Found::NoMark };
            let until = if bytes.is_empty() { until_empty } else { until };
            let is_sure = !bytes.is_empty() && is_whole(&bytes, before, after);
            if is_sure || Instant::now() >= until {
                return Found::NoMark;
            }
            thread::sleep(PAUSE);
        }
    }

    fn may_be_mine(&self, stat: &ProcessStat) -> bool {
        !stat.is_kernel_thread() && stat.is_alive() && stat.start() >= self.since
    }

    fn is_marked(&self, environment: &[u8]) -> bool {
        environment.split(|&b| b == 0).any(|entry| entry == self.mark)
    }
}

fn pid(name: &OsStr) -> Option<u32> {
    name.to_str()?.parse().ok()
}

/// Whether these bytes are the whole environment of a program that was executed all the while. They
/// are read in pieces; when another program is executed in between, the rest is missing.
fn is_whole(bytes: &[u8], before: ProcessStat, after: ProcessStat) -> bool {
    let (start, end) = after.environment();
    before.environment() == (start, end) && (end == 0 || bytes.len() as u64 == end - start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Child, Command, Stdio};

    fn child(words: &[&str], mark: &Path) -> Child {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).env("JFATHOM_TEST_MARK", mark);
        command.stdin(Stdio::piped()).spawn().unwrap()
    }

    fn end(mut child: Child) {
        drop(child.stdin.take());
        child.wait().unwrap();
    }

    #[test]
    fn finds_what_a_command_has_started() {
        let value = std::env::temp_dir().join(format!("jfathom-env-{}", std::process::id()));
        let mut mine = Descendants::new("JFATHOM_TEST_MARK", &value);
        let mut pids = || -> Vec<u32> {
            mine.living().unwrap().into_iter().map(|process| process.pid()).collect()
        };
        assert_eq!(pids(), Vec::<u32>::new());
        // The second look knows all processes of the first.
        let first = child(&["cat"], &value);
        assert_eq!(pids(), [first.id()]);
        let second = child(&["setsid", "cat"], &value);
        let mut both = [first.id(), second.id()];
        both.sort();
        assert_eq!(pids(), both);
        end(first);
        assert_eq!(pids(), [second.id()]);
        end(second);
        assert_eq!(pids(), Vec::<u32>::new());
    }

    #[test]
    fn a_program_without_the_mark_is_not_the_commands() {
        let value = std::env::temp_dir().join(format!("jfathom-bare-{}", std::process::id()));
        let mut mine = Descendants::new("JFATHOM_TEST_MARK", &value);
        // It has the mark until a line comes, then not.
        let mut child = child(&["sh", "-c", "read line; exec env -i cat"], &value);
        assert_eq!(mine.living().unwrap().len(), 1);
        io::Write::write_all(child.stdin.as_mut().unwrap(), b"\n").unwrap();
        while !mine.living().unwrap().is_empty() {
            thread::yield_now();
        }
        assert!(child.try_wait().unwrap().is_none());
        end(child);
    }

    #[test]
    fn a_process_that_executes_one_program_after_the_other_is_found() {
        let value = std::env::temp_dir().join(format!("jfathom-exec-{}", std::process::id()));
        // Each shell executes the next one, so that hardly a look meets the same program twice.
        // They end with this process at the latest.
        let again = r#"test -d "/proc/$1" && exec sh -c "$0" "$0" "$1""#;
        let own = std::process::id().to_string();
        let mut child = child(&["sh", "-c", again, again, &own], &value);
        let found = (0..500).filter(|_| {
            Descendants::new("JFATHOM_TEST_MARK", &value).living().is_ok_and(|all| all.len() == 1)
        });
        let found = found.count();
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(found, 500);
    }

    #[test]
    fn what_began_before_is_of_another_recording() {
        let value = std::env::temp_dir().join(format!("jfathom-old-{}", std::process::id()));
        let child = child(&["cat"], &value);
        let start = ProcessStat::read(child.id()).unwrap().start();
        for (since, living) in [(start, 1), (start + 1, 0)] {
            let mine = Descendants::new("JFATHOM_TEST_MARK", &value);
            assert_eq!(Descendants { since, ..mine }.living().unwrap().len(), living);
        }
        end(child);
    }
}
