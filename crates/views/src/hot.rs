//! The methods that cost most.

use crate::Shown;
use jfathom_calibration::Times;
use jfathom_compare::{Column, HotMethod};
use std::cmp::Ordering;

/// What hot methods are sorted by, the largest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// Time in the method itself.
    #[default]
    SelfTime,
    /// Time in the method and all that it calls.
    TotalTime,
    /// Calls.
    Calls,
    /// A column's value of the method itself; what was not read comes last.
    Column(&'static Column),
}

impl Sort {
    /// As in a title: `self time`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SelfTime => "self time",
            Self::TotalTime => "total time",
            Self::Calls => "calls",
            Self::Column(column) => column.name,
        }
    }
}

impl Shown<'_> {
    /// The sums of each method below the roots that are shown. Recursive calls are counted once in
    /// totals. Times are corrected, or as measured without an error bar.
    pub fn hot_methods(&self, by: Sort) -> Vec<HotMethod> {
        let mut hot = self.method_sums().to_vec();
        if !self.is_corrected() {
            for hot in &mut hot {
                hot.times = Times {
                    self_nanos: self.nanos(hot.self_time()),
                    total_nanos: self.nanos(hot.total_time()),
                    ..Times::default()
                };
            }
        }
        let own = |column: &Column, of: &HotMethod| {
            column.values(&self.method_cells(of))[0].known().unwrap_or(-1.0)
        };
        hot.sort_by(|a, b| {
            let by_time = match by {
                Sort::SelfTime => b.times.self_nanos.total_cmp(&a.times.self_nanos),
                Sort::TotalTime => b.times.total_nanos.total_cmp(&a.times.total_nanos),
                Sort::Calls => Ordering::Equal,
                Sort::Column(column) => own(column, b).total_cmp(&own(column, a)),
            };
            by_time.then(b.calls().cmp(&a.calls())).then(a.method.cmp(&b.method))
        });
        hot
    }
}
