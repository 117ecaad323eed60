//! The hot methods.

use crate::row::{Row, Target, time_cells, total_cells};
use jfathom_calibration::Times;
use jfathom_compare::HotMethod;
use jfathom_profile::Frame;
use jfathom_views::{Shown, number::grouped};
use std::cmp::Ordering;

/// What the list is sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum SortedBy {
    #[default]
    SelfTime,
    TotalTime,
    Calls,
}

impl SortedBy {
    /// The next order.
    pub fn next(self) -> Self {
        match self {
            Self::SelfTime => Self::TotalTime,
            Self::TotalTime => Self::Calls,
            Self::Calls => Self::SelfTime,
        }
    }

    /// As in a title.
    pub fn text(self) -> &'static str {
        match self {
            Self::SelfTime => "self time",
            Self::TotalTime => "total time",
            Self::Calls => "calls",
        }
    }
}

/// Titles of the cells.
pub(crate) const TITLES: [&str; 6] = ["%", "self", "%", "total", "calls", "timed"];

/// All methods, the costliest first.
pub(crate) fn rows(shown: &Shown, by: SortedBy) -> Vec<Row> {
    let mut hot: Vec<(HotMethod, Times)> = shown
        .hot_methods()
        .into_iter()
        .map(|hot| {
            let measured = Times {
                self_nanos: shown.nanos(hot.self_time),
                total_nanos: shown.nanos(hot.total_time),
                ..Times::default()
            };
            (hot, if shown.is_corrected() { hot.times } else { measured })
        })
        .collect();
    hot.sort_by(|(a, of_a), (b, of_b)| {
        let first = match by {
            SortedBy::SelfTime => of_b.self_nanos.total_cmp(&of_a.self_nanos),
            SortedBy::TotalTime => of_b.total_nanos.total_cmp(&of_a.total_nanos),
            SortedBy::Calls => Ordering::Equal,
        };
        first.then(b.calls.cmp(&a.calls)).then(a.method.cmp(&b.method))
    });
    let row = |(hot, times): (HotMethod, Times)| {
        let has_time = hot.timed > 0;
        let [own_share, own] =
            time_cells(times.self_nanos, times.self_error_nanos, shown.whole, has_time);
        let [share, total] = total_cells(times, shown.whole, has_time);
        let timed = match hot.timed == hot.calls {
            true => String::new(),
            false => grouped(hot.timed),
        };
        let frame = Frame::Method(hot.method);
        Row {
            cells: vec![own_share, own, share, total, grouped(hot.calls), timed],
            level: 0,
            mark: ' ',
            name: shown.frame_name(frame),
            target: Target::Frame(frame),
        }
    };
    hot.into_iter().map(row).collect()
}
