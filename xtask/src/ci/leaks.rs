//! What tests leave behind: files in the temporary folders, and processes. A listener belongs to a
//! process.

use anyhow::{Result, bail};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

/// Marks all processes of a run.
const MARK: &str = "JFATHOM_TEST_RUN";

/// Where JVMs and recordings put files whatever `TMPDIR` says.
const SHARED: [&str; 2] = ["/tmp", "/dev/shm"];

/// How names of ours and of JVMs that were attached to begin there.
const OURS: [&str; 3] = ["jfathom", ".java_pid", ".attach_pid"];

/// A run that is watched.
pub struct Watch {
    temporary: TempDir,
    shared: BTreeSet<PathBuf>,
    mark: String,
}

impl Watch {
    /// Takes down what is there, and gives the run a temporary folder of its own.
    pub fn begin(command: &mut Command) -> Result<Self> {
        let temporary = tempfile::Builder::new().prefix("tests-").tempdir()?;
        let mark = std::process::id().to_string();
        command.env("TMPDIR", temporary.path()).env(MARK, &mark);
        Ok(Self { temporary, shared: shared(), mark })
    }

    /// Fails where the run has left something.
    pub fn end(self) -> Result<()> {
        let mut left: Vec<String> =
            names(self.temporary.path()).map(|path| path.display().to_string()).collect();
        let new: Vec<PathBuf> = shared().difference(&self.shared).cloned().collect();
        let (caches, others): (Vec<_>, Vec<_>) = new.into_iter().partition(|path| is_cache(path));
        left.extend(others.iter().map(|path| path.display().to_string()));
        caches.iter().for_each(|cache| _ = fs::remove_dir_all(cache));
        left.extend(processes(&self.mark));
        if left.is_empty() {
            eprintln!("leaks: the tests have left no file and no process");
            return Ok(());
        }
        left.iter().for_each(|what| eprintln!("left behind: {what}"));
        bail!("the tests have left {} files and processes behind", left.len())
    }
}

fn names(folder: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

fn shared() -> BTreeSet<PathBuf> {
    let ours = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        OURS.iter().any(|start| name.starts_with(start))
    };
    SHARED.iter().flat_map(|folder| names(Path::new(folder))).filter(ours).collect()
}

/// Whether a path is the cache of another user that root recorded, with the agent's library and
/// nothing else (`docs/files.md`). It stays until it expires, so that the next recording finds it.
fn is_cache(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_users = name
        .strip_prefix("jfathom-")
        .is_some_and(|user| !user.is_empty() && user.bytes().all(|byte| byte.is_ascii_digit()));
    let only = |folder: &Path, start: &str| {
        names(folder)
            .all(|path| path.file_name().unwrap_or_default().to_string_lossy().starts_with(start))
    };
    is_users && only(path, "jfathom") && only(&path.join("jfathom"), "agent-")
}

/// Processes with the mark that have not ended, as pid and command line.
fn processes(mark: &str) -> Vec<String> {
    let variable = format!("{MARK}={mark}");
    let running = |path: PathBuf| {
        let environment = fs::read(path.join("environ")).ok()?;
        environment.split(|&byte| byte == 0).find(|set| *set == variable.as_bytes())?;
        let command =
            String::from_utf8_lossy(&fs::read(path.join("cmdline")).ok()?).replace('\0', " ");
        Some(format!("process {}: {command}", path.file_name()?.to_string_lossy()))
    };
    names(Path::new("/proc")).filter_map(running).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_processes_are_found() {
        let mut command = Command::new("sh");
        let watch = Watch::begin(&mut command).unwrap();
        // The shell says when it runs, and ends with its input.
        command.args(["-c", "touch \"$TMPDIR/left\"; echo ready; read -r end"]);
        let mut child = command
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        std::io::BufRead::read_line(
            &mut std::io::BufReader::new(child.stdout.take().unwrap()),
            &mut line,
        )
        .unwrap();
        assert_eq!(processes(&watch.mark).len(), 1);
        drop(child.stdin.take());
        child.wait().unwrap();
        assert!(processes(&watch.mark).is_empty());
        assert_eq!(names(watch.temporary.path()).count(), 1);
        let place = |name: &str| watch.temporary.path().join(name);
        fs::create_dir_all(place("jfathom-1/jfathom/agent-0")).unwrap();
        assert!(is_cache(&place("jfathom-1")));
        assert!(!is_cache(&place("jfathom-")) && !is_cache(&place("jfathom-1-agent-0-9")));
        fs::write(place("jfathom-1/jfathom/trace"), "").unwrap();
        assert!(!is_cache(&place("jfathom-1")));
        assert!(watch.end().is_err());
    }
}
