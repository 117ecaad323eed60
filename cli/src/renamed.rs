//! Old names of commands and options, accepted for one version. A command line is translated before
//! it is parsed, so that help and errors have the new names only.

use clap::{Arg, Command};
use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::OsStrExt,
};

/// Old commands with the words that replace them.
const COMMANDS: &[(&str, &[&str])] = &[
    ("agent", &["agent-path"]),
    ("list", &["ps"]),
    ("mean", &["merge", "--as-series"]),
    ("min", &["merge", "--minimum"]),
];

/// Commands with old options and their new names.
const OPTIONS: &[(&[&str], &str, &str)] = &[
    (&["calibrate", "verify"], "--java", "--java-home"),
    (&["gate"], "--only", "--include"),
    (&["plan", "rewrite"], "--also", "--assume-called"),
    (&["plan", "rewrite"], "--entry", "--entry-point"),
    (&["plan", "rewrite"], "--jdk", "--java-home"),
    (&["plan", "rewrite"], "--policy", "--call-graph"),
    (&["plan", "rewrite"], "--seen", "--profile-use"),
    (&["plan", "record", "rewrite"], "--jdk-methods", "--include-jdk"),
    (&["plan", "record", "rewrite"], "--pin", "--pin-probes"),
    (&["record"], "--base", "--baseline"),
    (&["record"], "--base-command", "--baseline-command"),
    (&["record"], "--count", "--count-only"),
    (&["record"], "--keep-session", "--keep-session-dir"),
    (&["record"], "--only-root", "--roots-only"),
    (&["record"], "--ring", "--ring-size"),
    (&["record"], "--via-env", "--use-java-tool-options"),
    (&["report"], "--flame", "--flamegraph"),
    (&["report"], "--hot", "--methods"),
    (&["report"], "--virtual", "--virtual-threads"),
];

/// Options with old values, and what replaces both.
const VALUES: &[(&str, &str, &str, &str)] = &[
    ("--policy", "eager", "--scheme", "eager"),
    ("--policy", "lazy", "--scheme", "lazy"),
    ("--policy", "static", "--call-graph", "rta"),
    ("--policy", "total", "--scheme", "total"),
];

/// The option of `report` that chose the source of the probe costs. It had a value.
const ESTIMATOR: &str = "--estimator";

/// Prefix of the options of `record` that --budget replaces. All have a value, except the bare
/// word.
const DEMOTE: &str = "--demote";

/// A command line with new names.
pub(crate) struct Translated {
    /// The words; the first is the program's name.
    pub(crate) words: Vec<OsString>,
    /// One sentence per old name: `--only-root is now --roots-only`.
    pub(crate) notes: Vec<String>,
}

/// Replaces old names in the words of a command line. `root` is the parser of the whole command.
pub(crate) fn translate(root: &Command, words: Vec<OsString>) -> Translated {
    let mut words = words.into_iter();
    let mut translated = Translated { words: words.by_ref().take(1).collect(), notes: Vec::new() };
    let Some(name) = words.next() else { return translated };
    if name == "help" {
        translated.words.push(name);
        let topic = words.next();
        topic.into_iter().for_each(|topic| translated.command(topic, 1));
        translated.words.extend(words);
        return translated;
    }
    translated.command(name, usize::MAX);
    let command = translated.words[1].to_str().and_then(|name| root.find_subcommand(name));
    match command {
        Some(command) => Translator { command, translated }.options(words),
        None => {
            translated.words.extend(words);
            translated
        }
    }
}

impl Translated {
    /// Adds the name of a command, or at most this many of the words that replace it.
    fn command(&mut self, name: OsString, most: usize) {
        match COMMANDS.iter().find(|(old, _)| name == *old) {
            Some((old, new)) => {
                self.words.extend(new.iter().take(most).map(OsString::from));
                self.note(old, &new.join(" "));
            }
            None => self.words.push(name),
        }
    }

    fn note(&mut self, old: &str, new: &str) {
        let note = format!("{old} is now {new}");
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

/// Goes through the words of one subcommand as its parser does.
struct Translator<'a> {
    command: &'a Command,
    translated: Translated,
}

impl Translator<'_> {
    fn options(mut self, mut words: impl Iterator<Item = OsString>) -> Translated {
        while let Some(word) = words.next() {
            match word.as_bytes() {
                // The words behind belong to the recorded command.
                b"--" => {
                    self.translated.words.push(word);
                    break;
                }
                [b'-', b'-', ..] => self.long(&word, &mut words),
                [b'-', letters @ ..] if !letters.is_empty() => {
                    let takes_next = self.takes_next(letters);
                    self.translated.words.push(word);
                    self.translated.words.extend(words.by_ref().take(usize::from(takes_next)));
                }
                _ => {
                    self.translated.words.push(word);
                    if self.command.get_positionals().any(Arg::is_trailing_var_arg_set) {
                        break;
                    }
                }
            }
        }
        self.translated.words.extend(words);
        self.translated
    }

    /// A long option with its value.
    fn long(&mut self, word: &OsStr, words: &mut impl Iterator<Item = OsString>) {
        let (old, inline) = split_value(word);
        // No option has a name that is not text.
        let Some(old) = old.to_str() else { return self.translated.words.push(word.to_owned()) };
        let command = self.command.get_name();
        if let ("plan", "--json", Some(file)) = (command, old, inline) {
            self.translated.words.push("--json".into());
            if file != "-" {
                self.translated.words.extend(["-o".into(), file.to_owned()]);
            }
            self.translated.note("--json=FILE", "--json -o FILE");
            return;
        }
        if command == "record" && old.starts_with(DEMOTE) {
            if inline.is_none() && old != DEMOTE {
                words.next();
            }
            self.translated.note(old, "decided by --budget");
            return;
        }
        if command == "report" && old == ESTIMATOR {
            if inline.is_none() {
                words.next();
            }
            self.translated.note(old, "without effect: probe costs are of the calibration loops");
            return;
        }
        let renamed =
            OPTIONS.iter().find(|(commands, name, _)| commands.contains(&command) && *name == old);
        let new = renamed.map_or(old, |(_, _, new)| new);
        let argument = self.command.get_arguments().find(|argument| is_named(argument, &new[2..]));
        let takes_next = inline.is_none() && argument.is_some_and(takes_next_word);
        let next = if takes_next { words.next() } else { None };
        let value = inline.or(next.as_deref());
        let of_value = VALUES.iter().find(|(name, from, ..)| {
            (renamed.is_some() || argument.is_some())
                && *name == old
                && value.is_some_and(|value| value == *from)
        });
        if let Some((_, from, option, to)) = of_value {
            self.translated.words.extend([OsString::from(option), OsString::from(to)]);
            self.translated.note(&format!("{old} {from}"), &format!("{option} {to}"));
            return;
        }
        let mut translated = OsString::from(new);
        if let Some(value) = inline {
            translated.push("=");
            translated.push(value);
        }
        self.translated.words.push(translated);
        self.translated.words.extend(next);
        if new != old {
            self.translated.note(old, new);
        }
    }

    /// Whether short options take the next word as their value.
    fn takes_next(&self, letters: &[u8]) -> bool {
        for (at, letter) in letters.iter().enumerate() {
            let mut arguments = self.command.get_arguments();
            let is_named = |argument: &&Arg| argument.get_short() == Some(char::from(*letter));
            match arguments.find(is_named) {
                Some(argument) if argument.get_action().takes_values() => {
                    return at + 1 == letters.len() && takes_next_word(argument);
                }
                Some(_) => {}
                None => return false,
            }
        }
        false
    }
}

/// The name of a long option, and its value behind `=`.
fn split_value(word: &OsStr) -> (&OsStr, Option<&OsStr>) {
    let bytes = word.as_bytes();
    match bytes.iter().position(|&byte| byte == b'=') {
        Some(at) => (OsStr::from_bytes(&bytes[..at]), Some(OsStr::from_bytes(&bytes[at + 1..]))),
        None => (word, None),
    }
}

fn is_named(argument: &Arg, name: &str) -> bool {
    let mut aliases = argument.get_all_aliases().into_iter().flatten();
    argument.get_long() == Some(name) || aliases.any(|alias| alias == name)
}

fn takes_next_word(argument: &Arg) -> bool {
    argument.get_action().takes_values() && !argument.is_require_equals_set()
}

#[cfg(test)]
mod tests;
