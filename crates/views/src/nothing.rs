//! Why there is nothing to write.

use crate::{Scope, Shown, StackWeight};
use jfathom_profile::{Frame, Profile};

/// Why a profile, or the part of it that is shown, has nothing of what an output consists of. Its
/// text is what the user reads behind the profile's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Nothing {
    /// No call at all.
    #[error("it has no calls; record while the program calls the recorded methods")]
    NoCalls,
    /// Calls on virtual threads only, without a call tree.
    #[error(
        "all its calls were on virtual threads and counted without call paths; `jfathom report \
         --view virtual-threads` shows them"
    )]
    OnlyVirtualCalls,
    /// No call in the part that was chosen.
    #[error("the chosen threads and call paths have no calls; choose others with --filter")]
    NotInPart,
    /// Calls, all of them counted.
    #[error(
        "its calls were counted and not timed, so they have no times; record with --budget none \
         and without --probe, or see the calls alone: `jfathom report --as collapsed --weight \
         calls`"
    )]
    OnlyCounted,
    /// Without the probes' cost no time is above zero.
    #[error(
        "without the probes' cost none of its times is above zero; --filter times=measured has \
         them as measured"
    )]
    OnlyProbes,
    /// No slow call was to be kept.
    #[error(
        "no slow calls are kept in it; `jfathom record --slowest 20` keeps them, and `jfathom \
         merge --as minimum` does not"
    )]
    NoSlowCalls,
    /// Slow calls were to be kept, and no call of a root or task ended.
    #[error("it keeps slow calls, but no recorded call of a root or task ended")]
    NoEndedCalls,
    /// Slow calls, and none with its records.
    #[error(
        "its slow calls were kept without what they called, for which there was no room; record \
         with fewer: `jfathom record --slowest 5`"
    )]
    NoSlowRecords,
    /// No method's stacks were to be walked.
    #[error(
        "no stacks were walked; `jfathom record --probe 'METHOD=time+stack/101'` has them walked"
    )]
    NotWalked,
    /// Stacks were to be walked, and there is none: too few calls, or the JVM kept none.
    #[error(
        "no stack was walked, or the JVM kept none of them; `jfathom report --view walks` says \
         which"
    )]
    NoWalks,
}

impl Nothing {
    /// Why no call path has a weight that an output could show, if none has.
    pub fn of_paths(shown: &Shown, scope: &Scope, weight: StackWeight) -> Option<Self> {
        let has_weight = |weight| {
            shown.all_nodes().any(|node| match weight {
                StackWeight::SelfTime => shown.self_time(node).round() > 0.0,
                StackWeight::Calls => match shown.tree.frame(node) {
                    Frame::Thread(_) => false,
                    Frame::Method(_) | Frame::Task(_) => shown.tree.calls(node) > 0,
                },
            })
        };
        if has_weight(weight) {
            return None;
        }
        if weight == StackWeight::SelfTime && has_weight(StackWeight::Calls) {
            let is_measured = shown.all_nodes().any(|node| shown.tree.self_time(node).0 > 0);
            return Some(if is_measured { Self::OnlyProbes } else { Self::OnlyCounted });
        }
        let methods = &shown.profile.methods;
        Some(if scope.thread.is_some() || !scope.filters.is_empty() {
            Self::NotInPart
        } else if methods.iter().any(|method| method.virtual_calls > 0) {
            Self::OnlyVirtualCalls
        } else {
            Self::NoCalls
        })
    }

    /// Why there is no slow call with its records, if there is none.
    pub fn of_slow_calls(profile: &Profile) -> Option<Self> {
        let latencies = &profile.latencies;
        if latencies.slowest.iter().any(|call| !call.spans.is_empty()) {
            return None;
        }
        Some(if !latencies.slowest.is_empty() || latencies.slowest_without_spans > 0 {
            Self::NoSlowRecords
        } else if latencies.most_slowest > 0 {
            Self::NoEndedCalls
        } else {
            Self::NoSlowCalls
        })
    }

    /// Why there is no walked stack, if there is none.
    pub fn of_walks(profile: &Profile) -> Option<Self> {
        let walks = &profile.stack_walks;
        if !walks.is_recorded() {
            return Some(Self::NotWalked);
        }
        walks.tree.roots().next().is_none().then_some(Self::NoWalks)
    }
}

impl From<Nothing> for std::io::Error {
    fn from(nothing: Nothing) -> Self {
        Self::new(std::io::ErrorKind::InvalidData, nothing)
    }
}
