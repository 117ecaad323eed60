//! Events that are found to be in another node.

use std::collections::BTreeMap;

use crate::model::node_events::NodeEvents;
use crate::{EventName, EventSum, NodeEvent, NodeIx, Ticks, Tree};

/// Events without a time that belong to another node than the one that has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventMove {
    /// The node that has them.
    pub from: NodeIx,
    /// The one to which they belong.
    pub to: NodeIx,
    /// What they tell.
    pub name: EventName,
    /// How many.
    pub count: u64,
}

impl Tree {
    /// Moves events between nodes. No more are moved than are there, and times stay, so all sums of
    /// the tree stay as they are. Moves to a node that is not there are left out.
    pub fn move_events(&mut self, moves: Vec<EventMove>) {
        let rows = self.all_events().iter().cloned();
        let mut rows: BTreeMap<(NodeIx, EventName), EventSum> =
            rows.map(|NodeEvent { node, name, sum }| ((node, name), sum)).collect();
        for EventMove { from, to, name, count } in moves {
            if to.0 as usize >= self.len() {
                continue;
            }
            let key = (from, name);
            let Some(sum) = rows.get_mut(&key) else { continue };
            let count = count.min(sum.count);
            sum.count -= count;
            rows.entry((to, key.1)).or_default().add(EventSum { count, time: Ticks(0) });
        }
        let rows = rows.into_iter().filter(|(_, sum)| !sum.is_zero());
        let rows = rows.map(|((node, name), sum)| NodeEvent { node, name, sum });
        self.set_events(NodeEvents::from_sorted(rows.collect()));
    }
}
