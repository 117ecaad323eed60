//! The order of methods, as an option.

use clap::builder::PossibleValue;
use jfathom_compare::COLUMNS;
use jfathom_views::Sort;
use std::sync::LazyLock;

/// What methods are sorted by: a time, calls, or a column's value of the method itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SortBy(pub Sort);

static ORDERS: LazyLock<Vec<SortBy>> = LazyLock::new(|| {
    let columns = COLUMNS.iter().map(Sort::Column);
    [Sort::SelfTime, Sort::TotalTime, Sort::Calls].into_iter().chain(columns).map(SortBy).collect()
});

impl clap::ValueEnum for SortBy {
    fn value_variants<'a>() -> &'a [Self] {
        &ORDERS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self.0 {
            Sort::SelfTime => PossibleValue::new("self"),
            Sort::TotalTime => PossibleValue::new("total"),
            Sort::Calls => PossibleValue::new("calls"),
            Sort::Column(column) => PossibleValue::new(column.key)
                .help(format!("{} (record --metrics {})", column.name, column.option)),
        })
    }
}
