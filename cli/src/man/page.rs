//! One man page per command.

use crate::tool::{NAME, TOOL};
use clap::Command;
use clap_mangen::{
    Man,
    roff::{Roff, roman},
};
use std::io;

/// A man page.
pub(super) struct Page {
    /// Its file name: `jfathom-record.1`.
    pub(super) file: String,
    /// Its roff source.
    pub(super) text: Vec<u8>,
}

/// The pages of the program and of each command that help lists.
pub(super) fn all(parser: Command) -> Vec<Page> {
    let mut program = parser.disable_help_subcommand(true);
    program.build();
    let commands = program.get_subcommands().filter(|command| !command.is_hide_set());
    std::iter::once(&program).chain(commands).map(page).collect()
}

fn page(command: &Command) -> Page {
    // A blank date: the build knows none, and an empty one would not count as an argument.
    let man = Man::new(command.clone()).date(" ").source(TOOL).manual("User Commands");
    let mut text = Vec::new();
    // A vector takes every byte.
    let _ = render(command, &man, &mut text);
    Page { file: man.get_filename(), text }
}

fn render(command: &Command, man: &Man, text: &mut Vec<u8>) -> io::Result<()> {
    man.render_title(text)?;
    man.render_name_section(text)?;
    man.render_synopsis_section(text)?;
    man.render_description_section(text)?;
    man.render_options_section(text)?;
    let is_program = command.has_subcommands();
    if is_program {
        man.render_subcommands_section(text)?;
    }
    let mut roff = Roff::new();
    let help = command.get_after_long_help().or(command.get_after_help());
    let help = help.map(ToString::to_string).unwrap_or_default();
    for section in sections(&help) {
        section.render(&mut roff);
    }
    if !is_program {
        roff.control("SH", ["SEE ALSO"]).text([roman(format!("{NAME}(1)"))]);
    }
    roff.to_writer(text)
}

/// What help prints below the options under one title.
#[derive(Debug, PartialEq, Eq)]
struct Section<'a> {
    title: &'a str,
    /// Lines that must stay lines: command lines and their remarks.
    is_preformatted: bool,
    lines: Vec<&'a str>,
}

/// The sections of such a text, one a paragraph. A paragraph may begin with its title and a colon.
fn sections(help: &str) -> Vec<Section<'_>> {
    let paragraphs = help.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty());
    let sections = paragraphs.map(|paragraph| {
        let (title, body) = titled(paragraph).unwrap_or(("Notes", paragraph));
        Section {
            title,
            is_preformatted: body.starts_with('\n'),
            lines: body.lines().filter(|line| !line.trim().is_empty()).collect(),
        }
    });
    sections.collect()
}

/// The title of a paragraph, which is one or two words, and the rest.
fn titled(paragraph: &str) -> Option<(&str, &str)> {
    let (title, body) = paragraph.trim_start().split_once(':')?;
    let is_title = title.split_whitespace().count() <= 2 && title.starts_with(char::is_uppercase);
    is_title.then_some((title, body))
}

impl Section<'_> {
    fn render(&self, roff: &mut Roff) {
        let title = match self.title {
            "Exit code" => "EXIT STATUS".to_owned(),
            title => title.to_uppercase(),
        };
        roff.control("SH", [title.as_str()]);
        if self.is_preformatted {
            roff.control("nf", []);
        }
        for line in &self.lines {
            let line = if self.is_preformatted { line } else { line.trim() };
            roff.text([roman(line)]);
        }
        if self.is_preformatted {
            roff.control("fi", []);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paragraph_below_the_options_is_a_section() {
        let help = "Examples:\n  jfathom a:b\n      why\n\nExit code: 0 fine,\n  1 not";
        let [examples, code] = &sections(help)[..] else { panic!("two sections") };
        assert_eq!((examples.title, examples.is_preformatted), ("Examples", true));
        assert_eq!(examples.lines, ["  jfathom a:b", "      why"]);
        assert_eq!((code.title, code.is_preformatted), ("Exit code", false));
        assert_eq!(code.lines, [" 0 fine,", "  1 not"]);
    }

    #[test]
    fn a_paragraph_without_a_title_is_a_note() {
        let help = "First the output is read: by others.\n\nExit code: 0";
        let titles: Vec<&str> = sections(help).iter().map(|section| section.title).collect();
        assert_eq!(titles, ["Notes", "Exit code"]);
    }

    #[test]
    fn no_page_has_a_section_twice() {
        for page in all(crate::args::parser()) {
            let text = String::from_utf8(page.text).unwrap();
            let titles: Vec<&str> = text.lines().filter(|line| line.starts_with(".SH")).collect();
            let mut once = titles.clone();
            once.sort_unstable();
            once.dedup();
            assert_eq!(once.len(), titles.len(), "{}: {titles:?}", page.file);
        }
    }
}
