//! A chart of one number over recordings, as SVG.

use std::io::{self, Write};

/// Width and height of the picture, and its margins.
const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 190.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 24.0;

/// Lines across the picture, above that of zero: about as many.
const LINES: f64 = 4.0;

/// A point of a chart.
pub(super) struct Mark {
    /// The place of its recording.
    pub at: usize,
    /// Its value, and its error bar.
    pub value: f64,
    pub bar: f64,
    /// Whether the method was edited before.
    pub is_edited: bool,
    /// What the point says of itself, escaped.
    pub title: String,
}

/// A chart of `count` recordings. Its values begin at zero.
pub(super) struct Chart<'a> {
    /// What it shows, escaped.
    pub label: &'a str,
    pub count: usize,
    pub marks: &'a [Mark],
    /// A value as people write it.
    pub text: &'a dyn Fn(f64) -> String,
    /// The first and the last recording, escaped.
    pub ends: [&'a str; 2],
}

impl Chart<'_> {
    /// Writes it. Colours are classes of the page's style.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let most = self.marks.iter().map(|mark| mark.value + mark.bar).fold(0.0, f64::max);
        let step = step(most);
        let lines = (most / step).ceil().max(1.0);
        let most = step * lines;
        writeln!(
            out,
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">",
            self.label
        )?;
        for line in 0..=lines as u32 {
            let value = step * f64::from(line);
            let y = y(value, most);
            writeln!(
                out,
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <text class=\"axis\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                WIDTH - RIGHT,
                LEFT - 8.0,
                y + 4.0,
                (self.text)(value)
            )?;
        }
        self.write_line(most, out)?;
        for mark in self.marks {
            self.write_mark(mark, most, out)?;
        }
        let [first, last] = self.ends;
        let below = HEIGHT - 6.0;
        writeln!(out, "<text class=\"axis\" x=\"{LEFT}\" y=\"{below:.1}\">{first}</text>")?;
        writeln!(
            out,
            "<text class=\"axis\" x=\"{:.1}\" y=\"{below:.1}\" text-anchor=\"end\">{last}</text>",
            WIDTH - RIGHT
        )?;
        writeln!(out, "</svg>")
    }

    /// The line through the values, broken where a recording has none.
    fn write_line(&self, most: f64, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "<path class=\"line\" d=\"")?;
        let mut before = None;
        for mark in self.marks {
            let step = match before {
                Some(before) if before + 1 == mark.at => 'L',
                _ => 'M',
            };
            write!(out, "{step}{:.1} {:.1}", self.x(mark.at), y(mark.value, most))?;
            before = Some(mark.at);
        }
        writeln!(out, "\"/>")
    }

    fn write_mark(&self, mark: &Mark, most: f64, out: &mut dyn Write) -> io::Result<()> {
        let x = self.x(mark.at);
        let [low, high] = [mark.value - mark.bar, mark.value + mark.bar].map(|at| y(at, most));
        let class = if mark.is_edited { "point edited" } else { "point" };
        writeln!(
            out,
            "<g><title>{}</title><line class=\"bar\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{low:.1}\" \
             y2=\"{high:.1}\"/><circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{:.1}\" r=\"4\"/></g>",
            mark.title,
            y(mark.value, most)
        )
    }

    fn x(&self, at: usize) -> f64 {
        let width = WIDTH - LEFT - RIGHT;
        match self.count {
            0 | 1 => LEFT + width / 2.0,
            count => LEFT + 6.0 + (width - 12.0) * at as f64 / (count - 1) as f64,
        }
    }
}

/// From line to line: 1, 2, 2.5 or 5 times a power of ten.
fn step(most: f64) -> f64 {
    let wanted = if most > 0.0 { most / LINES } else { 1.0 };
    let power = 10_f64.powf(wanted.log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0].map(|step| step * power);
    steps.into_iter().find(|step| *step >= wanted).unwrap_or(10.0 * power)
}

/// The height of a value. Below zero there is nothing to see.
fn y(value: f64, most: f64) -> f64 {
    let height = HEIGHT - TOP - BOTTOM;
    TOP + height * (1.0 - (value / most).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stand_at_round_values() {
        for (most, expected) in [(57e6, 20e6), (80.72, 25.0), (4.0, 1.0), (0.3, 0.1), (0.0, 1.0)] {
            assert!((step(most) - expected).abs() < expected / 1e6, "{most}: {}", step(most));
        }
    }
}
