//! Recordings that go on, which the user names.

use crate::manifests::Manifests;
use anyhow::Result;
use jfathom_collector::RunningSession;
use jfathom_compare::merge;
use jfathom_profile::Profile;
use jfathom_session::Process;
use std::path::{Path, PathBuf};

/// A running recording, named by a JVM's process id or by its session directory.
pub(crate) struct Running {
    place: PathBuf,
    session: Option<RunningSession>,
}

impl Running {
    /// Finds it.
    pub(crate) fn find(place: &str) -> Result<Self> {
        let session = match place.parse::<u32>() {
            Ok(pid) => Some(RunningSession::find(pid)?),
            Err(_) => None,
        };
        Ok(Self { place: place.into(), session })
    }

    /// A path that leads to its session directory while this value lives.
    pub(crate) fn dir(&self) -> &Path {
        self.session.as_ref().map_or(&self.place, RunningSession::held_dir)
    }

    /// The session directory, for people.
    pub(crate) fn shown_dir(&self) -> &Path {
        self.session.as_ref().map_or(&self.place, RunningSession::dir)
    }

    /// The process that records it; none if it is not known, as where a directory is named.
    pub(crate) fn collector(&self) -> Option<Process> {
        Process::find(self.session.as_ref()?.collector()?)
    }

    /// Where its profile will be; none if that is not known.
    pub(crate) fn output(&self) -> Option<PathBuf> {
        jfathom_collector::output_of(self.dir())
    }
}

/// The profile so far of the recording in a session directory.
pub(crate) fn profile_so_far(dir: &Path) -> Result<Profile> {
    let profiles = jfathom_collector::snapshot(dir, &Manifests::default())?;
    merge(profiles).ok_or_else(|| anyhow::anyhow!("{}: has no record so far", dir.display()))
}
