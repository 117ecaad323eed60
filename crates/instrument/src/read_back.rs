//! Outputs read back by readers that are not ours, and compared with their originals: the crate
//! `check`, with the files that it is about.

use crate::error::{Result, at};
use jfathom_archive::{Input, InputKind};
use jfathom_check::{Contract, Finding, Outcome};
use jfathom_plan::printable;
use rayon::prelude::*;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, fs,
    path::{Path, PathBuf},
};

/// Faults that are listed one by one.
const LISTED: usize = 20;

/// An output that was read back.
#[derive(Clone, Debug)]
pub struct ReadBack {
    /// The output.
    pub path: PathBuf,
    /// How it compares with its original.
    pub outcome: Outcome,
}

/// What is wrong with outputs. The text has their number, and then one fault a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults(Vec<String>);

impl Faults {
    /// The faults of outputs, each with its place; `None` if there are none.
    pub fn of<'a>(outputs: impl IntoIterator<Item = &'a ReadBack>) -> Option<Self> {
        let mut faults = Vec::new();
        for ReadBack { path, outcome } in outputs {
            faults.extend(outcome.faults.iter().map(|found| format!("{}!{found}", path.display())));
        }
        (!faults.is_empty()).then_some(Self(faults))
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faults = if self.0.len() == 1 { "fault" } else { "faults" };
        write!(f, "the check found {} {faults} in what was rewritten", self.0.len())?;
        for fault in self.0.iter().take(LISTED) {
            write!(f, "\n  {}", printable(fault))?;
        }
        match self.0.len().checked_sub(LISTED) {
            None | Some(0) => Ok(()),
            Some(more) => write!(f, "\n  and {more} more"),
        }
    }
}

/// Compares an output with its original. `original` is the
/// file of the original, `output` the file in which the output lies now. With `complete`, each
/// method that the manifest names must have its probes.
pub(crate) fn compare(
    input: &Input,
    original: &Path,
    output: &Path,
    contract: &Contract<'_>,
    complete: bool,
) -> Result<Outcome> {
    let mut outcome = match input.kind() {
        InputKind::Archive => jfathom_check::archive(&read(original)?, &read(output)?, contract),
        InputKind::Directory | InputKind::Module => directory(input, original, output, contract)?,
    };
    if complete {
        outcome.faults.extend(contract.missing(&outcome));
    }
    Ok(outcome)
}

/// Compares a directory of classes, or the patch of a module, with its original.
///
/// The archive crate gives the names of a directory's files and the bytes of a JDK module: no other
/// reader reads images.
fn directory(
    input: &Input,
    original: &Path,
    output: &Path,
    contract: &Contract<'_>,
) -> Result<Outcome> {
    let mut files = BTreeMap::new();
    list(output, String::new(), &mut files)?;
    let is_patch = input.kind() == InputKind::Module;
    let names: BTreeSet<&str> = input.names().filter_map(|name| name.as_str()).collect();
    let all: BTreeSet<&str> = match is_patch {
        true => files.keys().map(String::as_str).collect(),
        false => files.keys().map(String::as_str).chain(names.iter().copied()).collect(),
    };
    let one = |name: &&str| -> Result<Outcome> {
        let before = match (names.contains(name), is_patch) {
            (false, _) => None,
            (true, true) => input.read(name)?,
            (true, false) => Some(read(&original.join(name))?),
        };
        let after = files.get(*name).map(|path| read(path)).transpose()?;
        Ok(jfathom_check::entry(name, before.as_deref(), after.as_deref(), contract, false))
    };
    let all: Vec<&str> = all.into_iter().collect();
    let rows: Vec<Outcome> = all.par_iter().map(one).collect::<Result<_>>()?;
    let mut outcome = Outcome::default();
    rows.into_iter().for_each(|row| outcome.absorb(row));
    for (added, _) in contract.added().iter().filter(|(added, _)| !files.contains_key(added)) {
        outcome
            .faults
            .push(Finding { place: added.clone(), what: "was to be added, and is missing".into() });
    }
    Ok(outcome)
}

/// All files below a directory, by their names with `/`. We wrote it, so that it has no links.
fn list(folder: &Path, prefix: String, files: &mut BTreeMap<String, PathBuf>) -> Result<()> {
    let entries = fs::read_dir(folder).map_err(at(folder, "cannot read"))?;
    for entry in entries {
        let entry = entry.map_err(at(folder, "cannot read"))?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type().map_err(at(&entry.path(), "cannot read"))?;
        match kind.is_dir() {
            true => list(&entry.path(), format!("{name}/"), files)?,
            false => drop(files.insert(name, entry.path())),
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>> {
    jfathom_files::read_plain(path, u64::MAX).map_err(at(path, "cannot read"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_listed_with_their_places() {
        let fault = |number: usize| Finding {
            place: format!("a/B{number}.class"),
            what: "is lost".to_owned(),
        };
        let clean = Outcome { equal: 3, not_checked: vec![fault(0)], ..Outcome::default() };
        let outputs = |second: Outcome| {
            let row = |path: &str, outcome| ReadBack { path: PathBuf::from(path), outcome };
            [row("out/a.jar", clean.clone()), row("out/b.jar", second)]
        };
        assert_eq!(Faults::of(&outputs(clean.clone())), None, "what is not checked is no fault");
        let wrong = Outcome { faults: (0..25).map(fault).collect(), ..Outcome::default() };
        let text = Faults::of(&outputs(wrong)).unwrap().to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "the check found 25 faults in what was rewritten");
        assert_eq!(lines[1], "  out/b.jar!a/B0.class: is lost");
        assert_eq!(lines[21..], ["  and 5 more"]);
    }
}
