//! Text of a terminal as SVG: one cell per character, in the viewer's own monospaced font.

use std::fmt::Write;

/// Width and height of a cell, and the margin, in pixels at a font size of 13.
const CELL: (f64, f64) = (7.8, 19.0);
const MARGIN: f64 = 16.0;

const STYLE: &str = "\
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#d6dae0}\
.p{fill:#7fd18b}.d{fill:#8b949e}.t{fill:#79b8ff}.m{fill:#ffd479}";

/// The picture of `text`. A line that begins with `$ ` is a prompt.
pub fn svg(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
    let columns = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let width = columns as f64 * CELL.0 + 2.0 * MARGIN;
    let height = lines.len() as f64 * CELL.1 + 2.0 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">\n<style>{STYLE}</style>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1b1f24\"/>\n"
    );
    for (row, line) in lines.iter().enumerate() {
        let baseline = MARGIN + (row as f64 + 0.75) * CELL.1;
        for (column, chunk) in chunks(line) {
            let x = MARGIN + column as f64 * CELL.0;
            let length = chunk.chars().count() as f64 * CELL.0;
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{baseline:.1}\" textLength=\"{length:.1}\" \
                 lengthAdjust=\"spacingAndGlyphs\">{}</text>",
                coloured(line, chunk)
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// The pieces of a line between two and more spaces, each with its first column: fonts differ in
/// width, so every column is set by itself.
fn chunks(line: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(skipped) = line[from..].find(|character| character != ' ') {
        let start = from + skipped;
        let end = line[start..].find("  ").map_or(line.len(), |length| start + length);
        found.push((line[..start].chars().count(), &line[start..end]));
        from = end;
    }
    found
}

/// The chunk as SVG text: prompts, threads, methods and error bars have colours of their own.
fn coloured(line: &str, chunk: &str) -> String {
    let is_row = line.trim_start().starts_with(|character: char| character.is_ascii_digit());
    if let Some(command) = line.strip_prefix("$ ") {
        return span("p", "$ ") + &escaped(command);
    }
    if !is_row || chunk.starts_with('≤') || line.contains(" nodes;") {
        return span("d", chunk);
    }
    if chunk.starts_with("thread ") {
        return span("t", chunk);
    }
    if let Some((class, method)) = chunk.split_once("::") {
        return span("d", class) + &span("d", "::") + &span("m", method);
    }
    match chunk.split_once('±') {
        Some((value, bar)) => escaped(value) + &span("d", &format!("±{bar}")),
        None => escaped(chunk),
    }
}

fn span(class: &str, text: &str) -> String {
    format!("<tspan class=\"{class}\">{}</tspan>", escaped(text))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
