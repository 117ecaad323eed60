//! Texts with unknown parts.

/// A gap: any text. Modified UTF-8 has no zero byte (JVMS 4.4.7).
const ANY: u8 = 0;
/// Bytes from 1 to this one stand for the method's parameters, the first reference first. Names
/// have no such characters. A constant with one counts as unknown.
const LAST_PARAMETER: u8 = 8;
/// Longer texts are not names.
const MAX_LENGTH: usize = 1024;

/// A text with gaps, in modified UTF-8.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Pattern(Vec<u8>);

impl Pattern {
    /// Any text.
    pub(crate) fn any() -> Self {
        Self(vec![ANY])
    }

    /// A known text.
    pub(crate) fn text(text: &[u8]) -> Self {
        if text.len() > MAX_LENGTH || text.iter().any(|&b| b <= LAST_PARAMETER) {
            return Self::any();
        }
        Self(text.to_vec())
    }

    /// The text in a parameter, numbered from 0.
    pub(crate) fn parameter(number: usize) -> Self {
        match u8::try_from(number + 1) {
            Ok(byte) if byte <= LAST_PARAMETER => Self(vec![byte]),
            _ => Self::any(),
        }
    }

    /// This text, then the next.
    pub(crate) fn then(&self, next: &Self) -> Self {
        if self.0.len() + next.0.len() > MAX_LENGTH {
            return Self::any();
        }
        let mut all = self.0.clone();
        let rest = match (all.last(), next.0.split_first()) {
            (Some(&ANY), Some((&ANY, rest))) => rest,
            _ => &next.0,
        };
        all.extend_from_slice(rest);
        Self(all)
    }

    /// The text, if all of it is known.
    pub(crate) fn exact(&self) -> Option<&[u8]> {
        self.0.iter().all(|&b| b > LAST_PARAMETER).then_some(&self.0)
    }

    /// Whether callers decide a part of it.
    pub(crate) fn depends_on_parameters(&self) -> bool {
        self.0.iter().any(|b| (1..=LAST_PARAMETER).contains(b))
    }

    /// Number of known bytes, without those that most names have: dots, slashes and the like.
    pub(crate) fn known_bytes(&self) -> usize {
        self.0.iter().filter(|&&b| b.is_ascii_alphanumeric() || !b.is_ascii()).count()
    }

    /// The known part before the first gap.
    pub(crate) fn prefix(&self) -> &[u8] {
        let end = self.0.iter().position(|&b| b <= LAST_PARAMETER).unwrap_or(self.0.len());
        &self.0[..end]
    }

    /// Replaces a byte in the known parts.
    pub(crate) fn replace(&self, old: u8, new: u8) -> Self {
        if old <= LAST_PARAMETER || new <= LAST_PARAMETER || !old.is_ascii() || !new.is_ascii() {
            return Self::any();
        }
        Self(self.0.iter().map(|&b| if b == old { new } else { b }).collect())
    }

    /// Puts a caller's arguments into the text: `argument` gives the patterns of a parameter. The
    /// result is one pattern per combination, `most` of them at most. Beyond that the gap stays.
    pub(crate) fn substitute(
        &self,
        argument: &mut dyn FnMut(usize) -> Vec<Self>,
        most: usize,
    ) -> Vec<Self> {
        let mut all = vec![Self(Vec::new())];
        for part in self.0.chunk_by(|a, b| *a > LAST_PARAMETER && *b > LAST_PARAMETER) {
            let choices = match part {
                [byte @ 1..=LAST_PARAMETER] => argument(usize::from(byte - 1)),
                part => vec![Self(part.to_vec())],
            };
            let fits = !choices.is_empty() && all.len() * choices.len() <= most;
            let choices = if fits { choices } else { vec![Self::any()] };
            all = all
                .iter()
                .flat_map(|start| choices.iter().map(|choice| start.then(choice)))
                .collect();
        }
        all
    }

    /// Whether the pattern matches a text. A gap matches any text, also an empty one.
    pub(crate) fn matches(&self, text: &[u8]) -> bool {
        let mut parts = self.0.split(|&b| b <= LAST_PARAMETER);
        let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else {
            return false;
        };
        let Some(last) = parts.next_back() else { return rest.is_empty() };
        for part in parts.filter(|part| !part.is_empty()) {
            let Some(at) = rest.windows(part.len()).position(|window| window == part) else {
                return false;
            };
            rest = &rest[at + part.len()..];
        }
        rest.ends_with(last)
    }

    /// The bytes. Gaps are zero bytes, parameters their numbers plus one.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Pattern {
        Pattern::text(text.as_bytes())
    }

    #[test]
    fn gaps_match_any_text() {
        let any = Pattern::any();
        let middle = text("a.").then(&any).then(&text("Impl"));
        for (name, fits) in
            [("a.Impl", true), ("a.b.FooImpl", true), ("a.Foo", false), ("b.FooImpl", false)]
        {
            assert_eq!(middle.matches(name.as_bytes()), fits, "{name}");
        }
        assert!(any.then(&text("__init")).matches(b"core__init") && any.matches(b""));
        assert!(text("a").matches(b"a") && !text("a").matches(b"ab"));
        let twice = any.then(&text("x")).then(&any).then(&text("x"));
        assert!(twice.matches(b"xx") && !twice.matches(b"x"));
    }

    #[test]
    fn callers_fill_in_parameters() {
        let pattern = text("a.").then(&Pattern::parameter(1)).then(&text("X"));
        assert!(pattern.depends_on_parameters() && pattern.exact().is_none());
        let mut asked = Vec::new();
        let filled = pattern.substitute(
            &mut |number| {
                asked.push(number);
                vec![text("B"), text("C")]
            },
            8,
        );
        assert_eq!((filled, asked), (vec![text("a.BX"), text("a.CX")], vec![1]));
        assert_eq!(
            pattern.substitute(&mut |_| vec![text("B"), text("C")], 1),
            [text("a.").then(&Pattern::any()).then(&text("X"))]
        );
    }

    #[test]
    fn what_is_no_text_of_a_name_is_unknown() {
        assert_eq!(Pattern::text(b"a\x01b"), Pattern::any());
        assert_eq!(Pattern::parameter(99), Pattern::any());
        assert_eq!(text("a/b").replace(b'/', b'.'), text("a.b"));
    }
}
