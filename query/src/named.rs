//! The named queries.

use clap::ValueEnum;

/// A query with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Named {
    Top,
    TopCalls,
    Callers,
    Callees,
    History,
    Regressions,
    NeverCalled,
    New,
    Edited,
    Exceptions,
    Why,
    Paths,
    Threads,
    Runs,
    Unclean,
}

impl Named {
    /// Its SQL, with so many rows at most.
    pub fn sql(self, limit: u32) -> String {
        let text = match self {
            Self::Top => include_str!("named/top.sql"),
            Self::TopCalls => include_str!("named/top-calls.sql"),
            Self::Callers => include_str!("named/callers.sql"),
            Self::Callees => include_str!("named/callees.sql"),
            Self::History => include_str!("named/history.sql"),
            Self::Regressions => include_str!("named/regressions.sql"),
            Self::NeverCalled => include_str!("named/never-called.sql"),
            Self::New => include_str!("named/new.sql"),
            Self::Edited => include_str!("named/edited.sql"),
            Self::Exceptions => include_str!("named/exceptions.sql"),
            Self::Why => include_str!("named/why.sql"),
            Self::Paths => include_str!("named/paths.sql"),
            Self::Threads => include_str!("named/threads.sql"),
            Self::Runs => include_str!("named/runs.sql"),
            Self::Unclean => include_str!("named/unclean.sql"),
        };
        text.replace("{limit}", &limit.to_string())
    }
}
