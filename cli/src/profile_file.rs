//! Profiles that the user names.

use crate::{failure::context, manifests::Manifests};
use anyhow::{Result, bail};
use jfathom_collector::recover;
use jfathom_compare::merge;
use jfathom_profile::Profile;
use std::{fs::File, io::BufReader, path::Path};

/// Reads a profile, or the session directory that a killed `record` left.
pub(crate) fn read(path: &Path) -> Result<Profile> {
    if path.is_dir() {
        let profiles = recover(path, &Manifests::default())?;
        let Some(profile) = merge(profiles) else {
            bail!("{}: has no session with records", path.display())
        };
        return Ok(profile);
    }
    let file = File::open(path).map_err(|error| context(error, path, "cannot open"))?;
    Profile::read_whole(&mut BufReader::new(file))
        .map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))
}
