//! What shells and `man` are given: completions and man pages, each held against the help.

use super::support::*;
use std::{
    fs,
    io::Write,
    process::{Command, Stdio},
};

/// The commands that `jfathom --help` lists, without `help`.
fn commands(place: &Place) -> Vec<String> {
    let help = place.jfathom(&["--help"]).fine().out;
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let list = list.take_while(|line| !line.is_empty());
    let names =
        list.filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')));
    let names = names.filter_map(|line| line.split_whitespace().next());
    let names: Vec<String> = names.filter(|name| *name != "help").map(str::to_owned).collect();
    assert!(names.len() > 10, "{names:?}");
    names
}

/// The long options that the help of a command lists.
fn options(place: &Place, command: &str) -> Vec<String> {
    let help = place.jfathom(&[command, "--help"]).fine().out;
    // Definitions are indented by 2 or 6, their descriptions by 10.
    let defines = |line: &&str| line.len() - line.trim_start().len() < 10;
    let lines = help.lines().filter(defines).map(str::trim_start);
    let words = lines
        .filter(|line| line.starts_with('-'))
        .flat_map(|line| line.split([' ', ',', '=', '[']).take(3));
    let long: Vec<String> = words
        .filter(|word| word.starts_with("--") && word.len() > 2)
        .map(|word| word.trim_end_matches('.').to_owned())
        .collect();
    assert!(long.contains(&"--help".to_owned()), "{command}: {long:?}");
    long
}

/// Runs a program with `input`; `None` if it is not installed.
fn filter(program: &str, arguments: &[&str], input: &[u8]) -> Option<(i32, String, String)> {
    let mut command = Command::new(program);
    command.args(arguments).env("LC_ALL", "C.UTF-8");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let Ok(mut child) = command.spawn() else {
        eprintln!("{program}: not installed, its check is skipped");
        return None;
    };
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // Beside the reading: a program that has filled its output reads no more input.
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Some((output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr)))
}

/// Completions of bash for command lines, one set per line.
fn bash_completions(script: &str, lines: &[&str]) -> Vec<Vec<String>> {
    let mut source = String::from(script);
    source += "
complete -p jfathom >/dev/null || exit 1
ask() {
    COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
    _jfathom \"$1\" \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD - 1]}\"
    echo \"${COMPREPLY[*]}\"
}
";
    for line in lines {
        source += &format!("ask {line}\n");
    }
    let (code, out, err) = filter("bash", &["--norc"], source.as_bytes()).expect("bash");
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    out.lines().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

#[test]
fn bash_completes_commands_options_and_values() {
    let place = Place::new();
    let script = place.jfathom(&["completions", "bash"]).fine().out;
    let commands = commands(&place);
    let mut lines = vec!["jfathom ''".to_owned(), "jfathom completions ''".to_owned()];
    lines.extend(commands.iter().map(|command| format!("jfathom {command} --")));
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let answers = bash_completions(&script, &lines);
    assert_eq!(answers.len(), lines.len());
    for command in &commands {
        assert!(answers[0].contains(command), "{command}: {:?}", answers[0]);
    }
    for shell in ["bash", "zsh", "fish"] {
        assert!(answers[1].contains(&shell.to_owned()), "{:?}", answers[1]);
    }
    for (command, answer) in commands.iter().zip(&answers[2..]) {
        for option in options(&place, command) {
            assert!(answer.contains(&option), "{command} {option}: {answer:?}");
        }
    }
}

#[test]
fn zsh_and_fish_can_parse_their_scripts() {
    let place = Place::new();
    for shell in ["zsh", "fish"] {
        let script = place.jfathom(&["completions", shell]).fine().out;
        for command in commands(&place) {
            assert!(script.contains(&command), "{shell}: {command}");
        }
        if let Some((code, _, err)) = filter(shell, &["-n"], script.as_bytes()) {
            assert_eq!((code, err.as_str()), (0, ""), "{shell}");
        }
    }
}

#[test]
fn an_unknown_shell_is_refused() {
    Place::new().jfathom(&["completions", "tcsh"]).refused(2, &["tcsh", "bash, zsh, fish"]);
}

#[test]
fn each_command_has_a_man_page_with_all_its_options() {
    let place = Place::new();
    place.jfathom(&["man", "a/man1"]).fine();
    let commands = commands(&place);
    let mut expected: Vec<String> =
        commands.iter().map(|command| format!("jfathom-{command}.1")).collect();
    expected.push("jfathom.1".to_owned());
    expected.sort();
    let entries = fs::read_dir(place.path("a/man1")).unwrap();
    let mut files: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    assert_eq!(files, expected);

    let program = String::from_utf8(place.read("a/man1/jfathom.1")).unwrap();
    for command in &commands {
        let name = format!("jfathom-{command}(1)").replace('-', "\\-");
        assert!(program.contains(&name), "{command}: {program}");
        let page = String::from_utf8(place.read(&format!("a/man1/jfathom-{command}.1"))).unwrap();
        for option in options(&place, command) {
            let escaped = format!("\\fB{}\\fR", option.replace('-', "\\-"));
            assert!(page.contains(&escaped), "{command} {option}: {page}");
        }
    }
}

#[test]
fn groff_formats_the_man_pages_without_a_warning() {
    let place = Place::new();
    place.jfathom(&["man", "pages"]).fine();
    for command in commands(&place) {
        let page = place.read(&format!("pages/jfathom-{command}.1"));
        let arguments = ["-Kutf8", "-man", "-Tutf8", "-P-c", "-ww", "-rLL=100n"];
        let Some((code, text, err)) = filter("groff", &arguments, &page) else { return };
        assert_eq!((code, err.as_str()), (0, ""), "{command}");
        let title = format!("JFATHOM-{}(1)", command.to_uppercase());
        assert!(text.to_uppercase().starts_with(&title), "{command}: {text}");
        assert!(text.contains("User Commands") && text.contains("jfathom 0."), "{command}: {text}");
    }
    // A command line of the examples stays one line.
    let page = place.read("pages/jfathom-serve.1");
    let Some((_, text, _)) = filter("groff", &["-Kutf8", "-man", "-Tutf8", "-P-c"], &page) else {
        return;
    };
    let is_there = text.lines().any(|line| line.trim() == "jfathom serve --live 4711");
    assert!(is_there, "{text}");
}
