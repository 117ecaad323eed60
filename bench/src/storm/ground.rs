//! The file systems of a round, in a mount namespace of its own where we are root.

use super::draw::{Draw, Place};
use anyhow::{Context, Result, bail};
use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

/// The folders of a round. The holder keeps the namespace; all its file systems go with it.
pub struct Ground {
    /// The working directory: the profile and nothing else belongs here.
    pub work: PathBuf,
    pub temporary: PathBuf,
    /// `--tune session=DIR`, where it is given.
    pub session: Option<PathBuf>,
    holder: Option<Child>,
}

impl Ground {
    pub fn make(draw: &Draw, folder: &Path) -> Result<Self> {
        let [work, temporary, sessions] = ["work", "tmp", "sessions"].map(|name| folder.join(name));
        for path in [&work, &temporary, &sessions] {
            fs::create_dir_all(path)?;
        }
        // Session directories that are removed or filled must be known.
        let given = matches!(draw.attack, super::draw::Attack::RemoveSession)
            || matches!(draw.place, Place::SmallSession(_));
        let session = given.then(|| sessions.join("session"));
        if !rustix::process::geteuid().is_root() {
            return Ok(Self { work, temporary, session, holder: None });
        }
        let size = |wanted: Option<u64>| {
            wanted.map_or("size=8g".to_owned(), |kilobytes| format!("size={kilobytes}k"))
        };
        let (shm, tmp, output, sessions_size) = match draw.place {
            Place::Plain => (None, None, None, None),
            Place::SmallShm(size) => (Some(size), None, None, None),
            Place::SmallSession(size) => (None, None, None, Some(size)),
            Place::SmallOutput(size) => (None, None, Some(size), None),
            Place::SmallAll(size) => (Some(size), Some(size), None, None),
        };
        let mounts = [
            (Path::new("/dev/shm"), format!("noexec,nosuid,nodev,mode=1777,{}", size(shm))),
            (Path::new("/tmp"), format!("mode=1777,{}", size(None))),
            (&temporary, size(tmp)),
            (&work, size(output)),
            (&sessions, size(sessions_size)),
        ];
        let mut script = String::from("set -e\n");
        for (path, options) in mounts {
            script.push_str(&format!("mount -t tmpfs -o {options} tmpfs '{}'\n", path.display()));
        }
        script.push_str("echo ready\nread -r end || :\n");
        let mut holder = Command::new("unshare")
            .args(["--mount", "--propagation", "private", "sh", "-c", &script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        BufReader::new(holder.stdout.take().context("a pipe")?).read_line(&mut line)?;
        let ground = Self { work, temporary, session, holder: Some(holder) };
        if line.trim() == "ready" { Ok(ground) } else { bail!("the namespace could not be made") }
    }

    /// A command that runs in the namespace; the process is the command itself.
    pub fn command(&self, program: &Path) -> Command {
        match &self.holder {
            Some(holder) => {
                let mut command = Command::new("nsenter");
                command.arg(format!("--mount=/proc/{}/ns/mnt", holder.id()));
                command.arg(format!("--wdns={}", self.work.display())).arg(program);
                command
            }
            None => {
                let mut command = Command::new(program);
                command.current_dir(&self.work);
                command
            }
        }
    }

    /// A path of the namespace as this process reaches it.
    pub fn outer(&self, path: &Path) -> PathBuf {
        match &self.holder {
            Some(holder) => PathBuf::from(format!("/proc/{}/root{}", holder.id(), path.display())),
            None => path.to_path_buf(),
        }
    }

    /// What lies in the round's folders: the session directories, and the other names. Other
    /// processes' files count only where the namespace is ours.
    pub fn left(&self) -> Vec<PathBuf> {
        let mut folders = vec![self.work.clone(), self.temporary.clone()];
        folders.extend(self.session.as_deref().and_then(Path::parent).map(Path::to_path_buf));
        if self.holder.is_some() {
            folders.extend(["/dev/shm", "/tmp"].map(PathBuf::from));
        }
        let names =
            |folder: &PathBuf| fs::read_dir(self.outer(folder)).into_iter().flatten().flatten();
        folders
            .iter()
            .flat_map(|folder| names(folder).map(|entry| folder.join(entry.file_name())))
            .collect()
    }

    /// The folder in which sessions lie that name no directory.
    pub fn session_base(&self) -> PathBuf {
        match self.session.as_deref().and_then(Path::parent) {
            Some(parent) => self.outer(parent),
            None => self.outer(Path::new("/dev/shm")),
        }
    }
}

impl Drop for Ground {
    fn drop(&mut self) {
        if let Some(holder) = &mut self.holder {
            drop(holder.stdin.take());
            let _ = holder.wait();
        }
    }
}
