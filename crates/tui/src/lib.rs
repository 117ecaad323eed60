//! A profile in the terminal, to walk through: call tree, hot methods, callers and callees,
//! threads. What is shown comes from `views`; [`App`] is a state that keys change and that draws
//! itself into a frame, so tests need no terminal.
#![forbid(unsafe_code)]

mod app;
mod draw;
mod help;
mod hot_list;
mod key;
mod page;
mod row;
mod sandwich;
mod tree_list;
mod walks;
mod why;

pub use app::App;
pub use key::Action;

use jfathom_profile::Profile;
use jfathom_views::Scope;
use ratatui::crossterm::event::{self, Event, KeyEventKind};
use std::io;

/// Shows what a scope has of a profile in the terminal that stdin and stdout are, until the user
/// leaves. The terminal
/// is given back as it was, also after a panic.
///
/// # Errors
/// Fails if there is no terminal, or it cannot be read.
pub fn run(profile: &Profile, scope: &Scope) -> io::Result<()> {
    let corrected = scope.corrected(profile);
    let mut app = App::new(profile, corrected.as_ref(), scope);
    let mut terminal = ratatui::try_init()?;
    let result = (|| {
        while !app.is_done() {
            terminal.draw(|frame| app.draw(frame))?;
            if let Event::Key(key) = event::read()?
                && key.kind == KeyEventKind::Press
            {
                app.act(key::action(key, app.is_typing()));
            }
        }
        Ok(())
    })();
    ratatui::try_restore()?;
    result
}

#[cfg(test)]
mod tests;
