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

pub use app::App;
pub use key::Action;

use jfathom_calibration::CorrectedTimes;
use jfathom_profile::Profile;
use ratatui::crossterm::event::{self, Event, KeyEventKind};
use std::io;

/// Shows a profile in the terminal that stdin and stdout are, until the user leaves. The terminal
/// is given back as it was, also after a panic.
///
/// # Errors
/// Fails if there is no terminal, or it cannot be read.
pub fn run(profile: &Profile, corrected: Option<&CorrectedTimes>) -> io::Result<()> {
    let mut app = App::new(profile, corrected);
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
