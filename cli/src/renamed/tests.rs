//! Command lines with old names.

use super::*;
use crate::args::parser;
use std::os::unix::ffi::OsStringExt;

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
            assert_eq!(translated(&format!("{command} {old}=x")).0, format!("{command} {new}=x"));
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
        ("plan --policy lazy a.jar", "plan --scheme lazy a.jar"),
        ("rewrite --policy=eager a.jar", "rewrite --scheme eager a.jar"),
        ("rewrite --policy rta a.jar", "rewrite --call-graph rta a.jar"),
        ("plan --json=p.json a.jar", "plan --json -o p.json a.jar"),
        ("plan --json=- a.jar", "plan --json a.jar"),
    ] {
        assert_eq!(translated(old).0, new);
    }
}

#[test]
fn what_the_budget_replaces_is_left_out() {
    for old in ["--demote-after 5", "--demote-min-calls=5", "--demote"] {
        let (line, notes) = translated(&format!("record {old} -f java --demote-after 5"));
        assert_eq!(line, "record -f java --demote-after 5");
        let name = old.split([' ', '=']).next().unwrap();
        assert_eq!(notes, [format!("{name} is now decided by --budget")]);
    }
}

#[test]
fn the_estimator_is_left_out() {
    for old in ["--estimator intervals", "--estimator=loops"] {
        let (line, notes) = translated(&format!("report {old} --tree a.jfp"));
        assert_eq!(line, "report --tree a.jfp");
        let note = "--estimator is now without effect: probe costs are of the calibration loops";
        assert_eq!(notes, [note]);
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

#[test]
fn help_on_an_old_command_is_help_on_the_new_one() {
    for (old, new, note) in [
        ("help list", "help ps", "list is now ps"),
        ("help mean", "help merge", "mean is now merge --as-series"),
        ("help agent", "help agent-path", "agent is now agent-path"),
    ] {
        assert_eq!(translated(old), (new.to_owned(), vec![note.to_owned()]));
    }
    for line in ["help", "help record", "help record list"] {
        assert_eq!(translated(line), (line.to_owned(), Vec::new()));
    }
}

#[test]
fn words_that_are_not_utf_8_pass() {
    // A question mark stands for a byte that is not UTF-8.
    let words = |line: &str| -> Vec<OsString> {
        let bytes = |word: &str| word.bytes().map(|b| if b == b'?' { 0xff } else { b }).collect();
        line.split(' ').map(|word| OsString::from_vec(bytes(word))).collect()
    };
    for (old, new) in [
        ("j ?", "j ?"),
        ("j help ?", "j help ?"),
        ("j plan --seen=? --pin", "j plan --profile-use=? --pin-probes"),
        ("j plan --seen ? --pin", "j plan --profile-use ? --pin-probes"),
        ("j plan --? --pin", "j plan --? --pin-probes"),
        ("j plan ? --pin", "j plan ? --pin-probes"),
        ("j plan --json=?", "j plan --json -o ?"),
        ("j record -qo --ring? --ring 1M", "j record -qo --ring? --ring-size 1M"),
        ("j record -o? --pin", "j record -o? --pin-probes"),
        ("j record -- ? --pin", "j record -- ? --pin"),
    ] {
        assert_eq!(translate(&parser(), words(old)).words, words(new));
    }
}
