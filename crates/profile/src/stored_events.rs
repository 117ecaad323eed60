//! Events, as the profile file has them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::node_events::NodeEvents;
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

/// The kind's place in [`EventKind::ALL`], and one plus the place of the class; zero without one.
type StoredName = (u8, u32);

impl StoredEvents {
    pub fn of(profile: &Profile) -> Self {
        // Caught exceptions have a part of their own: readers of this one know no such kind.
        let is_here = |name: &EventName| name.kind != EventKind::Caught;
        let rows = || profile.tree.all_events().iter().filter(|row| is_here(&row.name));
        let events = &profile.events;
        let outside = || events.outside.iter().filter(|(name, _)| is_here(name));
        let names = rows().map(|row| &row.name).chain(outside().map(|(name, _)| name));
        let mut classes: Vec<&Arc<str>> = names.filter_map(|name| name.class.as_ref()).collect();
        classes.sort_unstable();
        classes.dedup();
        let stored = |name: &EventName| {
            let kind = EventKind::ALL.iter().position(|kind| *kind == name.kind).unwrap_or(0);
            let class = name.class.as_ref().and_then(|class| classes.binary_search(&class).ok());
            (kind as u8, class.map_or(0, |at| at as u32 + 1))
        };
        Self {
            waits: events.waits,
            exceptions: events.exceptions,
            threshold_nanos: events.threshold_nanos,
            resolution_nanos: events.resolution_nanos,
            clock_error_nanos: events.clock_error_nanos,
            lost: events.lost,
            rows: rows().map(|row| (row.node.0, stored(&row.name), row.sum)).collect(),
            outside: outside().map(|(name, sum)| (stored(name), *sum)).collect(),
            classes: classes.iter().map(|class| class.to_string()).collect(),
        }
    }

    /// Gives the profile what it lacks. An error names a contradiction.
    pub fn add_to(self, profile: &mut Profile) -> Result<(), String> {
        let classes: Vec<Arc<str>> = self.classes.into_iter().map(Arc::from).collect();
        if !classes.is_sorted_by(|a, b| a < b) {
            return Err("classes of events that are in no order".to_owned());
        }
        let named = |(kind, class): StoredName| {
            let kind = EventKind::ALL.get(usize::from(kind)).copied();
            let class = match (class as usize).checked_sub(1) {
                Some(at) => classes.get(at).cloned().map(Some),
                None => Some(None),
            };
            match (kind, class) {
                (Some(kind), Some(class)) => Ok(EventName { kind, class }),
                _ => Err("an event of a kind or class that is not there".to_owned()),
            }
        };
        let rows = self
            .rows
            .into_iter()
            .map(|(node, name, sum)| Ok(NodeEvent { node: NodeIx(node), name: named(name)?, sum }));
        let rows = NodeEvents::checked(rows.collect::<Result<_, String>>()?, profile.tree.len())?;
        profile.tree.set_events(rows);
        let outside = self.outside.into_iter().map(|(name, sum)| Ok((named(name)?, sum)));
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
