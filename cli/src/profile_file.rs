//! Profiles that the user names.

use crate::{failure::context, manifests::Manifests};
use anyhow::{Result, bail};
use jfathom_collector::recover;
use jfathom_compare::merge;
use jfathom_profile::Profile;
use std::{
    fs::File,
    io::{self, BufReader},
    path::Path,
};

/// The profile that `record` writes and `report` reads if none is named.
pub(crate) const OUTPUT: &str = "profile.jfp";

/// Reads a profile, or the session directory that a killed `record` left.
pub(crate) fn read(path: &Path) -> Result<Profile> {
    if path.is_dir() {
        let mut profiles = recover(path, &Manifests::default())?;
        // A sum of JVMs is no slice of a recording: what is of one JVM stays what it is.
        let profile = if profiles.len() == 1 { profiles.pop() } else { merge(profiles) };
        let Some(profile) = profile else {
            bail!("{}: has no session with records", path.display())
        };
        return Ok(profile);
    }
    let file = File::open(path).map_err(|error| no_profile(error, path))?;
    Profile::read_whole(&mut BufReader::new(file))
        .map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))
}

/// The error that a profile cannot be opened. If there is none, it says how to make one.
fn no_profile(error: io::Error, path: &Path) -> anyhow::Error {
    if error.kind() != io::ErrorKind::NotFound {
        return context(error, path, "cannot open");
    }
    let name = path.display();
    let option = if path == Path::new(OUTPUT) { String::new() } else { format!(" -o {name}") };
    anyhow::anyhow!(
        "{name}: there is no such file; make a profile first:\n\
         jfathom record{option} --root com.acme.Engine::run -- java -jar app.jar   (a new JVM)\n\
         jfathom record{option} -p PID   (a running JVM; `jfathom ps` lists them)"
    )
}
