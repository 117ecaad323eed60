//! Outputs held against their originals by readers that are not ours: the room `check`, with the
//! files that it is shown.

use crate::failure::{archive, context};
use anyhow::{Context, Result, bail};
use jfathom_archive::{Input, InputKind};
use jfathom_check::{Contract, Outcome};
use jfathom_report::number::counted;
use rayon::prelude::*;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

/// How many findings are listed without being asked for.
const LISTED: usize = 20;

/// Whether outputs are checked without being asked for: where `CI` is set, as services that build
/// and test programs do.
fn is_ci() -> bool {
    std::env::var_os("CI")
        .is_some_and(|value| !value.is_empty() && !value.eq_ignore_ascii_case("false"))
}

/// Whether what is rewritten is read back.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct Wanted {
    /// Read what is rewritten back with readers that are not jfathom's, before it is used or
    /// replaces anything (docs/checking.md); so it is where the environment has CI
    #[arg(long, overrides_with = "no_check")]
    check: bool,
    /// Read nothing back
    #[arg(long, overrides_with = "check")]
    no_check: bool,
}

impl Wanted {
    /// What the options say, or else the environment.
    pub(crate) fn is_wanted(self) -> bool {
        self.check || (!self.no_check && is_ci())
    }
}

/// Holds an output against its original, on so many threads, or on all cores. `original` is where
/// the original lies, `output` where the output can be read now. With `complete`, each method that
/// the manifest names must have its probes.
pub(crate) fn output(
    input: &Input,
    original: &Path,
    output: &Path,
    contract: &Contract<'_>,
    complete: bool,
    threads: Option<NonZeroUsize>,
) -> Result<Outcome> {
    let check = || match input.kind() {
        InputKind::Archive => {
            Ok(jfathom_check::archive(&read(original)?, &read(output)?, contract))
        }
        InputKind::Directory | InputKind::Module => directory(input, original, output, contract),
    };
    let mut outcome = match threads {
        None => check()?,
        Some(threads) => {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build();
            pool.context("cannot start the threads of the check")?.install(check)?
        }
    };
    if complete {
        outcome.faults.extend(contract.missing(&outcome));
    }
    Ok(outcome)
}

/// Holds a directory of classes, or the patch of a module, against its original.
///
/// The names of a directory's files come from the archive room, and so do the bytes of a module of
/// the JDK: nobody else reads images.
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
            (true, true) => input.read(name).map_err(archive)?,
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
        outcome.faults.push(jfathom_check::Finding {
            place: added.clone(),
            what: "was to be added, and is not there".into(),
        });
    }
    Ok(outcome)
}

/// All files below a directory that was written by us, so that there are no links in it, by their
/// names with `/`.
fn list(folder: &Path, prefix: String, files: &mut BTreeMap<String, PathBuf>) -> Result<()> {
    let entries = fs::read_dir(folder).map_err(|error| context(error, folder, "cannot read"))?;
    for entry in entries {
        let entry = entry.map_err(|error| context(error, folder, "cannot read"))?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let kind =
            entry.file_type().map_err(|error| context(error, &entry.path(), "cannot read"))?;
        match kind.is_dir() {
            true => list(&entry.path(), format!("{name}/"), files)?,
            false => drop(files.insert(name, entry.path())),
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|error| context(error, path, "cannot read"))
}

/// What is said of outputs that are right, or that were not checked as a whole: one sentence, and
/// what was not checked where that is asked for or fits.
pub(crate) fn summary(outcomes: &[(PathBuf, &Outcome)], verbose: bool) -> String {
    let sum =
        |of: fn(&Outcome) -> usize| outcomes.iter().map(|(_, outcome)| of(outcome)).sum::<usize>();
    let (equal, unchecked) =
        (sum(|outcome| outcome.equal), sum(|outcome| outcome.not_checked.len()));
    let mut text = String::new();
    let classes =
        counted(equal, "changed class is its original", "changed classes are their originals");
    let entries = counted(sum(|outcome| outcome.entries), "entry", "entries");
    put_line!(text, "checked by other readers: {entries}, {classes} without the probes");
    if unchecked > 0 {
        let hint = if verbose { "" } else { " (-v lists them)" };
        let what = counted(
            unchecked,
            "thing that these readers refuse was",
            "things that these readers refuse were",
        );
        put_line!(text, "{what} not checked{hint}");
    }
    for (path, outcome) in outcomes.iter().filter(|_| verbose) {
        for found in &outcome.not_checked {
            put_line!(text, "  {}!{found}: not checked", path.display());
        }
    }
    text
}

/// What is wrong with outputs: how much it is, and then one fault a line; nothing where nothing is.
pub(crate) fn faults(outcomes: &[(PathBuf, &Outcome)]) -> Option<String> {
    let faults: Vec<String> = outcomes
        .iter()
        .flat_map(|(path, outcome)| {
            outcome.faults.iter().map(move |found| format!("{}!{found}", path.display()))
        })
        .collect();
    if faults.is_empty() {
        return None;
    }
    let mut text = String::new();
    put_line!(
        text,
        "the check found {} in what was rewritten",
        counted(faults.len(), "fault", "faults")
    );
    for fault in faults.iter().take(LISTED) {
        put_line!(text, "  {fault}");
    }
    if faults.len() > LISTED {
        put_line!(text, "  and {} more", faults.len() - LISTED);
    }
    Some(text)
}

/// Fails if something is wrong with an output. `then` says what becomes of it.
pub(crate) fn refuse(outcomes: &[(PathBuf, &Outcome)], then: &str) -> Result<()> {
    match faults(outcomes) {
        Some(text) => bail!("{}\n  {then}", text.trim_end()),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_check::Finding;

    #[test]
    fn a_fault_in_one_output_is_an_error_with_its_place() {
        let fault = |number: usize| Finding {
            place: format!("a/B{number}.class"),
            what: "is lost".to_owned(),
        };
        let fine = Outcome { equal: 3, not_checked: vec![fault(0)], ..Outcome::default() };
        let outcomes =
            |wrong| [(PathBuf::from("out/a.jar"), &fine), (PathBuf::from("out/b.jar"), wrong)];
        assert!(refuse(&outcomes(&fine), "").is_ok(), "what is not checked is no fault");
        let wrong = Outcome { faults: (0..25).map(fault).collect(), ..Outcome::default() };
        let error = refuse(&outcomes(&wrong), "nothing was replaced").unwrap_err().to_string();
        let lines: Vec<&str> = error.lines().collect();
        assert_eq!(lines[0], "the check found 25 faults in what was rewritten");
        assert_eq!(lines[1], "  out/b.jar!a/B0.class: is lost");
        assert_eq!(lines[21..], ["  and 5 more", "  nothing was replaced"]);
    }
}
