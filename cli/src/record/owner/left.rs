//! What a recording process with the rights of a JVM's user has left when it ended.

use crate::{agent_library, manifests::Manifests};
use anyhow::Result;
use jfathom_collector::{attach, take_abandoned, unpack_agent};
use jfathom_compare::merge;
use jfathom_files::output;
use jfathom_profile::Profile;
use jfathom_session::JvmProcess;
use std::{
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

/// Where a recording process has left its files.
#[derive(Clone, Copy)]
pub(in crate::record) struct Left<'a> {
    /// The JVM.
    pub(in crate::record) pid: u32,
    /// The session directory that was asked for.
    pub(in crate::record) session_dir: Option<&'a Path>,
}

impl Left<'_> {
    /// Brings what the process `recorder` has left to the parent process, and removes its files.
    ///
    /// # Errors
    /// Fails if it cannot be read or brought.
    pub(in crate::record) fn bring(self, recorder: u32) -> Result<ExitCode> {
        if let Some(profile) = merge(self.take(recorder)?) {
            let write = |out: &mut dyn Write| profile.write(out).map_err(io::Error::other);
            output::write(Path::new(output::STDOUT), 0o600, write)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Removes the files of this process, whose parent takes no profile any more.
    pub(in crate::record) fn discard(self) {
        // Nobody is there to be told.
        let _discarded = self.take(std::process::id());
    }

    fn take(self, recorder: u32) -> Result<Vec<Profile>> {
        let manifests = Manifests::default();
        let profiles = take_abandoned(self.pid, recorder, self.session_dir, &manifests);
        // A copy of the library may be in the JVM's container still: one that is made is removed
        // again.
        if let (Ok(jvm), Ok(library)) =
            (JvmProcess::find(self.pid), unpack_agent(agent_library::BYTES))
        {
            drop(attach::visible_library(&jvm, &library));
        }
        Ok(profiles?)
    }
}
