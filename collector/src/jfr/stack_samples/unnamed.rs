//! Frames that the JVM does not name.
//!
//! Live, a class may get further probes while a call of one of its methods is open. The frame then
//! runs a version of the method that is no longer the class's, and JFR's files have no name for it
//! (17: `jfr print` fails on such a frame). Which call it is, time says.

use jfathom_jfr::SampledMethod;
use jfathom_profile::{MethodIx, Profile};
use std::collections::HashMap;

/// What is known of a frame's method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrameMethod {
    /// The profile has it.
    Recorded(MethodIx),
    /// It has no probes.
    Other,
    /// The JVM has not named it.
    Unnamed,
}

/// What is known of the methods of a recording beside the session, by their places.
pub(crate) fn frame_methods(profile: &Profile, sampled: &[SampledMethod]) -> Vec<FrameMethod> {
    let keys: HashMap<[&str; 3], MethodIx> = (0..)
        .map(MethodIx)
        .zip(&profile.methods)
        .map(|(ix, method)| {
            let key = &method.info.key;
            ([&*key.class, &*key.name, &*key.descriptor], ix)
        })
        .collect();
    let find = |of: &SampledMethod| match keys.get(&[&*of.class, &*of.name, &*of.descriptor]) {
        Some(method) => FrameMethod::Recorded(*method),
        None if of.name.is_empty() => FrameMethod::Unnamed,
        None => FrameMethod::Other,
    };
    sampled.iter().map(find).collect()
}

/// Whether calls are among the frames, in their order. A frame without a name may be any of them.
fn fits(frames: &[FrameMethod], calls: &[Option<MethodIx>]) -> bool {
    let mut calls = calls.iter();
    let mut next = calls.next();
    for frame in frames {
        let Some(call) = next else { return true };
        let is_call = match frame {
            FrameMethod::Recorded(method) => *call == Some(*method),
            FrameMethod::Other => false,
            FrameMethod::Unnamed => true,
        };
        if is_call {
            next = calls.next();
        }
    }
    next.is_none()
}

/// Names frames by the calls that were open, both outermost first, as far as the calls need them.
/// False, and nothing is named, if the frames cannot be these calls.
pub(crate) fn name_by_open_calls(frames: &mut [FrameMethod], open: &[Option<MethodIx>]) -> bool {
    if !fits(frames, open) {
        return false;
    }
    let mut open = open;
    let mut at = 0;
    while let (Some((call, inner)), Some((frame, later))) =
        (open.split_first(), frames.get_mut(at..).and_then(|rest| rest.split_first_mut()))
    {
        at += 1;
        let is_call = match frame {
            FrameMethod::Recorded(method) => *call == Some(*method),
            FrameMethod::Other => false,
            // It may as well be a method without probes.
            FrameMethod::Unnamed => !fits(later, open),
        };
        if !is_call {
            continue;
        }
        if let Some(method) = call {
            *frame = FrameMethod::Recorded(*method);
        }
        open = inner;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{FrameMethod::*, *};

    const A: MethodIx = MethodIx(1);
    const B: MethodIx = MethodIx(2);

    #[test]
    fn frames_without_a_name_are_the_open_calls_that_are_missing() {
        for (frames, open, named) in [
            (vec![Recorded(A), Other, Unnamed], vec![A, B], vec![Recorded(A), Other, Recorded(B)]),
            (vec![Unnamed, Recorded(A)], vec![A, A], vec![Recorded(A), Recorded(A)]),
            // Nothing is missing.
            (vec![Unnamed, Recorded(A), Unnamed], vec![A], vec![Unnamed, Recorded(A), Unnamed]),
            // The innermost of those that may be it.
            (vec![Unnamed, Unnamed], vec![B], vec![Unnamed, Recorded(B)]),
            (vec![Unnamed], vec![], vec![Unnamed]),
        ] {
            let mut found = frames.clone();
            let open: Vec<Option<MethodIx>> = open.into_iter().map(Some).collect();
            assert!(name_by_open_calls(&mut found, &open), "{frames:?}");
            assert_eq!(found, named);
        }
    }

    #[test]
    fn other_calls_name_nothing() {
        for (frames, open) in [
            (vec![Recorded(A), Unnamed], vec![B, A, A]),
            (vec![Recorded(A), Other], vec![A, B]),
            (vec![Unnamed], vec![A, B]),
            (vec![], vec![A]),
        ] {
            let mut found = frames.clone();
            let open: Vec<Option<MethodIx>> = open.into_iter().map(Some).collect();
            assert!(!name_by_open_calls(&mut found, &open), "{frames:?}");
            assert_eq!(found, frames);
        }
    }
}
