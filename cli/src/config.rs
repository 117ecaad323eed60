//! The file `jfathom.toml`: options of `record` and `gate`, put into the command line.

use crate::failure::{context, usage};
use anyhow::Result;
use clap::{ArgMatches, Command, parser::ValueSource};
use jfathom_collector::Budget;
use jfathom_compare::{CallLimit, GrowthLimit, Limits, RatioLimit};
use jfathom_files::read_plain;
use jfathom_plan::Selector;
use serde::{Deserialize, Deserializer, de::Error as _};
use std::{
    ffi::OsString,
    fmt::Display,
    io::ErrorKind,
    marker::PhantomData,
    path::{Path, PathBuf},
    str::FromStr,
};

/// The file that is read from the current directory.
const NAME: &str = "jfathom.toml";
/// The value of `--config` for none.
const NO_FILE: &str = "none";
/// Bytes of a file; larger ones are refused.
const FILE_BYTES: u64 = 1 << 20;

/// Which file is read.
#[derive(Debug, clap::Args)]
pub(crate) struct ConfigArgs {
    /// Take options that the command line does not give from FILE, or from no file (none)
    /// [default: jfathom.toml in the current directory, if there is one]
    #[arg(long, value_name = "FILE|none")]
    config: Option<PathBuf>,
}

/// A command line with the options of a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Configured {
    /// The words; the first is the program's name.
    pub(crate) words: Vec<OsString>,
    /// What the file added, one sentence. None if nothing, and with --quiet.
    pub(crate) note: Option<String>,
}

/// Adds the file's options for the command to those of the command line, which wins: an option
/// given there is not taken from the file. `parser` is that of the whole command.
///
/// # Errors
/// Fails if a file is named and cannot be read, and if a file has an unknown key or a wrong value.
pub(crate) fn add_options(parser: Command, words: Vec<OsString>) -> Result<Configured> {
    let unchanged = |words| Ok(Configured { words, note: None });
    // Errors in the command line are found when the words are parsed.
    let Ok(given) = parser.ignore_errors(true).try_get_matches_from(&words) else {
        return unchanged(words);
    };
    let Some((command @ ("record" | "gate"), given)) = given.subcommand() else {
        return unchanged(words);
    };
    let named = given.try_get_one::<PathBuf>("config").ok().flatten().cloned();
    if named.as_deref() == Some(Path::new(NO_FILE)) || is_given(given, "adopt") {
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
fn parse(text: &str) -> Result<ConfigFile, String> {
    toml::from_str(text).map_err(|error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("{line}:{column}: {}", error.message())
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
    exclude: Vec<Text<Selector>>,
    budget: Option<Text<Budget>>,
}

/// Options of `gate`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct GateTable {
    include: Vec<Text<Selector>>,
    exclude: Vec<Text<Selector>>,
    max_calls: Option<Text<CallLimit>>,
    max_time: Option<Text<TimeLimit>>,
    max_alloc: Option<Text<TimeLimit>>,
    max_cpu: Option<Text<TimeLimit>>,
    max_growth: Option<Text<GrowthLimit>>,
    ratio: Vec<RatioTable>,
    strict: bool,
    sources: Vec<String>,
}

/// A limit on a ratio.
#[derive(Debug, Deserialize)]
#[serde(try_from = "RatioFields")]
struct RatioTable(RatioLimit);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RatioFields {
    of: Text<Selector>,
    per: Text<Selector>,
    max: f64,
}

impl TryFrom<RatioFields> for RatioTable {
    type Error = String;

    fn try_from(fields: RatioFields) -> Result<Self, String> {
        let text = format!("{}/{}={}", fields.of.text, fields.per.text, fields.max);
        text.parse().map(Self)
    }
}

/// A limit of time.
#[derive(Debug)]
struct TimeLimit;

impl FromStr for TimeLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Limits::time_of(text).map(|_| Self)
    }
}

/// A text that is a `T`.
#[derive(Debug)]
struct Text<T> {
    text: String,
    kind: PhantomData<T>,
}

impl<'de, T: FromStr<Err: Display>> Deserialize<'de> for Text<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        text.parse::<T>().map_err(D::Error::custom)?;
        Ok(Self { text, kind: PhantomData })
    }
}

impl RecordTable {
    fn options(&self, given: &ArgMatches) -> Vec<String> {
        let mut options = Vec::new();
        // Rewritten classes have their roots, and interleaved runs are of rewritten classes.
        let has_roots =
            ["root", "region", "rewritten", "baseline"].iter().any(|name| is_given(given, name));
        if !has_roots {
            push_all(&mut options, "root", &self.root);
        }
        if is_given(given, "root") || !options.is_empty() {
            for (name, selectors) in [("include", &self.include), ("exclude", &self.exclude)] {
                if !is_given(given, name) {
                    push_all(&mut options, name, selectors);
                }
            }
        }
        let budgets = ["budget", "roots_only"];
        if !budgets.iter().any(|name| is_given(given, name)) {
            push_all(&mut options, "budget", &self.budget);
        }
        options
    }
}

impl GateTable {
    fn options(&self, given: &ArgMatches) -> Vec<String> {
        let mut options = Vec::new();
        for (name, selectors) in [("include", &self.include), ("exclude", &self.exclude)] {
            if !is_given(given, name) {
                push_all(&mut options, name, selectors);
            }
        }
        // Three profiles are those of sizes, and have no baseline.
        if is_given(given, "more") || is_given(given, "max_growth") {
            if !is_given(given, "max_growth") {
                push_all(&mut options, "max-growth", &self.max_growth);
            }
        } else {
            self.push_limits(given, &mut options);
        }
        if self.strict && !is_given(given, "strict") {
            options.push("--strict".to_owned());
        }
        if !is_given(given, "sources") {
            options.extend(self.sources.iter().map(|folder| format!("--sources={folder}")));
        }
        options
    }

    /// The limits on one profile, or on two.
    fn push_limits(&self, given: &ArgMatches, options: &mut Vec<String>) {
        // One profile alone has no baseline, unless a directory has one.
        if is_given(given, "new") || is_given(given, "baseline_dir") {
            if !is_given(given, "max_calls") {
                push_all(options, "max-calls", &self.max_calls);
            }
            if !is_given(given, "max_time") {
                push_all(options, "max-time", &self.max_time);
            }
            if !is_given(given, "max_alloc") {
                push_all(options, "max-alloc", &self.max_alloc);
            }
            if !is_given(given, "max_cpu") {
                push_all(options, "max-cpu", &self.max_cpu);
            }
        }
        if !is_given(given, "max_ratio") {
            options.extend(self.ratio.iter().map(|ratio| format!("--max-ratio={}", ratio.0)));
        }
    }
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
