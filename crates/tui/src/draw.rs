//! The page as it is drawn.

use crate::{
    app::{App, On, PAGES},
    help,
    page::Page,
    row::Row,
};
use jfathom_profile::{Frame as StackFrame, Profile};
use jfathom_views::fit;
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::{Modifier, Style},
    text::{Line, Span},
    widgets::{Clear, Paragraph},
};

/// Columns with room for whole sentences.
const WIDE: usize = 120;

impl App<'_> {
    /// Draws the state into a frame.
    pub fn draw(&mut self, frame: &mut Frame) {
        let [head, titles, body, foot] = Layout::vertical([
            Constraint::Length(2),
            Constraint::Length(1),
            Constraint::Min(0),
            Constraint::Length(1),
        ])
        .areas(frame.area());
        self.height = usize::from(body.height);
        frame.render_widget(self.head(usize::from(head.width)), head);
        match self.on {
            On::About => {
                let lines: Vec<Line> =
                    help::about(&self.shown).into_iter().map(Line::from).collect();
                frame.render_widget(Paragraph::new(lines), titles.union(body));
            }
            On::Hot | On::Tree | On::Sandwich | On::Why | On::Walks => {
                self.draw_list(frame, titles, body)
            }
        }
        frame.render_widget(self.foot(), foot);
        if self.has_help {
            draw_help(frame, self.shown.profile);
        }
    }

    fn head(&self, width: usize) -> Paragraph<'static> {
        let mut tabs = vec![Span::raw("jfathom ")];
        for (at, (on, name)) in PAGES.iter().enumerate() {
            let style = match *on == self.on {
                true => Style::new().add_modifier(Modifier::REVERSED),
                false => Style::new(),
            };
            tabs.push(Span::styled(format!(" {} {name} ", at + 1), style));
        }
        let whole = match self.shown.profile.quality.is_clean() {
            true => "",
            // A narrow page needs the room for the name that it is of.
            false if width < WIDE && matches!(self.on, On::Sandwich | On::Why) => "NOT CLEAN ",
            false => "NOT CLEAN: `jfathom report --view summary` says why. ",
        };
        let room = width.saturating_sub(whole.chars().count());
        let about = match self.on {
            On::Hot => format!("hot methods, by {}", self.sort.as_str()),
            On::Tree => "call tree, the costliest callees first".to_owned(),
            On::Sandwich => match self.method {
                Some(method) => {
                    let name = self.shown.frame_name(StackFrame::Method(method));
                    around("callers of", &name, ", then its callees", room)
                }
                None => String::new(),
            },
            On::Why => match self.chosen {
                Some(chosen) => {
                    let [name, place] = chosen.texts(&self.shown);
                    around("why it did not run:", &name, &format!(" {place}"), room)
                }
                None => String::new(),
            },
            On::Walks => "callers by walked stacks".to_owned(),
            On::About => "what was recorded".to_owned(),
        };
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let second = Line::from(vec![Span::styled(whole, bold), Span::raw(about)]);
        Paragraph::new(vec![Line::from(tabs), second])
    }

    fn foot(&self) -> Paragraph<'static> {
        let text = match (self.is_typing(), self.message.is_empty()) {
            (true, _) => format!("/{}", self.search),
            (false, false) => self.message.clone(),
            (false, true) => {
                "? keys  / search  c callers and callees  w why  W walked callers  q leave"
                    .to_owned()
            }
        };
        Paragraph::new(text).style(Style::new().add_modifier(Modifier::DIM))
    }

    fn draw_list(&mut self, frame: &mut Frame, titles: Rect, body: Rect) {
        let height = usize::from(body.height);
        let Some(page) = self.page() else { return };
        page.scroll_to_selection(height);
        let visible = page.top..(page.top + height).min(page.rows.len());
        let widths = widths(page, visible.clone());
        let is_bold = Style::new().add_modifier(Modifier::BOLD);
        let header: Vec<String> = page.titles.iter().map(|title| (*title).to_owned()).collect();
        let header = cells(&header, &widths) + "  name";
        frame.render_widget(Paragraph::new(header).style(is_bold), titles);
        let selected = page.selected;
        let lines: Vec<Line> = page.rows[visible.clone()]
            .iter()
            .zip(visible)
            .map(|(row, at)| {
                let line = Line::from(text_of(row, &widths, usize::from(body.width)));
                match at == selected {
                    true => line.style(Style::new().add_modifier(Modifier::REVERSED)),
                    false => line,
                }
            })
            .collect();
        frame.render_widget(Paragraph::new(lines), body);
    }
}

/// A line of at most `room` characters in which a name stands between words. The name is shortened.
fn around(before: &str, name: &str, after: &str, room: usize) -> String {
    let words = before.chars().count() + 1 + after.chars().count();
    format!("{before} {}{after}", fit(name, room.saturating_sub(words).max(12)))
}

/// Widths of the cells on the screen.
fn widths(page: &Page, visible: std::ops::Range<usize>) -> Vec<usize> {
    let width = |at: usize| {
        let cells = page.rows[visible.clone()].iter().filter_map(|row| row.cells.get(at));
        let widest = cells.map(|cell| cell.chars().count()).max().unwrap_or(0);
        widest.max(page.titles.get(at).map_or(0, |title| title.chars().count()))
    };
    (0..page.titles.len()).map(width).collect()
}

fn cells(cells: &[String], widths: &[usize]) -> String {
    let cell = |(cell, width): (&String, &usize)| format!("{cell:>width$}");
    cells.iter().zip(widths).map(cell).collect::<Vec<_>>().join("  ")
}

/// Levels that are indented in full; a deeper one says its depth instead.
const INDENTED: usize = 24;

fn text_of(row: &Row, widths: &[usize], width: usize) -> String {
    let indent = match row.level {
        level @ ..=INDENTED => " ".repeat(level),
        level => format!("{}[{level}] ", " ".repeat(INDENTED)),
    };
    let front = format!("{}  {indent}{} ", cells(&row.cells, widths), row.mark);
    let room = width.saturating_sub(front.chars().count()).max(12);
    format!("{front}{}", fit(&row.name, room))
}

fn draw_help(frame: &mut Frame, profile: &Profile) {
    let lines = help::help(profile);
    let area = frame.area();
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let width = u16::try_from(longest + 4).unwrap_or(u16::MAX).min(area.width);
    let height = u16::try_from(lines.len() + 2).unwrap_or(u16::MAX).min(area.height);
    let place = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    let lines: Vec<Line> = std::iter::once(Line::default())
        .chain(lines.into_iter().map(|line| Line::from(format!("  {line}"))))
        .collect();
    frame.render_widget(Clear, place);
    let style = Style::new().add_modifier(Modifier::REVERSED);
    frame.render_widget(Paragraph::new(lines).style(style), place);
}
