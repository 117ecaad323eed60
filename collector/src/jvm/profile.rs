//! The profile of a JVM that has ended.

use crate::{
    drain::Drained,
    finish::{self, Origin, ProfileInputs},
    manifests::JvmManifests,
    methods_file::LiveMethods,
    scheduling,
};
use jfathom_profile::Profile;
use jfathom_session::JvmFile;
use jfathom_trace::{offline::OfflineSession, overflow_of};
use std::{fs, io};

/// Makes the profile of a JVM, and writes it into the session directory in place of what it was
/// made of. So memory is free again long before the recording ends, and a collector that is killed
/// loses nothing of a JVM that has ended.
pub(super) fn make_profile(
    drained: Drained,
    origin: Origin,
    manifests: &JvmManifests,
    live: Option<&LiveMethods>,
) -> Profile {
    let Drained { file, feeder, stopped, clock, scheduling } = drained;
    let (info, virtual_calls) = (file.info(), file.virtual_calls());
    // The header has a better rate of the clock at the JVM's end than at its start.
    let dead = OfflineSession::open(file.path()).ok().flatten();
    let facts = ProfileInputs {
        header: dead.as_ref().map_or(file.header(), OfflineSession::header),
        info: &info,
        counters: file.counters(),
        virtual_calls: &virtual_calls,
        clean_end: file.ended(),
        stopped,
        goes_on: false,
        is_cut: file.is_cut(),
        live,
        clock,
    };
    let mut profile = finish::profile(origin, &facts, manifests, feeder.into_builder());
    scheduling::add_to(&mut profile, &scheduling);
    let path = file.path();
    let finished = JvmFile::Profile.beside(path);
    let saved = jfathom_files::replace(&finished, 0o600, |file| write_profile(&profile, file));
    if saved.is_ok() && !stopped {
        if let Some(overflow) = overflow_of(path) {
            let _ = fs::remove_file(overflow);
        }
        let _ = fs::remove_file(path);
        let _ = fs::remove_file(JvmFile::Checkpoint.beside(path));
        // The methods file stays with the directory: it is small, and shows what a live session
        // did.
    }
    profile
}

/// Writes a profile as a `.jfp` file.
pub(crate) fn write_profile(profile: &Profile, out: &mut dyn io::Write) -> io::Result<()> {
    profile.write(out).map_err(io::Error::from)
}
