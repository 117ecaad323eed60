//! The events of the slowest calls, as the profile file has them.

use serde::{Deserialize, Serialize};

use crate::stored_names::{NameClasses, StoredName};
use crate::{EventSum, Profile, SpanEvent};

/// A part of the profile file.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredSlowEvents {
    /// The classes that names have, each once, ascending.
    classes: Vec<String>,
    /// The slow calls that have any, ascending. Rows ascend by span and name.
    calls: Vec<(u32, Vec<Row>)>,
}

/// Place of the span, name and sum.
type Row = (u32, StoredName, EventSum);

impl StoredSlowEvents {
    pub fn of(profile: &Profile) -> Self {
        let slowest = &profile.latencies.slowest;
        let names = slowest.iter().flat_map(|call| &call.events).map(|of| &of.name);
        let classes = NameClasses::of(names);
        let calls = (0..).zip(slowest).filter(|(_, call)| !call.events.is_empty());
        let row = |of: &SpanEvent| (of.span, classes.store(&of.name), of.sum);
        Self {
            calls: calls.map(|(at, call)| (at, call.events.iter().map(row).collect())).collect(),
            classes: classes.stored(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Gives the profile what it lacks. An error names a contradiction.
    pub fn add_to(self, profile: &mut Profile) -> Result<(), String> {
        let classes = NameClasses::read(self.classes)?;
        let (methods, threads) = (profile.methods.len(), profile.threads.len());
        for (at, rows) in self.calls {
            let call = profile.latencies.slowest.get_mut(at as usize);
            let call = call.ok_or_else(|| format!("events of slowest call {at}, of none"))?;
            let rows = rows
                .into_iter()
                .map(|(span, name, sum)| Ok(SpanEvent { span, name: classes.name(name)?, sum }));
            call.events = rows.collect::<Result<_, String>>()?;
            call.check(methods, threads)?;
        }
        Ok(())
    }
}
