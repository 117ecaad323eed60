//! What keys do.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What the user wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Leave.
    Quit,
    /// Move the selection by lines.
    Move(isize),
    /// Move by screens.
    Scroll(isize),
    /// To the first line.
    First,
    /// To the last line.
    Last,
    /// Open a line, or go into it.
    Open,
    /// Close a line, or go to the one above it.
    Close,
    /// Open all lines on the costliest path below the selection.
    OpenPath,
    /// Show a page by its place.
    Page(usize),
    /// The next page.
    NextPage,
    /// Callers and callees of the selected method.
    Sandwich,
    /// Why the selected call or method did not run, and what it threw.
    Why,
    /// The callers of the selected method by walked stacks.
    Walks,
    /// Sort by the next column.
    Sort,
    /// Begin to type a search.
    Search,
    /// The next match.
    NextMatch,
    /// The match before.
    PreviousMatch,
    /// A letter of the search.
    Type(char),
    /// Take back a letter.
    Erase,
    /// End typing.
    Enter,
    /// End typing, or help, without effect.
    Cancel,
    /// Show or hide the keys.
    Help,
    /// Nothing.
    None,
}

/// The keys, for the help page.
pub(crate) const KEYS: &[(&str, &str)] = &[
    ("↑ ↓  k j", "move"),
    ("PgUp PgDn", "move by a screen"),
    ("Home End  g G", "first, last line"),
    ("→ Enter  l", "open; on a list: callers and callees"),
    ("←  h", "close; go to the caller"),
    ("o", "open the costliest path"),
    ("c", "callers and callees of the method"),
    ("w", "why it did not run, and what it threw"),
    ("W", "who calls the method, by walked stacks"),
    ("1 … 6  Tab", "hot methods, call tree, callers and callees, why, walks, about"),
    ("s", "sort hot methods by self time, total time, calls, alloc, cpu"),
    ("/  n N", "search; next, previous match"),
    ("?", "these keys"),
    ("q  Ctrl-C", "leave"),
];

/// What a key does; other things while a search is typed.
pub fn action(key: KeyEvent, is_typing: bool) -> Action {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c') => Action::Quit,
            KeyCode::Char('d') => Action::Scroll(1),
            KeyCode::Char('u') => Action::Scroll(-1),
            _ => Action::None,
        };
    }
    if is_typing {
        return match key.code {
            KeyCode::Char(letter) => Action::Type(letter),
            KeyCode::Backspace => Action::Erase,
            KeyCode::Enter => Action::Enter,
            KeyCode::Esc => Action::Cancel,
            _ => Action::None,
        };
    }
    match key.code {
        KeyCode::Char('q') => Action::Quit,
        KeyCode::Up | KeyCode::Char('k') => Action::Move(-1),
        KeyCode::Down | KeyCode::Char('j') => Action::Move(1),
        KeyCode::PageUp => Action::Scroll(-1),
        KeyCode::PageDown | KeyCode::Char(' ') => Action::Scroll(1),
        KeyCode::Home | KeyCode::Char('g') => Action::First,
        KeyCode::End | KeyCode::Char('G') => Action::Last,
        KeyCode::Right | KeyCode::Enter | KeyCode::Char('l') => Action::Open,
        KeyCode::Left | KeyCode::Char('h') => Action::Close,
        KeyCode::Char('o') => Action::OpenPath,
        KeyCode::Char('c') => Action::Sandwich,
        KeyCode::Char('w') => Action::Why,
        KeyCode::Char('W') => Action::Walks,
        KeyCode::Char('s') => Action::Sort,
        KeyCode::Char('/') => Action::Search,
        KeyCode::Char('n') => Action::NextMatch,
        KeyCode::Char('N') => Action::PreviousMatch,
        KeyCode::Char('?') => Action::Help,
        KeyCode::Char(digit @ '1'..='9') => {
            digit.to_digit(10).map_or(Action::None, |digit| Action::Page(digit as usize - 1))
        }
        KeyCode::Tab => Action::NextPage,
        KeyCode::Esc => Action::Cancel,
        _ => Action::None,
    }
}
