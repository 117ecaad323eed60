//! The events of a tree's nodes, as the profile file has them: each class once.

use jfathom_plan::Problem;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::model::node_events::NodeEvents;
use crate::{EventKind, EventName, EventSum, NodeEvent, NodeIx, Tree};

/// A section of the profile file.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredEvents {
    /// The classes that events name, each once, ascending.
    classes: Vec<String>,
    /// Ascending by node and name. The class is one plus its place among the classes; zero for
    /// none.
    rows: Vec<(NodeIx, EventKind, u32, EventSum)>,
}

impl StoredEvents {
    pub fn of(tree: &Tree) -> Self {
        let all = tree.all_events();
        let mut classes: Vec<&Arc<str>> =
            all.iter().filter_map(|row| row.name.class.as_ref()).collect();
        classes.sort_unstable();
        classes.dedup();
        let place = |name: &EventName| {
            let class = name.class.as_ref().and_then(|class| classes.binary_search(&class).ok());
            class.map_or(0, |at| at as u32 + 1)
        };
        let row = |of: &NodeEvent| (of.node, of.name.kind, place(&of.name), of.sum);
        Self {
            rows: all.iter().map(row).collect(),
            classes: classes.iter().map(|class| class.to_string()).collect(),
        }
    }

    /// Gives a tree its events. An error names a contradiction.
    pub fn add_to(self, tree: &mut Tree) -> Result<(), Problem> {
        let classes: Vec<Arc<str>> = self.classes.into_iter().map(Arc::from).collect();
        let rows = self.rows.into_iter().map(|(node, kind, class, sum)| {
            let class = match (class as usize).checked_sub(1) {
                Some(at) => Some(classes.get(at).cloned().ok_or("an event of no class")?),
                None => None,
            };
            Ok(NodeEvent { node, name: EventName { kind, class }, sum })
        });
        let rows = rows.collect::<Result<_, Problem>>()?;
        tree.set_events(NodeEvents::checked(rows, tree.len())?);
        Ok(())
    }
}
