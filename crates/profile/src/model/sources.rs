//! Who told a column, where recordings are added up.

/// What two recordings together say: `partly` if in one of them nobody asked, `mixed` if both asked
/// and were told by different sources, or one by none.
pub(crate) fn both_sources<S: Copy + PartialEq>(
    sides: [S; 2],
    unasked: S,
    partly: S,
    mixed: S,
) -> S {
    let [one, other] = sides;
    match one == other {
        true => one,
        false if sides.contains(&unasked) || sides.contains(&partly) => partly,
        false => mixed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_says_what_it_lacks() {
        let both = |one, other| both_sources([one, other], "unasked", "partly", "mixed");
        for (one, other, expected) in [
            ("unasked", "unasked", "unasked"),
            ("perf", "perf", "perf"),
            ("perf", "refused", "mixed"),
            ("mixed", "perf", "mixed"),
            ("unasked", "perf", "partly"),
            ("partly", "refused", "partly"),
        ] {
            assert_eq!((both(one, other), both(other, one)), (expected, expected));
        }
    }
}
