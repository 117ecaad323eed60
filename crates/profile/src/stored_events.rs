//! Events, as the profile file has them.

use serde::{Deserialize, Serialize};

use crate::node_events::NodeEvents;
use crate::stored_names::{NameClasses, StoredName};
use crate::{EventSource, EventSum, Events, NodeEvent, NodeIx, Profile};

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
        let rows = profile.tree.all_events();
        let events = &profile.events;
        let names = rows.iter().map(|row| &row.name).chain(events.outside.keys());
        let classes = NameClasses::of(names);
        Self {
            waits: events.waits,
            exceptions: events.exceptions,
            threshold_nanos: events.threshold_nanos,
            resolution_nanos: events.resolution_nanos,
            clock_error_nanos: events.clock_error_nanos,
            lost: events.lost,
            rows: rows.iter().map(|row| (row.node.0, classes.store(&row.name), row.sum)).collect(),
            outside: events.outside.iter().map(|(name, sum)| (classes.store(name), *sum)).collect(),
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
        };
        Ok(())
    }
}
