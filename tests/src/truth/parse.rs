//! Reading the comments.

use super::{Sample, Truth};

/// Reads a source file, or says what is wrong in which line.
pub fn parse(source: &str) -> Result<Sample, String> {
    let mut sample = Sample::default();
    let mut scope = Scope::default();
    for (line, number) in source.lines().zip(1..) {
        let (code, comment) = scope.split(line);
        if let Some(comment) = comment.as_deref() {
            directive(&mut sample, comment).map_err(|error| format!("line {number}: {error}"))?;
            let truth =
                truth(&scope, &code, comment).map_err(|error| format!("line {number}: {error}"))?;
            sample.truths.extend(truth.map(|truth| Truth { line: number, ..truth }));
        }
        sample.has_main |= code.contains("static void main(String[]");
        scope.follow(&code);
        if sample.name.is_empty() && !scope.classes.is_empty() {
            sample.name = scope.simple_name().to_owned();
        }
    }
    Ok(sample)
}

fn directive(sample: &mut Sample, comment: &str) -> Result<(), String> {
    let Some((word, rest)) = comment.trim().split_once(": ") else { return Ok(()) };
    let words = || rest.split_whitespace().map(str::to_owned);
    match word {
        "run" if rest == "alone" => sample.alone = true,
        "exit" => sample.exit = rest.parse().map_err(|_| format!("exit code {rest:?}"))?,
        "jvm" => sample.jvm.extend(words()),
        "roots" => sample.roots.extend(words().map(|root| format!("samples.{root}"))),
        _ => {}
    }
    Ok(())
}

/// The truth in a comment, if there is one.
fn truth(scope: &Scope, code: &str, comment: &str) -> Result<Option<Truth>, String> {
    let mut truth = Truth::default();
    let (mut rest, mut says, mut named) = (comment.trim(), false, None);
    while let Some((word, argument, after)) = next_word(rest) {
        let count =
            || argument.parse::<u64>().map_err(|_| format!("{word}({argument}) is no number"));
        match word {
            "calls" => (truth.calls, says) = (Some(count()?), true),
            "virtual" => (truth.virtual_calls, says) = (count()?, true),
            "throws" => truth.throws = count()?,
            "inferred" => truth.inferred = count()?,
            "open" => truth.open = count()?,
            "caught" => truth.caught = Some(count()?),
            "inside" => truth.inside = Some(count()?),
            "spawned" => truth.spawned = Some(count()?),
            "as" => named = Some(argument),
            "desc" => truth.descriptor = Some(argument.to_owned()),
            "reconciles" if argument.is_empty() => (truth.reconciles, says) = (true, true),
            // Prose may follow the words, and stands alone in ordinary comments.
            _ if says => break,
            _ => return Ok(None),
        }
        rest = after;
    }
    if !says {
        return Ok(None);
    }
    let class = scope.class().ok_or("a truth outside of any class")?;
    (truth.class, truth.method) = match named {
        Some(named) => match named.split_once("::") {
            Some((class, method)) => (scope.in_package(class), method.to_owned()),
            None => (class, named.to_owned()),
        },
        None => {
            let name = declared(code).ok_or("no method is declared here: say as(name)")?;
            (class, if name == scope.simple_name() { "<init>".to_owned() } else { name })
        }
    };
    Ok(Some(truth))
}

/// `word(argument)` or `word` at the start, and what follows. Parentheses within the argument are
/// balanced.
fn next_word(text: &str) -> Option<(&str, &str, &str)> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(text.len());
    let (word, after) = text.split_at(end);
    if word.is_empty() {
        return None;
    }
    let Some(inner) = after.strip_prefix('(') else { return Some((word, "", after)) };
    let mut depth = 1;
    for (at, c) in inner.char_indices() {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        if depth == 0 {
            return Some((word, &inner[..at], &inner[at + 1..]));
        }
    }
    None
}

/// The name before the first parenthesis, or `<clinit>`.
fn declared(code: &str) -> Option<String> {
    if code.trim() == "static {" {
        return Some("<clinit>".to_owned());
    }
    let before = code.split('(').next().filter(|before| before.len() < code.len())?.trim_end();
    let start = before.rfind(|c: char| !is_name(c)).map_or(0, |at| at + 1);
    Some(before[start..].to_owned()).filter(|name| !name.is_empty())
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Where in a file we are.
#[derive(Default)]
struct Scope {
    package: String,
    /// Enclosing classes, outermost first, with the depth of braces outside of them.
    classes: Vec<(String, usize)>,
    /// A class whose body has not begun.
    pending: Option<String>,
    depth: usize,
    in_block_comment: bool,
}

impl Scope {
    fn simple_name(&self) -> &str {
        self.classes.last().map_or("", |(name, _)| name)
    }

    fn class(&self) -> Option<String> {
        let names: Vec<&str> = self.classes.iter().map(|(name, _)| name.as_str()).collect();
        (!names.is_empty()).then(|| self.in_package(&names.join("$")))
    }

    fn in_package(&self, class: &str) -> String {
        if self.package.is_empty() {
            class.to_owned()
        } else {
            format!("{}/{class}", self.package.replace('.', "/"))
        }
    }

    /// The code of a line with its literals emptied, and its line comment.
    fn split(&mut self, line: &str) -> (String, Option<String>) {
        let mut code = String::new();
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            if self.in_block_comment {
                let Some(at) = rest.find("*/") else { return (code, None) };
                self.in_block_comment = false;
                rest = &rest[at + 2..];
            } else if let Some(comment) = rest.strip_prefix("//") {
                return (code, Some(comment.to_owned()));
            } else if rest.starts_with("/*") {
                self.in_block_comment = true;
                rest = &rest[2..];
            } else if c == '"' || c == '\'' {
                rest = after_literal(rest, c);
                code.extend([c, c]);
            } else {
                code.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
        (code, None)
    }

    /// Takes in a line of code: its package, its class declarations, its braces.
    fn follow(&mut self, code: &str) {
        if let Some(package) = code.trim().strip_prefix("package ") {
            self.package = package.trim_end_matches(';').to_owned();
        }
        let mut keyword = false;
        let mut rest = code;
        while let Some(c) = rest.chars().next() {
            let end = if is_name(c) {
                rest.find(|c| !is_name(c)).unwrap_or(rest.len())
            } else {
                c.len_utf8()
            };
            let (token, after) = rest.split_at(end);
            let selected = code[..code.len() - rest.len()].ends_with('.');
            match token {
                "class" | "interface" | "enum" | "record" if !selected => keyword = true,
                "{" => {
                    self.classes.extend(self.pending.take().map(|name| (name, self.depth)));
                    self.depth += 1;
                }
                "}" => {
                    self.depth = self.depth.saturating_sub(1);
                    self.classes.pop_if(|(_, outside)| *outside == self.depth);
                }
                _ if keyword && is_name(c) => {
                    (self.pending, keyword) = (Some(token.to_owned()), false)
                }
                " " => {}
                _ => keyword = false,
            }
            rest = after;
        }
    }
}

/// What follows the literal at the start of `text`.
fn after_literal(text: &str, quote: char) -> &str {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return &text[at + 1..],
            _ => {}
        }
    }
    ""
}
