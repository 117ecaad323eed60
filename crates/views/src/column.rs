//! What is shown of the columns that a profile may have: their values of nodes and methods, as
//! text.

use crate::{Shown, number};
use jfathom_compare::{Cells, Certainty, Column, ColumnUnit, HotMethod, Prominence, Value};
use jfathom_profile::{NodeIx, Profile};

/// The columns that tables of text have.
pub fn text_columns(profile: &Profile) -> Vec<&'static Column> {
    Column::seen(profile, Prominence::Listed).collect()
}

/// A number of a column, with its sign.
pub fn number_text(unit: ColumnUnit, of: f64) -> String {
    let sign = if of.round() < 0.0 { "-" } else { "" };
    let whole = of.abs().round() as u64;
    match unit {
        ColumnUnit::Nanos => number::signed(of),
        ColumnUnit::Bytes => format!("{sign}{}", number::size(whole)),
        ColumnUnit::Count => format!("{sign}{}", number::grouped(whole)),
    }
}

/// A value as a cell of a table: `-` where it was not read, empty for none.
pub fn value_text(column: &Column, value: Value) -> String {
    let text = number_text(column.unit, value.number);
    match value.certainty {
        Certainty::NotRead => "-".to_owned(),
        Certainty::AtLeast(_) => format!("≥ {}", text.trim()),
        _ if value.number < 1.0 => String::new(),
        _ => text,
    }
}

/// The time in which threads were blocked: own, and with all callees. None where that is not told
/// from preempted times.
pub fn blocked_nanos(of: &Cells<'_>) -> [Option<f64>; 2] {
    Column::of_key("blocked").map_or([None; 2], |column| column.values(of).map(Value::known))
}

impl Shown<'_> {
    /// What the values of a node are made of.
    pub fn cells(&self, node: NodeIx) -> Cells<'_> {
        let own = (self.tree.numbers(node), self.self_time(node));
        let total = (self.tree.totals(node), self.total(node));
        Cells::new(self.profile, [own, total], self.bytes(node).is_some())
    }

    /// The same of a method's calls that are shown.
    pub fn method_cells(&self, of: &HotMethod) -> Cells<'_> {
        let has_read = self.method_bytes(of).is_some();
        Cells::of_method(self.profile, of, self.is_corrected(), has_read)
    }
}
