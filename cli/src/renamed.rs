//! Old names of commands and options, accepted for one version. A command line is translated before
//! it is parsed, so that help and errors have the new names only.

use clap::{Arg, Command};
use std::ffi::{OsStr, OsString};

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
    (&["record"], "--demote-after", "--demote-min-calls"),
    (&["record"], "--demote-below", "--demote-max-nanos"),
    (&["record"], "--demote-leaves", "--demote-max-callees"),
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
    ("--policy", "static", "--call-graph", "rta"),
    ("--policy", "total", "--scheme", "total"),
    ("--estimator", "sequences", "--estimator", "intervals"),
];

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
    let old = COMMANDS.iter().find(|(old, _)| name == *old);
    match old {
        Some((old, new)) => {
            translated.words.extend(new.iter().map(OsString::from));
            translated.note(old, &new.join(" "));
        }
        None => translated.words.push(name),
    }
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
            match word.to_str() {
                // The words behind belong to the recorded command.
                Some("--") => {
                    self.translated.words.push(word);
                    break;
                }
                Some(text) if text.starts_with("--") => self.long(text, &mut words),
                Some(text) if text.len() > 1 && text.starts_with('-') => {
                    let takes_next = self.takes_next(text);
                    self.translated.words.push(word);
                    self.translated.words.extend(words.by_ref().take(usize::from(takes_next)));
                }
                // An option with a value that is not UTF-8, or a value alone.
                None if word.as_encoded_bytes().starts_with(b"-") => {
                    self.translated.words.push(word);
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
    fn long(&mut self, text: &str, words: &mut impl Iterator<Item = OsString>) {
        let (old, inline) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        let command = self.command.get_name();
        if let ("plan", "--json", Some(file)) = (command, old, inline) {
            self.translated.words.push("--json".into());
            if file != "-" {
                self.translated.words.extend(["-o".into(), file.into()]);
            }
            self.translated.note("--json=FILE", "--json -o FILE");
            return;
        }
        let renamed =
            OPTIONS.iter().find(|(commands, name, _)| commands.contains(&command) && *name == old);
        let new = renamed.map_or(old, |(_, _, new)| new);
        let argument = self.command.get_arguments().find(|argument| is_named(argument, &new[2..]));
        let takes_next = inline.is_none() && argument.is_some_and(takes_next_word);
        let next = if takes_next { words.next() } else { None };
        let value = inline.map(OsStr::new).or(next.as_deref());
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
        match inline {
            Some(value) => self.translated.words.push(format!("{new}={value}").into()),
            None => self.translated.words.push(new.into()),
        }
        self.translated.words.extend(next);
        if new != old {
            self.translated.note(old, new);
        }
    }

    /// Whether short options take the next word as their value.
    fn takes_next(&self, text: &str) -> bool {
        for (at, letter) in text.char_indices().skip(1) {
            let mut arguments = self.command.get_arguments();
            match arguments.find(|argument| argument.get_short() == Some(letter)) {
                Some(argument) if argument.get_action().takes_values() => {
                    return at + letter.len_utf8() == text.len() && takes_next_word(argument);
                }
                Some(_) => {}
                None => return false,
            }
        }
        false
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
mod tests {
    use super::*;
    use crate::args::parser;

    fn translated(line: &str) -> (String, Vec<String>) {
        let words = std::iter::once("jfathom").chain(line.split(' ')).map(OsString::from);
        let Translated { words, notes } = translate(&parser(), words.collect());
        let words: Vec<_> = words.iter().skip(1).map(|word| word.to_str().unwrap()).collect();
        (words.join(" "), notes)
    }

    #[test]
    fn every_old_name_becomes_the_new_one() {
        for (old, new) in COMMANDS {
            let (line, notes) = translated(&format!("{old} a.jfp"));
            assert_eq!(line, format!("{} a.jfp", new.join(" ")));
            assert_eq!(notes, [format!("{old} is now {}", new.join(" "))]);
        }
        for (commands, old, new) in OPTIONS {
            for command in *commands {
                let (line, notes) = translated(&format!("{command} {old} cha"));
                assert_eq!(line, format!("{command} {new} cha"));
                assert_eq!(notes, [format!("{old} is now {new}")]);
                assert_eq!(
                    translated(&format!("{command} {old}=x")).0,
                    format!("{command} {new}=x")
                );
                let parser = parser();
                let command = parser.find_subcommand(command).unwrap();
                let is_known = |name: &str| command.get_arguments().any(|arg| is_named(arg, name));
                assert!(is_known(&new[2..]), "{new}");
                assert!(!is_known(&old[2..]), "{old}");
            }
        }
    }

    #[test]
    fn old_values_are_translated() {
        for (old, new) in [
            ("plan --policy static a.jar", "plan --call-graph rta a.jar"),
            ("plan --policy=total a.jar", "plan --scheme total a.jar"),
            ("plan --policy=cha a.jar", "plan --call-graph=cha a.jar"),
            ("rewrite --policy rta a.jar", "rewrite --call-graph rta a.jar"),
            ("report --estimator sequences", "report --estimator intervals"),
            ("plan --json=p.json a.jar", "plan --json -o p.json a.jar"),
            ("plan --json=- a.jar", "plan --json a.jar"),
        ] {
            assert_eq!(translated(old).0, new);
        }
    }

    #[test]
    fn words_of_others_stay() {
        for line in [
            "record -- java --ring 1M --only-root",
            "record -o --ring java --ring 1M",
            "record java --ring 1M",
            "record -qo --count java --count",
            "record --session-dir --ring java --ring",
            "rewrite --include --pin a.jar",
            "report --json",
            "report --live list",
            "verify -cp lib out",
            "nothing --only-root",
        ] {
            let (words, notes) = translated(line);
            assert_eq!(words, line);
            assert!(notes.is_empty(), "{notes:?}");
        }
        assert_eq!(
            translated("record -qo x --ring 1M java --ring 2M").0,
            "record -qo x --ring-size 1M java --ring 2M"
        );
    }

    #[test]
    fn a_note_is_printed_once() {
        let (_, notes) = translated("plan --also a --also b a.jar");
        assert_eq!(notes, ["--also is now --assume-called"]);
    }
}
