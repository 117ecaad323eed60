//! User messages of all commands.

pub(crate) mod inspect;
pub(crate) mod merge;
pub(crate) mod plan;
pub(crate) mod record;
pub(crate) mod rewrite;
pub(crate) mod verify;

use crate::out;
use anyhow::Result;
use jfathom_archive::Notice;
use jfathom_instrument::{ObjectSource, Unnamed};
use jfathom_plan::{Skip, SkipReason};
use jfathom_report::number::{counted, grouped};
use std::{collections::BTreeMap, io::Write};

/// Prints to stdout.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = out::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Prints to stderr.
pub(crate) fn warn(text: &str) -> Result<()> {
    out::stderr().write_all(text.as_bytes())?;
    Ok(())
}

/// The number of skips with each reason, most frequent first.
pub(crate) fn by_reason<'a>(skips: impl Iterator<Item = &'a Skip>) -> Vec<(SkipReason, usize)> {
    let mut counts = BTreeMap::new();
    for skip in skips {
        *counts.entry(skip.reason).or_insert(0) += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

/// Options that add calls which the analysis cannot find.
const REMEDIES: &str = "--assume-called, --profile-use, --scheme total";

/// Notices shown without --verbose.
const NOTICES: usize = 50;

/// Appends the notices of the archive crate, one line each. Those that need no action (`is_known`)
/// and those after the first [`NOTICES`] are shown only if `verbose`.
pub(crate) fn notices(
    text: &mut String,
    notices: &[Notice],
    verbose: bool,
    is_known: impl Fn(&Notice) -> bool,
) {
    let shown: Vec<&Notice> =
        notices.iter().filter(|notice| verbose || !is_known(notice)).collect();
    let most = if verbose { usize::MAX } else { NOTICES };
    for notice in shown.iter().take(most) {
        put_line!(text, "jfathom: notice: {notice}");
    }
    if let Some(more) = shown.len().checked_sub(most).filter(|&more| more > 0) {
        put_line!(text, "jfathom: notice: and {} more (-v lists them)", grouped(more as u64));
    }
}

/// One line for a skip: `com.acme.Foo::run()V: huge-method-limit (8,012 bytes)`.
pub(crate) fn skip_line(skip: &Skip) -> String {
    let mut line = skip.class.replace('/', ".");
    if let Some(method) = &skip.method {
        line.push_str("::");
        line.push_str(method);
    }
    line.push_str(": ");
    line.push_str(skip.reason.name());
    if let Some(detail) = &skip.detail {
        line.push_str(&format!(" ({detail})"));
    }
    line
}

/// The methods whose instantiations virtual calls consider, after "classes instantiated in".
pub(crate) fn objects(objects: &ObjectSource) -> String {
    match objects {
        ObjectSource::Roots => "the root itself".to_owned(),
        ObjectSource::Program => "any method of the program".to_owned(),
        ObjectSource::Mains(entries) | ObjectSource::Entries(entries) => {
            let names: Vec<String> = entries.iter().take(3).map(|key| key.to_string()).collect();
            let more = entries.len().checked_sub(3).filter(|&more| more > 0);
            let more = more.map_or(String::new(), |more| format!(" and {more} more"));
            format!("{}{more} and the root", names.join(", "))
        }
    }
}

/// A warning about methods that load classes by names that are not in the inputs, one line per
/// element; empty if there are none.
pub(crate) fn unnamed(unnamed: &Unnamed) -> Vec<String> {
    let Some(first) = unnamed.methods.first() else { return Vec::new() };
    let more = match unnamed.methods.len() {
        1 => String::new(),
        many => format!(" and {}", counted(many - 1, "other method", "other methods")),
    };
    vec![
        format!(
            "{}::{}{more} may load any of {} by a name that is not in the inputs: their calls may be missing here",
            first.class.replace('/', "."),
            first.name,
            counted(unnamed.classes, "class", "classes"),
        ),
        "  (--profile-use PROFILE adds what a recording of everything saw, --assume-called SELECTOR what you name, --call-graph cha all that fits)"
            .to_owned(),
    ]
}

/// The words, quoted for a shell.
pub(crate) fn shell(words: &[impl AsRef<str>]) -> String {
    let plain = |word: &str| {
        !word.is_empty()
            && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c))
    };
    let quote = |word: &str| {
        if plain(word) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
    };
    words.iter().map(|word| quote(word.as_ref())).collect::<Vec<_>>().join(" ")
}
