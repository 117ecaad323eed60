//! A profile that another process has recorded, written for the user.

use crate::failure::context;
use anyhow::Result;
use jfathom_collector::Error;
use jfathom_files::output::Output;
use jfathom_profile::Profile;
use std::{
    fs::File,
    io::{self, Write},
    path::Path,
};

/// Bytes of a profile that is taken from another process.
pub(super) const PROFILE_MAX: u64 = 4 << 30;

/// A profile that the user names.
pub(super) struct Target<'a> {
    pub(super) path: &'a Path,
    force: bool,
}

impl<'a> Target<'a> {
    /// Checks that the profile can be written, by the rules of every recording.
    ///
    /// # Errors
    /// Fails if it cannot, or if a file is there that must not be replaced.
    pub(super) fn new(path: &'a Path, force: bool) -> Result<Self> {
        let refused = |error| context(error, path, "cannot write");
        let output = Output::find(path).map_err(refused)?;
        if !force && output.check_keeping(is_profile).is_err() {
            return Err(Error::OutputExists(path.to_owned()).into());
        }
        output.check().map_err(refused)?;
        Ok(Self { path, force })
    }

    /// Writes it through `write`. A failure leaves a file as it was.
    ///
    /// # Errors
    /// What the system or `write` says.
    pub(super) fn write(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let output = Output::find(self.path)?;
        match self.force {
            true => output.write(0o666, write),
            false => output.write_keeping(0o666, is_profile, write),
        }
    }
}

fn is_profile(mut file: File) -> bool {
    Profile::is_profile(&mut file)
}
