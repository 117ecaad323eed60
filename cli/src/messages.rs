//! What the commands say.

pub(crate) mod inspect;
pub(crate) mod plan;
pub(crate) mod rewrite;
pub(crate) mod verify;

use crate::select::Objects;
use anyhow::Result;
use jfathom_plan::{Skip, SkipReason};
use std::{collections::BTreeMap, io::Write};

/// Prints to stdout.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Prints to stderr.
pub(crate) fn warn(text: &str) -> Result<()> {
    std::io::stderr().lock().write_all(text.as_bytes())?;
    Ok(())
}

/// How often each reason stands in `skips`, most frequent first.
pub(crate) fn by_reason<'a>(skips: impl Iterator<Item = &'a Skip>) -> Vec<(SkipReason, usize)> {
    let mut counts = BTreeMap::new();
    for skip in skips {
        *counts.entry(skip.reason).or_insert(0) += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
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

/// Who made the objects that roots find: goes on behind "objects".
pub(crate) fn objects(objects: &Objects) -> String {
    match objects {
        Objects::Roots => "that the root itself makes".to_owned(),
        Objects::Program => "that any method of the program makes".to_owned(),
        Objects::Entries(entries) => {
            let names: Vec<String> = entries.iter().take(3).map(|key| key.to_string()).collect();
            let more = entries.len().checked_sub(3).filter(|&more| more > 0);
            let more = more.map_or(String::new(), |more| format!(" and {more} more"));
            format!("that {}{more} and the root make", names.join(", "))
        }
    }
}

/// The words as a shell takes them.
pub(crate) fn shell(words: &[impl AsRef<str>]) -> String {
    let plain =
        |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c));
    let quote = |word: &str| if plain(word) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) };
    words.iter().map(|word| quote(word.as_ref())).collect::<Vec<_>>().join(" ")
}
