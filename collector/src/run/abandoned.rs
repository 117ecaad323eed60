//! What a recording process that is no more has left: its session directories, found by its id.

use crate::{
    Error, ManifestSource,
    run::{recover, sessions},
};
use jfathom_files::Directory;
use jfathom_profile::Profile;
use jfathom_session::{JvmProcess, MEMORY, is_session_name_of};
use jfathom_trace::SessionDir;
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

/// Ends the session of a JVM whose recording process has ended, and takes what that process has
/// left: the profiles of what was recorded. Its session directories are then gone.
///
/// `recorder` was the process, of this user. `asked` is the session directory that it was given; it
/// is emptied and stays. The others have the process in their names.
///
/// # Errors
/// Fails if records cannot be read; they stay.
pub fn take_abandoned(
    pid: u32,
    recorder: u32,
    asked: Option<&Path>,
    manifests: &dyn ManifestSource,
) -> Result<Vec<Profile>, Error> {
    // There may be no session: it had not begun, or has ended.
    let _ended = sessions::stop(pid);
    let mut profiles = Vec::new();
    if let Some(path) = asked
        && let Ok(held) = Directory::open(path)
    {
        profiles.extend(take(&held, path, manifests)?);
    }
    for (place, path) in places(pid) {
        for name in names(&place, recorder) {
            let Ok(held) = place.beneath(Path::new(&name)) else { continue };
            let path = path.as_ref().map_or_else(|| held.path_by_handle(), |path| path.join(&name));
            profiles.extend(take(&held, &path, manifests)?);
            let _ = place.remove_directory(&name);
        }
    }
    Ok(profiles)
}

/// Directories that session directories are made in, with the path of those that are not a
/// container's. Memory comes first: a session there goes on in the other one.
fn places(pid: u32) -> Vec<(Directory, Option<PathBuf>)> {
    let bases = [PathBuf::from(MEMORY), std::env::temp_dir()];
    let mut places: Vec<(Directory, Option<PathBuf>)> = Vec::new();
    for base in bases {
        places.extend(Directory::open(&base).ok().map(|place| (place, Some(base))));
    }
    if let Ok(jvm) = JvmProcess::find(pid)
        && !jvm.has_same_files()
    {
        let inside = [MEMORY, "/tmp"];
        places.extend(inside.iter().filter_map(|base| Some((jvm.directory(base).ok()?, None))));
    }
    places
}

/// The session directories of the process.
fn names(place: &Directory, recorder: u32) -> Vec<OsString> {
    let mut names = place.names().unwrap_or_default();
    names.retain(|name| is_session_name_of(recorder, name));
    names
}

/// Takes the profiles in a session directory of this user, and empties it.
fn take(
    held: &Directory,
    path: &Path,
    manifests: &dyn ManifestSource,
) -> Result<Vec<Profile>, Error> {
    if held.require_own_unshared().is_err() {
        return Ok(Vec::new());
    }
    let profiles = match recover::run(path, manifests) {
        // Of no JVM: none had joined, or it is what another one goes on in.
        Err(_) if !has_sessions(path) => Vec::new(),
        taken => taken?,
    };
    for file in held.names().unwrap_or_default() {
        let _ = held.remove_file(&file);
    }
    Ok(profiles)
}

fn has_sessions(dir: &Path) -> bool {
    SessionDir::open(dir).and_then(|dir| dir.entries()).is_ok_and(|entries| !entries.is_empty())
}
