//! The methods that cost most.

use crate::{Shown, method_cpu};
use jfathom_calibration::Times;
use jfathom_compare::HotMethod;
use jfathom_profile::Bytes;
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
    /// Bytes that were allocated in the method itself.
    Allocated,
    /// Time in which threads ran in the method itself.
    Running,
}

impl Sort {
    /// As in a title: `self time`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SelfTime => "self time",
            Self::TotalTime => "total time",
            Self::Calls => "calls",
            Self::Allocated => "allocated bytes",
            Self::Running => "running time",
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
        let running = |hot: &HotMethod| {
            method_cpu(self.profile, hot, self.is_corrected()).map_or(0.0, |[own, _]| own.running)
        };
        hot.sort_by(|a, b| {
            let by_time = match by {
                Sort::SelfTime => b.times.self_nanos.total_cmp(&a.times.self_nanos),
                Sort::TotalTime => b.times.total_nanos.total_cmp(&a.times.total_nanos),
                Sort::Calls => Ordering::Equal,
                Sort::Allocated => self.own_bytes(b).cmp(&self.own_bytes(a)),
                Sort::Running => running(b).total_cmp(&running(a)),
            };
            by_time.then(b.calls().cmp(&a.calls())).then(a.method.cmp(&b.method))
        });
        hot
    }

    /// A method's own bytes, to be sorted by: those that are not known come last.
    fn own_bytes(&self, of: &HotMethod) -> Option<Bytes> {
        self.method_bytes(of).map(|[own, _]| own)
    }
}
