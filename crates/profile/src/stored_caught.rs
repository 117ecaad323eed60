//! Caught exceptions, as the profile file has them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::node_events::NodeEvents;
use crate::{EventKind, EventName, EventSource, EventSum, NodeEvent, NodeIx, Profile, Ticks};

/// A part of the profile file.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredCaught {
    caught: EventSource,
    /// The classes that rows have, each once, ascending.
    classes: Vec<String>,
    /// Node, one plus the place of the class, zero if it is not known, and how many; ascending.
    rows: Vec<(u32, u32, u64)>,
}

impl StoredCaught {
    pub fn of(profile: &Profile) -> Self {
        let all = profile.tree.all_events().iter();
        let rows = || all.clone().filter(|row| row.name.kind == EventKind::Caught);
        let mut classes: Vec<&Arc<str>> =
            rows().filter_map(|row| row.name.class.as_ref()).collect();
        classes.sort_unstable();
        classes.dedup();
        let place = |name: &EventName| {
            let class = name.class.as_ref().and_then(|class| classes.binary_search(&class).ok());
            class.map_or(0, |at| at as u32 + 1)
        };
        Self {
            caught: profile.events.caught,
            rows: rows().map(|row| (row.node.0, place(&row.name), row.sum.count)).collect(),
            classes: classes.iter().map(|class| class.to_string()).collect(),
        }
    }

    /// Gives the profile what it lacks, after its other events. An error names a contradiction.
    pub fn add_to(self, profile: &mut Profile) -> Result<(), String> {
        let classes: Vec<Arc<str>> = self.classes.into_iter().map(Arc::from).collect();
        let mut rows: Vec<NodeEvent> = profile.tree.all_events().to_vec();
        for (node, class, count) in self.rows {
            let class = match (class as usize).checked_sub(1) {
                Some(at) => Some(classes.get(at).cloned().ok_or("a class that is not there")?),
                None => None,
            };
            let name = EventName { kind: EventKind::Caught, class };
            let sum = EventSum { count, time: Ticks(0) };
            rows.push(NodeEvent { node: NodeIx(node), name, sum });
        }
        rows.sort_by(|a, b| (a.node, &a.name).cmp(&(b.node, &b.name)));
        profile.tree.set_events(NodeEvents::checked(rows, profile.tree.len())?);
        profile.events.caught = self.caught;
        Ok(())
    }
}
