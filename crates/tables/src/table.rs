//! The tables.

use crate::{
    cells::Rows, edges::EdgeRows, events::EventRows, methods::MethodRows, nodes::NodeRows,
    runs::RunRow, schema, threads::ThreadRows, totals::TotalRows, walks::WalkRows,
};
use jfathom_profile::Profile;
use jfathom_views::Shown;
use std::borrow::Cow;

/// A table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Table {
    /// A row for each recording.
    Runs,
    /// A row for each method of a recording.
    Methods,
    /// The sums of each method.
    Totals,
    /// A row for each call path.
    Nodes,
    /// The sums of each pair of caller and callee.
    Edges,
    /// A row for each thread.
    Threads,
    /// A row for each call path, kind and class of events.
    Events,
    /// A row for each method whose stacks were walked, and for each of its callers.
    Walks,
}

impl Table {
    /// All tables. `runs` is written last: a recording that has a row there has all others.
    pub const ALL: [Self; 8] = [
        Self::Nodes,
        Self::Methods,
        Self::Totals,
        Self::Edges,
        Self::Threads,
        Self::Events,
        Self::Walks,
        Self::Runs,
    ];

    /// Whether directories of older versions lack the table. It then has no rows there.
    pub fn may_be_missing(self) -> bool {
        matches!(self, Self::Events | Self::Walks)
    }

    /// Its name in SQL, and that of its folder.
    pub fn name(self) -> &'static str {
        match self {
            Self::Runs => "runs",
            Self::Methods => "methods",
            Self::Totals => "totals",
            Self::Nodes => "nodes",
            Self::Edges => "edges",
            Self::Threads => "threads",
            Self::Events => "events",
            Self::Walks => "walks",
        }
    }

    /// Whether the table has a column of this name.
    pub fn has_column(self, name: &str) -> bool {
        let schema = self.schema();
        let columns = schema.lines().filter_map(|line| line.strip_prefix("    "));
        let mut names = columns
            .filter(|line| !line.starts_with(' '))
            .filter_map(|line| Some(line.split(' ').nth(2)?.trim_end_matches(';')));
        names.any(|of| of == name)
    }

    /// Its columns as Parquet's message type.
    pub fn schema(self) -> Cow<'static, str> {
        let plain = match self {
            Self::Runs => schema::RUNS,
            Self::Methods => schema::METHODS,
            Self::Totals => return schema::with_columns(schema::TOTALS).into(),
            Self::Nodes => return schema::with_columns(schema::NODES).into(),
            Self::Edges => schema::EDGES,
            Self::Threads => schema::THREADS,
            Self::Events => schema::EVENTS,
            Self::Walks => schema::WALKS,
        };
        plain.into()
    }

    /// The rows of a profile.
    pub(crate) fn rows<'a>(self, profile: &'a Profile, shown: &'a Shown) -> Box<dyn Rows + 'a> {
        match self {
            Self::Runs => Box::new(RunRow::new(profile, shown)),
            Self::Methods => Box::new(MethodRows::new(profile)),
            Self::Totals => Box::new(TotalRows::new(profile, shown)),
            Self::Nodes => Box::new(NodeRows::new(profile, shown)),
            Self::Edges => Box::new(EdgeRows::new(profile, shown)),
            Self::Threads => Box::new(ThreadRows::new(profile, shown)),
            Self::Events => Box::new(EventRows::new(profile, shown)),
            Self::Walks => Box::new(WalkRows::new(profile)),
        }
    }
}
