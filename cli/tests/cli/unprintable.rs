//! Names that would do something to a terminal: a program whose class, method, source and thread
//! names, entry names and arguments hold every kind of such character goes through every command.

use super::support::*;
use jfathom_archive::ManifestEdit;
use jfathom_testkit::Javac;
use std::{
    fs,
    io::{BufRead, BufReader},
    process::{Command, Stdio},
    sync::OnceLock,
};

/// What JVMS 4.2.2 allows in a name: controls of all kinds, marks that turn the text around, what
/// shows nothing. With a mark at each end, so that what was dropped shows.
const NASTY: &str = "Q\u{1b}]0;x\u{7}\u{1}\u{8}\u{d}\u{a}jfathom: fine\u{b}\u{c}\u{7f}\u{85}\u{9b}2J\u{ad}\u{61c}\u{200b}\u{200d}\
                     \u{200e}\u{200f}\u{2028}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2060}\u{2066}\u{2067}\u{2068}\u{2069}\u{feff}Z";
/// The same without what ends a type or a name (JVMS 4.2.2), as a class file has it.
fn nasty() -> String {
    NASTY.replace([';', '[', '/', '.'], "")
}

/// What a person is shown of it.
const SHOWN: &str = r"Q\u001b]0x\u0007\u0001\u0008\u000d\u000ajfathom: fine\u000b\u000c\u007f\u0085\u009b2J\u00ad\u061c\u200b\u200d";

const SOURCE: &str = r#"
package acme;

public class Xclass {
    static int xmethod(Xclass of, int n) { return n < 2 ? n : xmethod(of, n - 1) + xmethod(of, n - 2); }
    static void run() { xmethod(null, 5); }
}

class Main {
    public static void main(String[] args) throws Exception {
        Thread thread = new Thread(Xclass::run, "Xclass");
        thread.start();
        thread.join();
        if (args.length > 0) { System.out.println("ready"); System.in.read(); }
    }
}
"#;

/// The class file with other texts in its constant pool (JVMS 4.4).
fn renamed(class: &[u8], rename: impl Fn(&str) -> String) -> Vec<u8> {
    let count = u16::from_be_bytes([class[8], class[9]]);
    let mut out = class[..10].to_vec();
    let (mut at, mut index) = (10, 1);
    while index < count {
        let size = match class[at] {
            1 => {
                let end = at + 3 + usize::from(u16::from_be_bytes([class[at + 1], class[at + 2]]));
                let text = rename(std::str::from_utf8(&class[at + 3..end]).unwrap());
                out.push(1);
                out.extend((text.len() as u16).to_be_bytes());
                out.extend(text.as_bytes());
                at = end;
                index += 1;
                continue;
            }
            7 | 8 | 16 | 19 | 20 => 3,
            15 => 4,
            5 | 6 => 9,
            _ => 5,
        };
        out.extend(&class[at..at + size]);
        at += size;
        index += if size == 9 { 2 } else { 1 };
    }
    out.extend(&class[at..]);
    out
}

/// `app.jar`, with the program.
fn app() -> &'static [u8] {
    static APP: OnceLock<Vec<u8>> = OnceLock::new();
    APP.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("Xclass.java"), SOURCE).unwrap();
        Javac::release(11).compile(&[folder.path().join("Xclass.java")], folder.path());
        let class = |name: &str| {
            let class = fs::read(folder.path().join(format!("acme/{name}.class"))).unwrap();
            renamed(&class, |text| text.replace("Xclass", &nasty()).replace("xmethod", &nasty()))
        };
        let (nasty, main) = (format!("acme/{}.class", nasty()), "acme/Main.class".to_owned());
        let entries =
            [(main, class("Main")), (nasty, class("Xclass")), (format!("{NASTY}.txt"), Vec::new())];
        jar(&[ManifestEdit::set("Class-Path", "no\u{1b}where.jar")], &entries)
    })
}

/// A text in which nothing is but what shows itself, and line ends.
#[track_caller]
fn assert_shows_itself(text: &str) {
    let is_bad = |c: char| {
        c != '\n' && c.is_control()
            || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
            || matches!(c, '\u{2060}'..='\u{2069}' | '\u{feff}')
    };
    let bad: Vec<char> = text.chars().filter(|c| is_bad(*c)).collect();
    assert!(bad.is_empty(), "{bad:?} in {text:?}");
    assert!(
        !text.lines().any(|line| line.starts_with("jfathom: fine")),
        "a name begins a line: {text}"
    );
}

#[track_caller]
fn shown(place: &Place, arguments: &[&str]) -> Answer {
    let answer = place.jfathom(arguments);
    assert_shows_itself(&answer.out);
    assert_shows_itself(&answer.err);
    answer
}

/// All strings of a JSON document, keys too.
fn strings(value: &serde_json::Value, to: &mut Vec<String>) {
    match value {
        serde_json::Value::String(text) => to.push(text.clone()),
        serde_json::Value::Array(items) => items.iter().for_each(|item| strings(item, to)),
        serde_json::Value::Object(items) => items.iter().for_each(|(key, item)| {
            to.push(key.clone());
            strings(item, to);
        }),
        _ => {}
    }
}

/// Holds that the command's JSON can be read, and has the name as it is.
#[track_caller]
fn has_the_name(place: &Place, arguments: &[&str]) {
    let answer = shown(place, arguments).fine();
    let mut all = Vec::new();
    strings(&serde_json::from_str(&answer.out).unwrap(), &mut all);
    assert!(all.iter().any(|text| text.contains(&nasty())), "{}", answer.out);
}

#[test]
fn no_command_sends_a_name_to_the_terminal_as_it_is() {
    let place = Place::new();
    place.write("app.jar", app());
    let java = java_home().join("bin/java").display().to_string();

    shown(&place, &["plan", "app.jar", "-v"]).fine();
    let rooted = ["plan", "app.jar", "-v", "--root", "acme.*::run", "--why", "acme.*::*"];
    shown(&place, &rooted).fine().says(&[SHOWN, "why acme."]);
    has_the_name(&place, &["plan", "app.jar", "--json"]);
    shown(&place, &["plan", "app.jar", "--json", "-o", "plan.json"]).fine();
    assert_shows_itself(&String::from_utf8(place.read("plan.json")).unwrap());
    shown(&place, &["plan", "app.jar", "--root", "acme.*::run", "-o", "plan.dot"]).fine();
    let graph = String::from_utf8(place.read("plan.dot")).unwrap();
    assert!(graph.starts_with("digraph"), "{graph}");
    shown(&place, &["plan", "app.jar", "--root", &format!("acme.{}::rum", nasty())])
        .refused(2, &["no selector", "Q\\u001b"]);

    shown(&place, &["rewrite", "app.jar", "-o", "out", "-v", "--root", "acme.*::run"])
        .fine()
        .says(&[SHOWN]);
    shown(&place, &["inspect", "out", "--list=skips,methods"]).fine().says(&[SHOWN]);
    has_the_name(&place, &["inspect", "out", "--list=methods", "--json"]);
    shown(&place, &["verify", "out", "-v"]);

    for profile in ["a.jfp", "b.jfp"] {
        shown(&place, &["record", "-o", profile, "--", &java, "-cp", "out/app.jar", "acme.Main"])
            .fine();
    }
    shown(&place, &["report", "a.jfp"]).fine().says(&[SHOWN, "thread Q\\u001b"]);
    shown(&place, &["report", "a.jfp", "--view=threads", "--view=tree", "--filter=threads=all"])
        .fine()
        .says(&[SHOWN]);
    shown(&place, &["report", "a.jfp", "--as=collapsed", "--weight", "calls"])
        .fine()
        .says(&[SHOWN]);
    has_the_name(&place, &["report", "a.jfp", "--json"]);
    for file in [["-o", "f.svg"], ["-o", "f.txt"]] {
        shown(&place, &["report", "a.jfp", file[0], file[1]]).fine();
        let text = String::from_utf8(place.read(file[1])).unwrap();
        assert!(text.contains(SHOWN));
        assert_shows_itself(&text.replace('\t', " "));
    }
    shown(&place, &["diff", "a.jfp", "b.jfp", "-t", "0"]).fine();
    has_the_name(&place, &["diff", "a.jfp", "b.jfp", "--json"]);
    shown(&place, &["gate", "a.jfp", "b.jfp", "--max", "calls=+0"]).fine();
    let merged = format!("{NASTY}.jfp").replace('/', "");
    shown(&place, &["merge", "--as=series", "a.jfp", "b.jfp", "-o", &merged])
        .fine()
        .says(&["Q\\u001b"]);
    shown(&place, &["report", &merged]).fine();

    // What is wrong with words of the command line says them, too.
    shown(&place, &["report", NASTY]).refused(1, &["Q\\u001b"]);
    shown(&place, &["report", "--depth", NASTY]).refused(2, &["Q\\u001b"]);
    shown(&place, &["report", "a.jfp", "--filter", &format!("thread={NASTY}no")])
        .refused(2, &["Q\\u001b"]);
}

#[test]
fn a_running_jvm_is_listed_by_what_shows_itself() {
    let place = Place::new();
    place.write("app.jar", app());
    let mut command = Command::new(java_home().join("bin/java"));
    command.args(["-cp", "app.jar", "acme.Main", "a\u{1b}[2Jb\nc"]).current_dir(place.path(""));
    for variable in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH"] {
        command.env_remove(variable);
    }
    let mut jvm = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(jvm.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let listed = [place.jfathom(&["ps"]), place.jfathom(&["ps", "--json"])];
    drop(jvm.stdin.take());
    jvm.wait().unwrap();
    assert_eq!(line, "ready\n");
    for answer in &listed {
        assert_shows_itself(&answer.out);
        assert_shows_itself(&answer.err);
    }
    assert!(listed[0].out.contains(r"acme.Main a\u001b[2Jb"), "{}", listed[0].out);
    let all: serde_json::Value = serde_json::from_str(&listed[1].out).unwrap();
    let mut found = Vec::new();
    strings(&all, &mut found);
    assert!(found.iter().any(|text| text.contains("a\u{1b}[2Jb")), "{}", listed[1].out);
}
