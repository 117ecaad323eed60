//! Profiles of which both have read what they allocate in the same methods.

use std::borrow::Cow;

use jfathom_profile::{MethodIx, Profile};

/// Both sides with the same methods that have read what they allocate: what one side has not read
/// is among the same callers' bytes on both. `methods` has the places of each method on both sides.
/// Counted calls read nothing.
pub(super) fn aligned<'p>(
    profiles: [&'p Profile; 2],
    methods: &[[Option<MethodIx>; 2]],
) -> [Cow<'p, Profile>; 2] {
    let mut aligned = profiles.map(Cow::Borrowed);
    let lacks = |side: usize, at: MethodIx| {
        profiles[side].allocation.is_recorded() && !profiles[side].knows_bytes_of(at)
    };
    for places in methods {
        let of = [0, 1].map(|side: usize| places[side].is_some_and(|at| lacks(side, at)));
        for (side, place) in places.iter().enumerate() {
            let Some(at) = place.filter(|_| of != [false; 2] && !of[side]) else { continue };
            if let Some(method) = aligned[side].to_mut().methods.get_mut(at.0 as usize) {
                method.is_unread = true;
            }
        }
    }
    for side in &mut aligned {
        if let Cow::Owned(profile) = side {
            profile.lift_unread_bytes();
        }
    }
    aligned
}
