//! A directory of profiles that passed: the last good one is the baseline of the next.

use super::Named;
use crate::{
    failure::{context, usage},
    out,
    output::to_new_file,
    profile_directory::{END, profiles},
    profile_file::read,
};
use anyhow::Result;
use jfathom_profile::{Label, Labels, Profile};
use jfathom_tables::RunId;
use jfathom_views::file_time;
use std::{
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Where the baseline comes from, if no profile is named.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Baselines in a directory")]
pub(super) struct KeptBaseline {
    /// Take the last clean profile of DIR as the baseline, of those with these labels that were
    /// recorded before this one
    #[arg(long, value_name = "DIR")]
    baseline_dir: Option<PathBuf>,
    /// Only baselines with this label (`record --label branch=main`); repeat for more
    #[arg(long, value_name = "KEY=VALUE", requires = "baseline_dir")]
    baseline_label: Vec<Label>,
    /// Keep the profile in DIR if it is clean, within the limits, and has these labels: it is the
    /// next baseline. Without a baseline it becomes the first one
    #[arg(long, requires = "baseline_dir")]
    keep: bool,
}

impl KeptBaseline {
    /// The directory.
    pub(super) fn directory(&self) -> Option<&Path> {
        self.baseline_dir.as_deref()
    }

    /// Whether profiles within the limits are kept.
    pub(super) fn keeps(&self) -> bool {
        self.keep
    }

    fn labels(&self) -> Result<Labels> {
        Labels::new(self.baseline_label.iter().cloned())
            .map_err(|error| usage(format!("--baseline-label: {error}")))
    }

    /// The last clean profile of a directory that has the labels and was recorded before `new`, and
    /// says so; none if there is none. So a profile that was kept is not its own baseline.
    ///
    /// # Errors
    /// The directory, or that profile, cannot be read.
    pub(super) fn last_good(&self, directory: &Path, new: &Profile) -> Result<Option<Named>> {
        if !directory.exists() {
            return Ok(None);
        }
        let labels = self.labels()?;
        let mut found: Vec<(u64, PathBuf)> = profiles(directory)?
            .into_iter()
            .filter(|(_, meta)| meta.labels.contains(&labels))
            .filter(|(_, meta)| meta.started_millis < new.meta.started_millis)
            .map(|(path, meta)| (meta.started_millis, path))
            .collect();
        found.sort();
        while let Some((_, path)) = found.pop() {
            let profile = read(&path)?;
            if profile.quality.is_clean() {
                let called = path.display().to_string();
                out::say(&format!("the baseline is {called}"));
                return Ok(Some(Named { called, profile }));
            }
        }
        Ok(None)
    }

    /// Makes a profile the first baseline, if profiles are kept.
    ///
    /// # Errors
    /// There is no baseline, and the profile is none, or cannot be kept.
    pub(super) fn begin(&self, directory: &Path, profile: &Profile) -> Result<ExitCode> {
        if self.keep && self.keep(profile)? {
            return Ok(ExitCode::SUCCESS);
        }
        let labels = self.labels()?;
        let labels: Vec<String> =
            labels.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let with = match labels.is_empty() {
            true => String::new(),
            false => format!(" with the labels {}", labels.join(", ")),
        };
        Err(usage(format!(
            "{}: no clean profile{with} from before this one, so nothing to compare with; --keep \
             makes a passing one the baseline",
            directory.display()
        )))
    }

    /// Keeps a profile within the limits, if profiles are kept and it can be a baseline. Returns
    /// whether it is there now, and says so.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn keep(&self, profile: &Profile) -> Result<bool> {
        let (Some(directory), true) = (&self.baseline_dir, self.keep) else { return Ok(false) };
        let labels = self.labels()?;
        if !profile.meta.labels.contains(&labels) {
            out::say("not kept: the profile has other labels (record --label)");
            return Ok(false);
        }
        if !profile.quality.is_clean() {
            out::say("not kept: the recording is not clean");
            return Ok(false);
        }
        jfathom_files::create_directories(directory, 0o777)
            .map_err(|error| context(error, directory, "cannot make the directory"))?;
        let time = file_time(profile.meta.started_millis);
        let path = directory.join(format!("{time}-{}.{END}", RunId::of(profile)));
        if !path.exists() {
            let written = to_new_file(&path, |out| {
                let mut out = BufWriter::new(out);
                profile.write(&mut out).map_err(io::Error::other)?;
                out.flush()
            });
            // Another job may have kept the same recording meanwhile.
            if written.is_err() && !path.exists() {
                written?;
            }
        }
        out::say(&format!("kept as {}", path.display()));
        Ok(true)
    }
}
