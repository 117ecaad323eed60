//! Consecutive field descriptors (JVMS 4.3).

/// Kind of a field descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind<'d> {
    /// A primitive type, in this many stack slots.
    Number(usize),
    /// A class by its internal name, or an array by its descriptor.
    Class(&'d [u8]),
}

/// The descriptors of a parameter list, or of one field.
pub(crate) fn kinds(descriptors: &[u8]) -> impl Iterator<Item = Kind<'_>> {
    let mut rest = descriptors;
    std::iter::from_fn(move || {
        let dimensions = rest.iter().take_while(|&&b| b == b'[').count();
        let element = *rest.get(dimensions)?;
        let end = match element {
            b'L' => dimensions + rest.get(dimensions..)?.iter().position(|&b| b == b';')?,
            b'V' => return None,
            _ => dimensions,
        };
        let (this, after) = rest.split_at_checked(end + 1)?;
        rest = after;
        Some(match (dimensions, element) {
            (0, b'L') => Kind::Class(&this[1..end]),
            (0, b'J' | b'D') => Kind::Number(2),
            (0, _) => Kind::Number(1),
            _ => Kind::Class(this),
        })
    })
}
