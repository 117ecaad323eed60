//! The values of columns, as the table of columns has them.

use jfathom_compare::{Cells, Value};
use jfathom_profile::Profile;
use std::collections::BTreeMap;

/// By name, the columns that the profile has.
pub(super) type Columns = BTreeMap<&'static str, Column>;

pub(super) fn columns(profile: &Profile, cells: &Cells<'_>) -> Columns {
    let json = |column: &jfathom_compare::Column| {
        (column.key, Column::of(column.has_bar, column.values(cells)))
    };
    jfathom_compare::Column::of(profile).map(json).collect()
}

fn whole(number: f64) -> u64 {
    number.round() as u64
}

/// The bar of a value that there is, of a column with bars.
fn bar(has_bar: bool, value: Value) -> Option<u64> {
    value.known().filter(|_| has_bar).map(|_| whole(value.bar()))
}

object! {
    /// A column that was recorded, as in the [CSV](exports.md): `parked`, `cpu`, `preempted`,
    /// `blocked`, `not_running`, `unknown` in ns, of the (corrected) times; `alloc` in bytes;
    /// `switches`. By `thread-clock` and `mixed` there are no `preempted`, `blocked`, `switches`.
    Column(has_bar: bool, values: [Value; 2]) {
        /// null if not read: `alloc` of counted calls, or of methods that do not
        #[serde(rename = "self")]
        own: Option<u64> = values[0].known().map(whole),
        /// with callees
        total: Option<u64> = values[1].known().map(whole),
        /// of `cpu`: for unknown switches or readings only
        #[serde(skip_serializing_if = "Option::is_none")]
        self_bar: Option<u64> = bar(has_bar, values[0]),
        #[serde(skip_serializing_if = "Option::is_none")]
        total_bar: Option<u64> = bar(has_bar, values[1]),
        /// much of it is not known, or not all recordings have it; absent if exact
        #[serde(skip_serializing_if = "Option::is_none")]
        is_least: Option<bool> =
            Some(values.into_iter().any(Value::is_least)).filter(|is_least| *is_least || has_bar),
    }
}
