//! The options of a command line, as words for the same command on another machine.

use clap::{ArgMatches, Id, parser::ValueSource};
use std::ffi::OsString;

/// Arguments that mean something here: `jfathom.toml` is among the words already. The recorded
/// command is no option.
const LOCAL: [&str; 5] = ["address", "command", "force", "output", "role"];

/// The options that were given, without those for this machine. A value stands in the word of its
/// option, so that it may begin with `-`.
pub(super) fn options(given: &ArgMatches) -> Vec<OsString> {
    let is_group = |id: &str| given.try_get_many::<Id>(id).is_ok();
    let is_given = |id: &str| given.value_source(id) == Some(ValueSource::CommandLine);
    let ids = given.ids().map(Id::as_str);
    let passed_on = ids.filter(|id| !LOCAL.contains(id) && !is_group(id) && is_given(id));
    let mut words = Vec::new();
    for id in passed_on {
        let flag = OsString::from(format!("--{}", id.replace('_', "-")));
        if given.try_get_many::<bool>(id).is_ok() {
            words.push(flag);
            continue;
        }
        for value in given.get_raw(id).into_iter().flatten() {
            let mut word = flag.clone();
            word.push("=");
            word.push(value);
            words.push(word);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Args;
    use clap::{Args as _, Command};

    fn options_of(words: &[&str]) -> Vec<OsString> {
        let command = Args::augment_args(Command::new("record"));
        let all = [&["record", "--on", "ssh://build"], words].concat();
        let given = command.try_get_matches_from(all).unwrap_or_else(|error| panic!("{error}"));
        let mut options = options(&given);
        options.sort();
        options
    }

    #[test]
    fn options_have_the_names_of_their_fields() {
        for argument in Args::augment_args(Command::new("record")).get_arguments() {
            let id = argument.get_id().as_str();
            if !LOCAL.contains(&id) {
                assert_eq!(argument.get_long(), Some(&*id.replace('_', "-")));
            }
        }
    }

    #[test]
    fn what_is_for_this_machine_stays_here() {
        let words = ["-fqo", "p.jfp", "--", "java", "-o", "x", "--on"];
        assert_eq!(options_of(&words), ["--quiet"]);
        assert_eq!(options_of(&["--output=p.jfp", "java"]), [""; 0]);
    }

    #[test]
    fn every_other_option_goes_there() {
        let words = ["--root=a.B::c", "-d", "30s", "--root", "!a.B::d", "-p", "4711", "--label"];
        let all = options_of(&[&words[..], &["k=-it's a $x"]].concat());
        let pair = ["--root=!a.B::d", "--root=a.B::c"];
        assert_eq!(
            all,
            [&["--duration=30s", "--label=k=-it's a $x", "--pid=4711"][..], &pair].concat()
        );
        // The last one overrides the first.
        let words = ["--anchor", "--anchor=never", "--rewritten", "out", "--runs=3", "java"];
        assert_eq!(options_of(&words), ["--anchor=never", "--rewritten=out", "--runs=3"]);
    }
}
