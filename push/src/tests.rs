//! Profiles sent to servers of this process, and what goes wrong on the way.

mod protocols;
mod server;
mod spool;
mod trouble;

use crate::{args::Args, push};
use clap::Parser;
use jfathom_profile::{Frame, Labels, Profile};
use jfathom_testkit::small_profile;
use std::{fs, path::PathBuf};
use tempfile::TempDir;

/// A folder with a profile and a spool.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        let mut bytes = Vec::new();
        profile().write(&mut bytes).unwrap();
        fs::write(place.path("a.jfp"), bytes).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    /// Pushes the profile. Whether all was taken, and what was said.
    fn push(&self, to: [&str; 2], words: &[&str]) -> Result<(bool, String), String> {
        self.run(&[&[&*self.text("a.jfp")], words].concat(), to)
    }

    fn run(&self, words: &[&str], to: [&str; 2]) -> Result<(bool, String), String> {
        let spool = self.text("spool");
        let mut all = vec!["push", "--to", to[0], to[1], "--spool", &spool];
        if !words.contains(&"--retry-for") {
            all.extend(["--retry-for", "0"]);
        }
        let args = Args::try_parse_from([&all[..], words].concat()).map_err(|e| e.to_string())?;
        let mut said = String::new();
        let outcome = push::run(&args, None, &mut |message| said += &format!("{message}\n"));
        outcome.map(|is_whole| (is_whole, said)).map_err(|error| format!("{error:#}"))
    }

    fn spooled(&self) -> Vec<PathBuf> {
        let Ok(names) = fs::read_dir(self.path("spool")) else { return Vec::new() };
        let paths = names.map(|entry| entry.unwrap().path());
        paths.filter(|path| path.extension().is_some_and(|end| end == "push")).collect()
    }
}

fn profile() -> Profile {
    let mut profile = small_profile::calibrated();
    profile.meta.started_millis = 1_764_028_800_250;
    profile.meta.duration_millis = 2_000;
    let labels = ["branch=main", "build-id=7", "process.command_line=of the label"];
    profile.meta.labels = Labels::new(labels.map(|label| label.parse().unwrap())).unwrap();
    profile
}

/// The calls of all methods in the profile, and its tasks.
fn calls() -> u64 {
    let tree = profile().tree;
    let frames = tree.nodes().filter(|node| !matches!(tree.frame(*node), Frame::Thread(_)));
    frames.map(|node| tree.calls(node)).sum()
}
