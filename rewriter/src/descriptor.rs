//! Field and method descriptors (JVMS 4.3).

/// The parameters of a method descriptor, one after another; ends early where the descriptor is
/// malformed.
#[derive(Clone, Debug)]
pub(crate) struct Parameters<'d> {
    rest: &'d [u8],
}

impl<'d> Parameters<'d> {
    pub(crate) fn of(descriptor: &'d [u8]) -> Self {
        Self { rest: descriptor.strip_prefix(b"(").unwrap_or_default() }
    }
}

impl<'d> Iterator for Parameters<'d> {
    type Item = &'d [u8];

    fn next(&mut self) -> Option<&'d [u8]> {
        let dimensions = self.rest.iter().take_while(|&&b| b == b'[').count();
        let length = match self.rest.get(dimensions)? {
            b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' => dimensions + 1,
            b'L' => self.rest.iter().position(|&b| b == b';')? + 1,
            _ => return None,
        };
        let (parameter, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(parameter)
    }
}

/// How many local variables or operand stack words a value of this type takes (JVMS 2.6.1).
pub(crate) fn words(field_descriptor: &[u8]) -> u16 {
    if matches!(field_descriptor, b"J" | b"D") { 2 } else { 1 }
}

/// The class name in a field descriptor such as `Ljava/lang/Runnable;`.
pub(crate) fn class_name(field_descriptor: &[u8]) -> Option<&[u8]> {
    field_descriptor.strip_prefix(b"L")?.strip_suffix(b";")
}

/// The parameter part of a method descriptor, without its parentheses, and its return type.
pub(crate) fn split(descriptor: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = descriptor.iter().position(|&b| b == b')')?;
    Some((descriptor.get(1..end)?, descriptor.get(end + 1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_of_every_kind() {
        let all: Vec<_> = Parameters::of(b"(I[JLa/B;[[Lc/D;D)V").collect();
        assert_eq!(all, [&b"I"[..], b"[J", b"La/B;", b"[[Lc/D;", b"D"]);
        assert_eq!(all.iter().map(|p| words(p)).sum::<u16>(), 6);
        assert_eq!(Parameters::of(b"()V").count(), 0);
    }

    #[test]
    fn damage_ends_the_walk() {
        for bad in [&b""[..], b"(", b"(L", b"(La/B", b"([", b"(Q)V", b"I)V"] {
            assert_eq!(Parameters::of(bad).count(), 0, "{}", String::from_utf8_lossy(bad));
        }
        assert_eq!(split(b"(I"), None);
        assert_eq!(split(b")V"), None);
        assert_eq!(split(b"(I)V"), Some((&b"I"[..], &b"V"[..])));
    }
}
