//! The command for runs in which the roots alone are timed: with class files that have no other probes, where that is possible.

use super::placement::Program;
use crate::{
    failure::context,
    rewrite::{NotAlone, roots_alone},
};
use anyhow::Result;
use jfathom_collector::{Alone, JavaCommand};
use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};
use tempfile::TempDir;

/// The command, and the folder with what it runs: there as long as this is.
pub(super) struct Apart {
    pub(super) alone: Alone,
    _folder: TempDir,
}

/// Writes the program's output directories again with probes in the roots alone, and gives the command that runs with them; or
/// why there is none.
///
/// With few records a fast clock is not worth the JVM flags that it takes, which change how a program starts: by default it is `nano`.
pub(super) fn apart(program: &Program, command: &[OsString], clock: &str) -> Result<Result<Apart, String>> {
    let clock = if clock == "auto" { "nano" } else { clock };
    let (Some((launcher, arguments)), true) = (command.split_first(), program.is_java) else {
        return Ok(Err("the command is not `java`".to_owned()));
    };
    let temporary = std::env::temp_dir();
    let folder = tempfile::Builder::new()
        .prefix("jfathom-roots-")
        .tempdir()
        .map_err(|error| context(error, &temporary, "cannot create a folder in"))?;
    let (mut outputs, mut moved) = (Vec::new(), Vec::new());
    for (number, (out, sidecar)) in program.outputs.iter().enumerate() {
        let to = folder.path().join(number.to_string());
        std::fs::create_dir(&to).map_err(|error| context(error, &to, "cannot create"))?;
        match roots_alone(out, sidecar, &to)? {
            Ok(again) => {
                outputs.push((to.clone(), again));
                moved.push(Moved::new(out, to)?);
            }
            Err(NotAlone::NoRoots) => outputs.push((out.clone(), sidecar.clone())),
            Err(why) => return Ok(Err(why.to_string())),
        }
    }
    let other = |path: &Path| moved.iter().find_map(|it| it.path(path));
    let class_path = std::env::var_os("CLASSPATH");
    let named = JavaCommand::parse(arguments, class_path.as_deref());
    if let Some(missed) = moved.iter().find(|it| !named.paths().any(|path| it.path(path).is_some())) {
        return Ok(Err(format!("the command does not name what is in {}", missed.out.display())));
    }
    let alone = Alone {
        command: std::iter::once(launcher.clone()).chain(JavaCommand::moved(arguments, &other)).collect(),
        class_path: class_path.map(|value| JavaCommand::moved_paths(&value, &other)),
        jvm_flags: program.flags_with(&outputs, clock == "nano")?,
        clock: Some(clock.to_owned()),
    };
    Ok(Ok(Apart { alone, _folder: folder }))
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
        let found =
            if jars { entry.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new(".")) } else { entry };
        let below = found.canonicalize().ok()?.strip_prefix(&self.out).ok()?.to_owned();
        let path = self.to.join(below);
        path.exists().then(|| if jars { path.join("*") } else { path })
    }
}
