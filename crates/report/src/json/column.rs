//! The values of columns, as the table of columns has them.

use jfathom_profile::Profile;
use jfathom_views::{Cells, Certainty};
use std::collections::BTreeMap;

/// By name, the columns that the profile has.
pub(super) type Columns = BTreeMap<&'static str, Column>;

pub(super) fn columns(profile: &Profile, cells: &Cells<'_>) -> Columns {
    let json = |column: &jfathom_views::Column| {
        (column.key, Column::of(column.has_bar, column.values(cells)))
    };
    jfathom_views::Column::of(profile).map(json).collect()
}

fn whole(number: f64) -> u64 {
    number.round() as u64
}

fn is_least(value: jfathom_views::Value) -> bool {
    matches!(value.certainty, Certainty::AtLeast(_))
}

object! {
    /// A column that was recorded, as in the [CSV](exports.md): `parked`, `cpu`, `preempted`,
    /// `blocked`, `not_running`, `unknown` in ns, of the (corrected) times; `alloc` in bytes;
    /// `switches`.
    Column(has_bar: bool, values: [Option<jfathom_views::Value>; 2]) {
        /// null if not known: `alloc` of counted calls, or not read; `preempted`, `blocked` and
        /// `switches` by `thread-clock`, `mixed`
        #[serde(rename = "self")]
        own: Option<u64> = values[0].map(|of| whole(of.number)),
        /// with callees
        total: Option<u64> = values[1].map(|of| whole(of.number)),
        /// of `cpu`: for unknown switches or readings only
        #[serde(skip_serializing_if = "Option::is_none")]
        self_bar: Option<u64> = values[0].filter(|_| has_bar).map(|of| whole(of.bar())),
        #[serde(skip_serializing_if = "Option::is_none")]
        total_bar: Option<u64> = values[1].filter(|_| has_bar).map(|of| whole(of.bar())),
        /// much of it is not known
        #[serde(skip_serializing_if = "Option::is_none")]
        is_least: Option<bool> = has_bar.then(|| values.into_iter().flatten().any(is_least)),
    }
}
