//! A list with a selected line.

use crate::row::Row;

/// A list with a selected line, of which a part is on the screen.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// Titles of the cells, then of the names.
    pub titles: Vec<&'static str>,
    /// All lines.
    pub rows: Vec<Row>,
    /// The selected line.
    pub selected: usize,
    /// The first line on the screen.
    pub top: usize,
}

impl Page {
    /// Moves the selection by lines, and stays inside.
    pub fn step(&mut self, by: isize) {
        let last = self.rows.len().saturating_sub(1);
        self.selected = self.selected.saturating_add_signed(by).min(last);
    }

    /// The selected line.
    pub fn row(&self) -> Option<&Row> {
        self.rows.get(self.selected)
    }

    /// Puts other lines in place of these; the selection keeps its place.
    pub fn replace(&mut self, rows: Vec<Row>) {
        self.rows = rows;
        self.step(0);
    }

    /// Scrolls so that the selection is among `height` lines.
    pub fn scroll_to_selection(&mut self, height: usize) {
        self.top = self.top.min(self.selected);
        if height > 0 && self.selected >= self.top + height {
            self.top = self.selected + 1 - height;
        }
    }

    /// Selects the next line after the selection, or with `is_backward` before it, whose name
    /// contains the text, without regard to case; around the end. Whether there is one.
    pub fn find(&mut self, text: &str, is_backward: bool) -> bool {
        let wanted = text.to_lowercase();
        let len = self.rows.len();
        let at = |step: usize| match is_backward {
            true => (self.selected + len - step) % len,
            false => (self.selected + step) % len,
        };
        let found =
            (1..=len).map(at).find(|at| self.rows[*at].name.to_lowercase().contains(&wanted));
        if let Some(found) = found {
            self.selected = found;
        }
        found.is_some()
    }
}
