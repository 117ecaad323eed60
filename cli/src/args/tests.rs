//! The command lines of the documentation, held against the parser.

use super::{parse, parser};
use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

/// Words of a shell, after which another command or a file follows.
const SHELL: [&str; 7] = ["|", "<", ">", "&&", "||", ";", "&"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|end| end == "md") {
            found.push(path);
        }
    }
}

/// The command lines in the code blocks of a page, each with the number of its line.
fn command_lines(page: &str) -> Vec<(usize, String)> {
    let (mut found, mut fenced): (Vec<(usize, String)>, bool) = (Vec::new(), false);
    let mut lines = page.lines().zip(1..);
    while let Some((line, number)) = lines.next() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        let code = line.trim_start();
        let code = code.strip_prefix("$ ").unwrap_or(code);
        if !(fenced || line.starts_with("    ")) || !code.starts_with("jfathom ") {
            continue;
        }
        let mut whole = code.to_owned();
        while let Some(first) = whole.strip_suffix('\\') {
            let next = lines.next().map_or("", |(line, _)| line.trim_start());
            whole = format!("{first}{next}");
        }
        found.push((number, whole));
    }
    found
}

/// The words of a command line, with values for placeholders.
fn words(line: &str) -> Vec<OsString> {
    // What follows three blanks is a remark.
    let command = line.split("   ").next().unwrap_or(line);
    let words = shlex::split(command).unwrap_or_else(|| panic!("{line}: a quote is not closed"));
    let words = words.into_iter().take_while(|word| !SHELL.contains(&word.as_str()));
    let known = words.filter(|word| word != "…");
    known.map(|word| if word == "PID" { "1".into() } else { word.into() }).collect()
}

/// The options of a command, hidden ones with them, without help and version.
fn options(command: &clap::Command) -> usize {
    let is_option = |argument: &&clap::Arg| {
        argument.get_long().is_some_and(|name| name != "help" && name != "version")
    };
    command.get_arguments().filter(is_option).count()
}

/// A person has to find an option, and to keep it apart from the others: a new one takes the place
/// of another, or becomes a value of one.
#[test]
fn options_stay_few() {
    let parser = parser();
    let all: Vec<(&str, usize)> =
        parser.get_subcommands().map(|command| (command.get_name(), options(command))).collect();
    let of = |name: &str| all.iter().find(|(known, _)| *known == name).unwrap().1;
    assert!(all.iter().map(|(_, options)| options).sum::<usize>() <= 120, "{all:?}");
    assert!(of("record") <= 28 && of("report") <= 22, "{all:?}");
}

fn is_parsed(words: &str) -> bool {
    parse(words.split(' ').map(OsString::from)).is_ok()
}

#[test]
fn every_command_line_of_the_documentation_parses() {
    let mut files = vec![root().join("README.md")];
    pages(&root().join("docs"), &mut files);
    let generated = root().join(COMMANDS);
    files.retain(|file| *file != generated);
    let (mut count, mut wrong) = (0, String::new());
    for file in files {
        for (number, line) in command_lines(&fs::read_to_string(&file).unwrap()) {
            count += 1;
            if let Err(error) = parse(words(&line)) {
                wrong += &format!("{}:{number}: {line}\n{error}\n", file.display());
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(count > 50, "only {count} command lines found");
}

#[test]
fn command_lines_are_found_in_code_blocks() {
    let page = "jfathom tells\n\n    jfathom ps   # all\n```sh\n$ jfathom stop PID | tee \\\n   x\njfathom record -- java …\n```\n";
    let lines = command_lines(page);
    let numbers: Vec<usize> = lines.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, [3, 5, 7]);
    let all: Vec<Vec<OsString>> = lines.iter().map(|(_, line)| words(line)).collect();
    assert_eq!(all[0], ["jfathom", "ps"]);
    assert_eq!(all[1], ["jfathom", "stop", "1"]);
    assert_eq!(all[2], ["jfathom", "record", "--", "java"]);
}

/// The reference of all commands. `JFATHOM_WRITE_COMMANDS=1 cargo test` writes it.
const COMMANDS: &str = "docs/reference/commands.md";

fn reference() -> String {
    // As wide as the help of a wide terminal, whatever runs the test.
    let mut parser = parser().term_width(100);
    parser.build();
    let mut text = String::from(
        "# Commands\n\nThis page is what `jfathom --help` and `jfathom COMMAND --help` print.\n",
    );
    let mut section = |title: &str, command: &mut clap::Command| {
        let help = command.render_long_help().to_string();
        let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
        text += &format!("\n## {title}\n\n```text\n{}\n```\n", lines.join("\n").trim_end());
    };
    section("jfathom", &mut parser);
    for command in parser.get_subcommands_mut().filter(|command| command.get_name() != "help") {
        let title = command.get_bin_name().unwrap_or_default().to_owned();
        section(&title, command);
    }
    text
}

#[test]
fn the_reference_says_what_help_says() {
    let (path, reference) = (root().join(COMMANDS), reference());
    if std::env::var_os("JFATHOM_WRITE_COMMANDS").is_some_and(|value| value == "1") {
        fs::write(&path, &reference).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == reference,
        "{COMMANDS} is old: JFATHOM_WRITE_COMMANDS=1 cargo test --workspace -- the_reference"
    );
}

#[test]
fn values_may_stand_at_their_option_and_a_command_takes_all_behind_it() {
    for words in [
        "jfathom record --root a.B::c -p1 -d30s",
        "jfathom record --root a.B::c -d30s -oq.jfp java -cp x --root y -p1 Main -d",
        "jfathom record -oq.jfp -- java -cp x Main --every never",
    ] {
        assert!(is_parsed(words), "{words}");
    }
    for words in ["jfathom record --no-such java Main", "jfathom record -Z"] {
        assert!(!is_parsed(words), "{words}");
    }
}
