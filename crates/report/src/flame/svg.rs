//! The SVG document of a flame graph.

use super::drawn::Drawn;
use crate::escaped::escaped;
use std::io::{self, Write};

/// Pixels of the drawing.
const WIDTH: f64 = 1200.0;
const HEIGHT: f64 = 18.0;
/// Above the frames: the title, then what is shown and the search, then the colours.
const HEAD: f64 = 74.0;
/// Frames below this width are not drawn.
const LEAST: f64 = 0.3;
/// Width of a letter.
const LETTER: f64 = 6.7;

/// Fills by the error bar as a part of the time, up to each bound; then below resolution, then
/// calls without a time.
const TRUST: [(f64, &str, &str); 5] = [
    (0.05, "#83c3ae", "±5 % or less"),
    (0.15, "#b4d69c", "to ±15 %"),
    (0.3, "#efe08f", "to ±30 %"),
    (0.6, "#f4c27f", "to ±60 %"),
    (1.0, "#ee9d74", "above"),
];
const BELOW_RESOLUTION: &str = "#d7d9df";
const COUNTED: &str = "#b9bec8";

/// What stands above the frames.
pub(crate) struct Head {
    /// The command.
    pub title: String,
    /// What width and order mean.
    pub about: String,
    /// Whether times have error bars, which the colours show.
    pub has_bars: bool,
}

/// Writes the document: frames in preorder, the bottom ones at the lower edge.
pub(crate) fn write(head: &Head, frames: &[Drawn], out: &mut dyn Write) -> io::Result<()> {
    let deepest = frames.iter().map(|frame| frame.depth).max().unwrap_or(0);
    let height = HEAD + HEIGHT * (deepest as f64 + 1.0) + 30.0;
    write!(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
         data-width=\"{WIDTH}\" data-letter=\"{LETTER}\" font-family=\"monospace\" font-size=\"11\">\n\
         <style>.f{{cursor:pointer}}.f:hover rect{{stroke:#1659c7}}.m rect{{fill:#c58af0}}.b{{fill:#1659c7;cursor:pointer}}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    )?;
    let title = cut(&head.title, WIDTH / 8.4);
    writeln!(out, "<text x=\"10\" y=\"20\" font-size=\"14\">{}</text>", escaped(&title))?;
    writeln!(out, "<text x=\"10\" y=\"40\" fill=\"#5a616c\">{}</text>", escaped(&head.about))?;
    writeln!(
        out,
        "<text id=\"reset\" class=\"b\" x=\"980\" y=\"40\" visibility=\"hidden\">whole graph</text>"
    )?;
    writeln!(out, "<text id=\"search\" class=\"b\" x=\"1080\" y=\"40\">search</text>")?;
    write_colours(head.has_bars, out)?;
    writeln!(out, "<text id=\"detail\" x=\"10\" y=\"{}\"> </text>", height - 10.0)?;
    let mut narrow = 0_u64;
    for (frame, [x, width]) in frames.iter().zip(places(frames)) {
        if width < LEAST {
            narrow += 1;
            continue;
        }
        let y = HEAD + HEIGHT * (deepest - frame.depth) as f64;
        let label = cut(&jfathom_views::fit(&frame.name, letters(width)), letters(width) as f64);
        writeln!(
            out,
            "<g class=\"f\" data-x=\"{x:.3}\" data-w=\"{width:.3}\" data-d=\"{}\"><title>{}\n{}</title>\
             <rect x=\"{x:.2}\" y=\"{y}\" width=\"{:.2}\" height=\"{}\" fill=\"{}\"/>\
             <text x=\"{:.2}\" y=\"{}\">{}</text></g>",
            frame.depth,
            escaped(&frame.name),
            escaped(&frame.detail),
            (width - 0.5).max(0.2),
            HEIGHT - 1.0,
            fill(frame, head.has_bars),
            x + 3.0,
            y + 12.5,
            escaped(&label)
        )?;
    }
    if narrow > 0 {
        writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"#5a616c\">{narrow} frames are too narrow to be drawn</text>",
            WIDTH - 10.0,
            height - 10.0
        )?;
    }
    write!(out, "<script><![CDATA[\n{}]]></script>\n</svg>\n", include_str!("flame.js"))
}

/// Left edge and width of each frame. Frames that take more than what they lie on, as corrected
/// times may, share its width.
fn places(frames: &[Drawn]) -> Vec<[f64; 2]> {
    let mut children = vec![0.0; frames.len()];
    let mut whole = 0.0;
    let mut path: Vec<usize> = Vec::new();
    for (at, frame) in frames.iter().enumerate() {
        path.truncate(frame.depth);
        match path.last() {
            Some(below) => children[*below] += frame.value,
            None => whole += frame.value,
        }
        path.push(at);
    }
    let mut places = Vec::with_capacity(frames.len());
    // Of each open frame: pixels for a unit of its children's values, and where the next begins.
    let mut open: Vec<[f64; 2]> = vec![[WIDTH / f64::max(whole, f64::MIN_POSITIVE), 0.0]];
    for (at, frame) in frames.iter().enumerate() {
        open.truncate(frame.depth + 1);
        let Some([scale, next]) = open.last_mut() else { continue };
        let (x, width) = (*next, frame.value * *scale);
        *next += width;
        let within = children[at].max(frame.value);
        open.push([if within > 0.0 { width / within } else { 0.0 }, x]);
        places.push([x, width]);
    }
    places
}

fn fill(frame: &Drawn, has_bars: bool) -> &'static str {
    match frame.trust {
        None => COUNTED,
        Some(_) if !has_bars => TRUST[3].1,
        Some([nanos, bar]) if nanos <= bar => BELOW_RESOLUTION,
        Some([nanos, bar]) => TRUST
            .iter()
            .find(|(most, _, _)| bar <= most * nanos)
            .map_or(BELOW_RESOLUTION, |(_, colour, _)| colour),
    }
}

fn write_colours(has_bars: bool, out: &mut dyn Write) -> io::Result<()> {
    let bars = TRUST.iter().map(|(_, colour, name)| (*colour, *name));
    let bars = bars.chain([(BELOW_RESOLUTION, "below resolution")]);
    let mut x = 10.0;
    for (colour, name) in bars.filter(|_| has_bars).chain([(COUNTED, "counted: no time")]) {
        let text_x = x + 16.0;
        writeln!(
            out,
            "<rect x=\"{x}\" y=\"50\" width=\"12\" height=\"11\" fill=\"{colour}\"/><text x=\"{text_x}\" y=\"60\" fill=\"#5a616c\">{name}</text>"
        )?;
        x += 30.0 + name.chars().count() as f64 * LETTER;
    }
    Ok(())
}

/// Letters that a frame has room for.
fn letters(width: f64) -> usize {
    ((width - 6.0) / LETTER).max(0.0) as usize
}

/// The text, if there is room for three letters; cut off at its end.
fn cut(text: &str, room: f64) -> String {
    let room = room.max(0.0) as usize;
    match text.chars().count() {
        _ if room < 3 => String::new(),
        length if length <= room => text.to_owned(),
        _ => text.chars().take(room - 1).chain(['…']).collect(),
    }
}
