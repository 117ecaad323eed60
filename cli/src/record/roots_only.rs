//! The command for runs in which the roots alone are timed: with class files that have no other
//! probes, where that is possible.

use super::placement::JavaProgram;
use crate::{
    failure::context,
    messages,
    rewrite::{RootsOnlyUnavailable, Terms, rewrite_roots_only},
};
use anyhow::Result;
use jfathom_archive::Staging;
use jfathom_collector::{JavaCommand, RootsOnlyCommand};
use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

/// The command, and the folders with what it runs: there as long as this is, and longer where a JVM
/// still runs from them.
pub(super) struct RootsOnlyOutput {
    pub(super) alone: RootsOnlyCommand,
    folders: Vec<Staging>,
}

/// Why there are no such files.
#[derive(Debug)]
pub(super) enum NotApart {
    /// They cannot be made, or would not be run; the program runs with those that it has.
    Why(String),
    /// They are not what their sources are: the check's words.
    Faults(String),
}

impl From<String> for NotApart {
    fn from(why: String) -> Self {
        Self::Why(why)
    }
}

impl Drop for RootsOnlyOutput {
    fn drop(&mut self) {
        for folder in self.folders.iter().filter(|folder| folder.is_used()) {
            let path = folder.path().display();
            // There is nobody left to print_error where that fails.
            let _ = messages::warn(&format!(
                "{path} stays: a process that still runs has its classes from there; the next such recording removes it\n"
            ));
        }
    }
}

/// Writes the program's output directories again with probes in the roots alone, and gives the
/// command that runs with them; or why there is none.
///
/// `follow` says whether work is followed that roots hand to other threads. With few records a fast
/// clock is not worth the JVM flags that it takes, which change how a program starts: by default it
/// is `nano`.
///
/// With `check` each of them is held against its source before the command runs.
pub(super) fn prepare_roots_only(
    program: &JavaProgram,
    command: &[OsString],
    clock: &str,
    follow: bool,
    check: bool,
) -> Result<RootsOnlyOutput, NotApart> {
    let (Some((launcher, arguments)), true) = (command.split_first(), program.is_java) else {
        return Err("the command is not `java`".to_owned().into());
    };
    let class_path = std::env::var_os("CLASSPATH");
    let named = JavaCommand::parse(arguments, class_path.as_deref());
    if named.aot_cache || named.cds_archive {
        return Err("its CDS archive or AOT cache was made for the files that it names"
            .to_owned()
            .into());
    }
    let said = |error: anyhow::Error| format!("{error:#}");
    let (mut outputs, mut moved, mut folders) = (Vec::new(), Vec::new(), Vec::new());
    for (out, sidecar) in &program.outputs {
        let folder = folder_beside(out).map_err(said)?;
        let to = folder.path().to_owned();
        match rewrite_roots_only(out, sidecar, &to, Terms { hand_offs: follow, check })
            .map_err(said)?
        {
            Ok(again) => {
                outputs.push((to.clone(), again));
                moved.push(Moved::new(out, to).map_err(said)?);
                folders.push(folder);
            }
            Err(RootsOnlyUnavailable::NoRoots) => outputs.push((out.clone(), sidecar.clone())),
            Err(RootsOnlyUnavailable::Faults(text)) => return Err(NotApart::Faults(text)),
            Err(why) => return Err(why.to_string().into()),
        }
    }
    let other = |path: &Path| moved.iter().find_map(|it| it.path(path));
    if let Some(missed) = moved.iter().find(|it| !named.paths().any(|path| it.path(path).is_some()))
    {
        return Err(format!("the command does not name what is in {}", missed.out.display()).into());
    }
    let clock = if clock == "auto" { "nano" } else { clock };
    let alone = RootsOnlyCommand {
        command: std::iter::once(launcher.clone())
            .chain(JavaCommand::moved(arguments, &other))
            .collect(),
        class_path: class_path.map(|value| JavaCommand::moved_paths(&value, &other)),
        jvm_flags: program.flags_with(&outputs, clock == "nano").map_err(said)?,
        clock: Some(clock.to_owned()),
    };
    Ok(RootsOnlyOutput { alone, folders })
}

/// A folder beside an output directory, so that a program finds what it looks for beside its own;
/// or else where temporary files are. What a killed recorder left of it goes.
fn folder_beside(out: &Path) -> Result<Staging> {
    let out = out.canonicalize().map_err(|error| context(error, out, "cannot find"))?;
    let mut name = out.file_name().unwrap_or_default().to_owned();
    name.push("-roots");
    let temporary = std::env::temp_dir();
    Staging::directory(&out.with_file_name(&name))
        .or_else(|_| Staging::directory(&temporary.join(&name)))
        .map_err(|error| context(error, &temporary, "cannot create a folder in"))
}

/// An output directory that was written again.
struct Moved {
    out: PathBuf,
    to: PathBuf,
}

impl Moved {
    fn new(out: &Path, to: PathBuf) -> Result<Self> {
        let out = out.canonicalize().map_err(|error| context(error, out, "cannot find"))?;
        Ok(Self { out, to })
    }

    /// Where a class path's entry is now, if it lies in the directory or is it.
    fn path(&self, entry: &Path) -> Option<PathBuf> {
        let jars = entry.file_name() == Some(OsStr::new("*"));
        let found = if jars {
            entry.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."))
        } else {
            entry
        };
        let below = found.canonicalize().ok()?.strip_prefix(&self.out).ok()?.to_owned();
        let path = self.to.join(below);
        path.exists().then(|| if jars { path.join("*") } else { path })
    }
}
