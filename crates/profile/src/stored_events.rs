//! Events, as the profile file has them.

use serde::{Deserialize, Serialize};

use crate::node_events::NodeEvents;
use crate::stored_names::{NameClasses, StoredName};
use crate::{EventKind, EventName, EventSource, EventSum, Events, NodeEvent, NodeIx, Profile};

/// A part of the profile file.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredEvents {
    waits: EventSource,
    exceptions: EventSource,
    threshold_nanos: u64,
    resolution_nanos: u64,
    clock_error_nanos: u64,
    lost: u64,
    /// The classes that names have, each once, ascending.
    classes: Vec<String>,
    /// Ascending by node and name.
    rows: Vec<(u32, StoredName, EventSum)>,
    /// Ascending by name.
    outside: Vec<(StoredName, EventSum)>,
}

impl StoredEvents {
    pub fn of(profile: &Profile) -> Self {
        // Caught exceptions have a part of their own: readers of this one know no such kind.
        let is_here = |name: &EventName| name.kind != EventKind::Caught;
        let rows = || profile.tree.all_events().iter().filter(|row| is_here(&row.name));
        let events = &profile.events;
        let outside = || events.outside.iter().filter(|(name, _)| is_here(name));
        let names = rows().map(|row| &row.name).chain(outside().map(|(name, _)| name));
        let classes = NameClasses::of(names);
        Self {
            waits: events.waits,
            exceptions: events.exceptions,
            threshold_nanos: events.threshold_nanos,
            resolution_nanos: events.resolution_nanos,
            clock_error_nanos: events.clock_error_nanos,
            lost: events.lost,
            rows: rows().map(|row| (row.node.0, classes.store(&row.name), row.sum)).collect(),
            outside: outside().map(|(name, sum)| (classes.store(name), *sum)).collect(),
            classes: classes.stored(),
        }
    }

    /// Gives the profile what it lacks. An error names a contradiction.
    pub fn add_to(self, profile: &mut Profile) -> Result<(), String> {
        let classes = NameClasses::read(self.classes)?;
        let rows = self.rows.into_iter().map(|(node, name, sum)| {
            Ok(NodeEvent { node: NodeIx(node), name: classes.name(name)?, sum })
        });
        let rows = NodeEvents::checked(rows.collect::<Result<_, String>>()?, profile.tree.len())?;
        profile.tree.set_events(rows);
        let outside = self.outside.into_iter().map(|(name, sum)| Ok((classes.name(name)?, sum)));
        profile.events = Events {
            waits: self.waits,
            exceptions: self.exceptions,
            threshold_nanos: self.threshold_nanos,
            resolution_nanos: self.resolution_nanos,
            clock_error_nanos: self.clock_error_nanos,
            lost: self.lost,
            outside: outside.collect::<Result<_, String>>()?,
            ..Events::default()
        };
        Ok(())
    }
}
