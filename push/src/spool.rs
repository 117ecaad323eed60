//! Packets that wait for a server, in a directory of mode 0700: one file each, the oldest first by
//! name.

use crate::packet::Packet;
use anyhow::{Context, Result, bail};
use jfathom_files::{Access, Directory, trusted_directory, unpredictable};
use std::{
    env,
    ffi::{OsStr, OsString},
    fs::{File, TryLockError},
    io::{self, Write},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf, absolute},
    time::{SystemTime, UNIX_EPOCH},
};

/// How the names of packets end.
const END: &str = ".push";
/// Held while packets are sent, so that no two processes send the same one.
const SENDING: &str = "sending.lock";
/// Held while a packet is added, so that two processes keep to the limit.
const ADDING: &str = "adding.lock";

/// The packets that wait.
#[derive(Debug)]
pub struct Spool {
    directory: Directory,
    path: PathBuf,
    /// Bytes that all packets may have together.
    limit: u64,
}

/// The right to send what waits, until it is dropped.
#[derive(Debug)]
pub struct Sending(#[expect(dead_code, reason = "the lock ends with the file")] File);

impl Spool {
    /// Opens a directory, which is made with mode 0700 if it is not there.
    ///
    /// # Errors
    /// It cannot be made; other users can write to it or to a directory above it, or can read it.
    pub fn open(path: &Path, limit: u64) -> Result<Self> {
        let open = || -> io::Result<Self> {
            let (directory, path) = trusted_directory(&absolute(path)?)?;
            directory.require_own_unshared()?;
            let mode = directory.to_file()?.metadata()?.mode() & 0o7777;
            if mode & 0o077 != 0 {
                return Err(io::Error::other(format!(
                    "others can look into it (mode {mode:o}); chmod 700 it"
                )));
            }
            Ok(Self { directory, path, limit })
        };
        open().with_context(|| format!("{}: cannot be a spool", path.display()))
    }

    /// Where packets wait if nobody says: in the user's directory for state by the XDG base
    /// directory specification. None if neither `XDG_STATE_HOME` nor `HOME` is an absolute path.
    pub fn usual_place() -> Option<PathBuf> {
        let variable = |name: &str| env::var_os(name).map(PathBuf::from);
        let absolute = |name: &str| variable(name).filter(|path| path.is_absolute());
        let state = absolute("XDG_STATE_HOME")
            .or_else(|| Some(absolute("HOME")?.join(".local").join("state")))?;
        Some(state.join("jfathom").join("spool"))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The right to send; none while another process has it.
    ///
    /// # Errors
    /// What the system says.
    pub fn try_sending(&self) -> Result<Option<Sending>> {
        let file = self.lock_file(SENDING)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Sending(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(self.failed(error)),
        }
    }

    /// The names of the packets that wait, the oldest first.
    ///
    /// # Errors
    /// What the system says.
    pub fn names(&self) -> Result<Vec<OsString>> {
        let names = self.directory.names().map_err(|error| self.failed(error))?;
        let is_packet = |name: &OsString| name.to_string_lossy().ends_with(END);
        let mut names: Vec<OsString> = names.into_iter().filter(is_packet).collect();
        names.sort();
        Ok(names)
    }

    /// The packet of this name; none if it was sent meanwhile.
    ///
    /// # Errors
    /// What the system says; the file is no packet.
    pub fn read(&self, name: &OsStr) -> Result<Option<Packet>> {
        // The limit may be lower than it was; what waits is within what can be read.
        match self.directory.read(name, u64::MAX).and_then(|bytes| Packet::from_bytes(&bytes)) {
            Ok(packet) => Ok(Some(packet)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| self.path.join(name).display().to_string()),
        }
    }

    /// Takes a packet out.
    ///
    /// # Errors
    /// What the system says.
    pub fn remove(&self, name: &OsStr) -> Result<()> {
        self.directory.remove_file(name).map_err(|error| self.failed(error))
    }

    /// Sets a packet aside that the server does not want: it is not sent again, and is no longer
    /// among [`Spool::names`]. Returns its new place.
    ///
    /// # Errors
    /// What the system says.
    pub fn set_aside(&self, name: &OsStr) -> Result<PathBuf> {
        let mut refused = name.to_owned();
        refused.push(".refused");
        self.directory.rename(name, &refused).map_err(|error| self.failed(error))?;
        Ok(self.path.join(refused))
    }

    /// Adds a packet.
    ///
    /// # Errors
    /// There is no room for it within the limit, and nothing is thrown away for it; what the system
    /// says.
    pub fn add(&self, packet: &Packet) -> Result<()> {
        let lock = self.lock_file(ADDING)?;
        lock.lock().map_err(|error| self.failed(error))?;
        let bytes = packet.to_bytes();
        let waiting = self.bytes()?;
        if waiting.saturating_add(bytes.len() as u64) > self.limit {
            bail!(
                "{}: {} kB wait there, and {} kB more would be over its limit of {} kB; nothing is \
                 thrown away (--spool-limit)",
                self.path.display(),
                waiting.div_ceil(1_000),
                bytes.len().div_ceil(1_000),
                self.limit / 1_000
            );
        }
        let millis = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |age| age.as_millis());
        let name = format!("{millis:014}-{}{END}", unpredictable());
        self.directory
            .create_whole(OsStr::new(&name), 0o600, |out| {
                out.write_all(&bytes)?;
                out.flush()?;
                // The user is told that it waits.
                out.get_ref().sync_all()
            })
            .map_err(|error| self.failed(error))
    }

    /// Bytes of all files: of what waits, what was set aside, and what a killed push left.
    fn bytes(&self) -> Result<u64> {
        let length = |name: OsString| Some(self.directory.hold(&name).ok()?.metadata().ok()?.len());
        let names = self.directory.names().map_err(|error| self.failed(error))?;
        Ok(names.into_iter().filter_map(length).sum())
    }

    fn lock_file(&self, name: &str) -> Result<File> {
        let name = OsStr::new(name);
        let made = match self.directory.create_file(name, 0o600) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                self.directory.open_own(name, Access::ReadWrite)
            }
            made => made,
        };
        made.map_err(|error| self.failed(error))
    }

    fn failed(&self, error: io::Error) -> anyhow::Error {
        anyhow::Error::new(error).context(self.path.display().to_string())
    }
}
