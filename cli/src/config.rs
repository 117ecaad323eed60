//! The file `jfathom.toml`: options of `record` and `gate`, put into the command line.

use crate::{
    failure::{context, usage},
    gate::Limit,
};
use anyhow::Result;
use clap::{ArgMatches, Command, parser::ValueSource};
use jfathom_collector::Budget;
use jfathom_files::read_plain;
use jfathom_plan::{Problem, RootSelector, Selector};
use serde::{Deserialize, Deserializer, de::Error as _};
use std::{
    ffi::OsString,
    fmt::Display,
    io::ErrorKind,
    path::{Path, PathBuf},
    str::FromStr,
};

/// The file that is read from the current directory.
const NAME: &str = "jfathom.toml";
/// The environment variable that names another file, or none.
pub(crate) const VARIABLE: &str = "JFATHOM_CONFIG";
/// Its value for no file.
const NO_FILE: &str = "none";
/// Bytes of a file; larger ones are refused.
const FILE_BYTES: u64 = 1 << 20;

/// A command line with the options of a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Configured {
    /// The words; the first is the program's name.
    pub(crate) words: Vec<OsString>,
    /// What the file added, one sentence. None if nothing, and with --quiet.
    pub(crate) note: Option<String>,
}

/// Adds the file's options for the command to those of the command line, which wins: an option
/// given there is not taken from the file. `parser` is that of the whole command, `named` the file
/// of the environment. A process that another one of jfathom has started has all options.
///
/// # Errors
/// Fails if a file is named and cannot be read, and if a file has an unknown key or a wrong value.
pub(crate) fn add_options(
    parser: Command,
    words: Vec<OsString>,
    named: Option<PathBuf>,
) -> Result<Configured> {
    let unchanged = |words| Ok(Configured { words, note: None });
    // Errors in the command line are found when the words are parsed.
    let Ok(given) = parser.ignore_errors(true).try_get_matches_from(&words) else {
        return unchanged(words);
    };
    let Some((command @ ("record" | "gate"), given)) = given.subcommand() else {
        return unchanged(words);
    };
    if named.as_deref() == Some(Path::new(NO_FILE)) || is_given(given, "role") {
        return unchanged(words);
    }
    let path = named.clone().unwrap_or_else(|| NAME.into());
    let text = match read(&path) {
        Err(error) if named.is_none() && error.kind() == ErrorKind::NotFound => {
            return unchanged(words);
        }
        read => {
            read.map_err(|error| usage(format!("{:#}", context(error, &path, "cannot read"))))?
        }
    };
    let file = parse(&text).map_err(|error| usage(format!("{}:{error}", path.display())))?;
    let options = match command {
        "record" => file.record.options(given),
        _ => file.gate.options(given),
    };
    if options.is_empty() {
        return unchanged(words);
    }
    let note =
        (!is_given(given, "quiet")).then(|| format!("{}: {}", path.display(), options.join(" ")));
    let mut words = words.into_iter();
    // The program and the command.
    let mut all: Vec<OsString> = words.by_ref().take(2).collect();
    all.extend(options.into_iter().map(OsString::from));
    all.extend(words);
    Ok(Configured { words: all, note })
}

fn read(path: &Path) -> std::io::Result<String> {
    String::from_utf8(read_plain(path, FILE_BYTES)?).map_err(std::io::Error::other)
}

/// Whether the command line gives an argument.
fn is_given(given: &ArgMatches, argument: &str) -> bool {
    // An argument that the command does not have is not given.
    given.ids().any(|id| id.as_str() == argument)
        && given.value_source(argument) == Some(ValueSource::CommandLine)
}

/// Reads the text of a file. An error begins with its line and column.
fn parse(text: &str) -> Result<ConfigFile, Problem> {
    toml::from_str(text).map_err(|error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("{line}:{column}: {}", error.message()).into()
    })
}

/// The file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ConfigFile {
    record: RecordTable,
    gate: GateTable,
}

/// Options of `record`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct RecordTable {
    root: Vec<Text<Selector>>,
    include: Vec<Text<Selector>>,
    budget: Option<Text<Budget>>,
}

/// Options of `gate`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct GateTable {
    include: Vec<Text<Selector>>,
    max: Vec<Text<Limit>>,
    strict: bool,
    sources: Vec<String>,
}

/// A text that is a `T`.
#[derive(Debug)]
struct Text<T> {
    text: String,
    value: T,
}

impl<'de, T: FromStr<Err: Display>> Deserialize<'de> for Text<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let value = text.parse().map_err(D::Error::custom)?;
        Ok(Self { text, value })
    }
}

impl RecordTable {
    fn options(&self, given: &ArgMatches) -> Vec<String> {
        let mut options = Vec::new();
        // Rewritten classes have their roots, and interleaved runs are of rewritten classes.
        let has_roots = has_region(given)
            || ["root", "rewritten", "baseline"].iter().any(|name| is_given(given, name));
        if !has_roots {
            push_all(&mut options, "root", &self.root);
        }
        let has_root = is_given(given, "root") || !options.is_empty();
        if has_root && !is_given(given, "include") {
            push_all(&mut options, "include", &self.include);
        }
        if !is_given(given, "budget") {
            push_all(&mut options, "budget", &self.budget);
        }
        options
    }
}

/// Whether --include has a region, which is the root if nothing else is.
fn has_region(given: &ArgMatches) -> bool {
    let include = given.get_many::<RootSelector>("include").into_iter().flatten();
    include.into_iter().any(|selector| matches!(selector, RootSelector::Region(_)))
}

impl GateTable {
    fn options(&self, given: &ArgMatches) -> Vec<String> {
        let mut options = Vec::new();
        if !is_given(given, "include") {
            push_all(&mut options, "include", &self.include);
        }
        push_all(&mut options, "max", self.max.iter().filter(|limit| is_due(&limit.value, given)));
        if self.strict && !is_given(given, "strict") {
            options.push("--strict".to_owned());
        }
        if !is_given(given, "sources") {
            options.extend(self.sources.iter().map(|folder| format!("--sources={folder}")));
        }
        options
    }
}

/// Whether a limit of the file is one on the profiles of the command line, which does not limit the
/// same itself.
fn is_due(limit: &Limit, given: &ArgMatches) -> bool {
    let own = given.get_many::<Limit>("max").into_iter().flatten();
    let mut names = own.map(Limit::name);
    // Three profiles are those of sizes, and have no baseline.
    let is_growth = matches!(limit, Limit::Growth(_));
    let are_sizes = is_given(given, "more") || names.clone().any(|name| name == "growth");
    // One profile alone has no baseline, unless a directory has one.
    let has_baseline = is_given(given, "new") || is_given(given, "baseline_dir");
    is_growth == are_sizes
        && (has_baseline || !limit.needs_baseline())
        && !names.any(|name| name == limit.name())
}

fn push_all<'a, T: 'a>(
    options: &mut Vec<String>,
    name: &str,
    texts: impl IntoIterator<Item = &'a Text<T>>,
) {
    options.extend(texts.into_iter().map(|text| format!("--{name}={}", text.text)));
}

#[cfg(test)]
mod tests;
