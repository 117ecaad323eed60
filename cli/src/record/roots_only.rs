//! The command of roots-only runs: with roots-only class files, if they can be made.

use super::placement::JavaProgram;
use crate::{failure::context, messages};
use anyhow::Result;
use jfathom_archive::Staging;
use jfathom_collector::{JavaCommand, RootsOnlyCommand};
use jfathom_instrument::{Faults, RootsOnlyOptions, RootsOnlyUnavailable, rewrite_roots_only};
use jfathom_session::ClockChoice;
use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

/// The command, and the folders of its class files. They are removed with this value, unless a JVM
/// still runs from them.
pub(super) struct RootsOnlyOutput {
    pub(super) command: RootsOnlyCommand,
    folders: Vec<Staging>,
}

/// Why there are no roots-only class files.
#[derive(Debug)]
pub(super) enum NoRootsOnlyOutput {
    /// They cannot be made, or the command would not use them; it runs with its own class files.
    Unavailable(String),
    /// They are not their sources with probes.
    Faults(Faults),
}

impl From<String> for NoRootsOnlyOutput {
    fn from(reason: String) -> Self {
        Self::Unavailable(reason)
    }
}

impl Drop for RootsOnlyOutput {
    fn drop(&mut self) {
        for folder in self.folders.iter().filter(|folder| folder.is_used()) {
            let path = folder.path().display();
            // Nothing can be done if stderr is closed.
            let _ = messages::warn(&format!(
                "{path} stays, since a running process has its classes from there; the next such recording removes it\n"
            ));
        }
    }
}

/// Writes the program's output directories again with probes in the roots only, and returns the
/// command that runs with them.
///
/// `hand_offs` says whether the roots' hand-offs are followed. The default clock is `nano`: few
/// records do not repay a fast clock, whose JVM flags change how a program starts. With `check`, each
/// file is compared with its source before the command runs.
pub(super) fn prepare_roots_only(
    program: &JavaProgram,
    command: &[OsString],
    clock: ClockChoice,
    hand_offs: bool,
    check: bool,
) -> Result<RootsOnlyOutput, NoRootsOnlyOutput> {
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
    let text = |error: anyhow::Error| format!("{error:#}");
    let (mut outputs, mut moved, mut folders) = (Vec::new(), Vec::new(), Vec::new());
    let options = RootsOnlyOptions { hand_offs, check };
    for (out, sidecar) in &program.outputs {
        let folder = folder_beside(out).map_err(text)?;
        let to = folder.path().to_owned();
        match rewrite_roots_only(out, sidecar, &to, options).map_err(|error| text(error.into()))? {
            Ok(sidecar) => {
                outputs.push((to.clone(), sidecar));
                moved.push(Moved::new(out, to).map_err(text)?);
                folders.push(folder);
            }
            Err(RootsOnlyUnavailable::NoRoots) => outputs.push((out.clone(), sidecar.clone())),
            Err(RootsOnlyUnavailable::Faults(faults)) => {
                return Err(NoRootsOnlyOutput::Faults(faults));
            }
            Err(reason) => return Err(reason.to_string().into()),
        }
    }
    let other = |path: &Path| moved.iter().find_map(|output| output.path(path));
    let is_unused = |output: &&Moved| !named.paths().any(|path| output.path(path).is_some());
    if let Some(missed) = moved.iter().find(is_unused) {
        return Err(format!("the command does not name what is in {}", missed.out.display()).into());
    }
    let clock = if clock == ClockChoice::Auto { ClockChoice::Nano } else { clock };
    let command = RootsOnlyCommand {
        command: std::iter::once(launcher.clone())
            .chain(JavaCommand::moved(arguments, &other))
            .collect(),
        class_path: class_path.map(|value| JavaCommand::moved_paths(&value, &other)),
        jvm_flags: program.flags_with(&outputs, clock == ClockChoice::Nano).map_err(text)?,
        clock,
    };
    Ok(RootsOnlyOutput { command, folders })
}

/// A folder beside an output directory, so that a program finds files beside its own, else in the
/// temporary directory. Folders that a killed collector left are removed.
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

    /// The new path of a class path entry that is the directory or lies in it.
    fn path(&self, entry: &Path) -> Option<PathBuf> {
        let jars = entry.file_name() == Some(OsStr::new("*"));
        let found = if jars {
            entry.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
        } else {
            entry
        };
        let below = found.canonicalize().ok()?.strip_prefix(&self.out).ok()?.to_owned();
        let path = self.to.join(below);
        path.exists().then(|| if jars { path.join("*") } else { path })
    }
}
