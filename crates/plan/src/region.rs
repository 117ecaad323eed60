//! Selectors of regions.

use crate::{
    LineRange, Problem, Selector, SelectorError,
    selector::{Expected, letters::letters},
};

/// Lines of methods: `com.acme.Engine::run:12-20`, `com.acme.Engine::run(I)V:12-20`. A single line
/// is `…:12`.
///
/// The part before the lines is a [`Selector`] of methods. Of those that it matches, the region is
/// in each that has one of the lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionSelector {
    text: String,
    /// The methods.
    pub method: Selector,
    /// The lines.
    pub lines: LineRange,
}

impl RegionSelector {
    /// Whether a text is meant as a region: a method's selector, `:` and a digit.
    pub fn is_meant(text: &str) -> bool {
        split(text).is_some()
    }
}

/// Method and lines.
fn split(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let letters = letters(text).ok()?;
    let colons: Vec<usize> =
        letters.iter().filter(|letter| letter.is(':')).map(|letter| letter.at).collect();
    let (&last, before) = colons.split_last()?;
    let has_member = before.windows(2).any(|pair| pair[0] + 1 == pair[1])
        || letters.iter().any(|letter| letter.is('#'));
    let (method, lines) = (&text[..last], &text[last + 1..]);
    let is_method = has_member && before.last().is_none_or(|before| before + 1 < last);
    (is_method && lines.starts_with(|c: char| c.is_ascii_digit())).then_some((method, lines))
}

impl std::str::FromStr for RegionSelector {
    type Err = SelectorError;

    fn from_str(text: &str) -> Result<Self, SelectorError> {
        let text = text.trim();
        let refuse = |problem: Problem| SelectorError::new(text, Expected::Region, problem);
        let Some((method, lines)) = split(text) else {
            return Err(refuse("it has no method with lines behind it".into()));
        };
        let method: Selector = method.parse()?;
        if method.is_exclusion() {
            return Err(refuse("a region cannot be excluded".into()));
        }
        let lines = lines.parse().map_err(refuse)?;
        Ok(Self { text: text.to_owned(), method, lines })
    }
}

impl std::fmt::Display for RegionSelector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

/// A root: methods, or a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RootSelector {
    /// Methods, or an exclusion.
    Methods(Selector),
    /// A region.
    Region(RegionSelector),
}

impl std::str::FromStr for RootSelector {
    type Err = SelectorError;

    fn from_str(text: &str) -> Result<Self, SelectorError> {
        match RegionSelector::is_meant(text) {
            true => text.parse().map(Self::Region),
            false => text.parse().map(Self::Methods),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_is_a_method_and_lines() {
        for text in [
            "a.B::run:12-20",
            "a.B::run(I)V:12-20",
            "a.B::<init>:12",
            "**.B::r*:1-2",
            "a.B#run:12",
            "a.B::run(int, String[]):12-20",
            "a.B::`x:7`:12-20",
        ] {
            let region: RegionSelector = text.parse().unwrap();
            assert_eq!(region.to_string(), text);
            assert!(matches!(text.parse().unwrap(), RootSelector::Region(_)));
        }
        let region: RegionSelector = " a.B::run(I)V:12 ".parse().unwrap();
        assert_eq!(region.method.to_string(), "a.B::run(I)V");
        assert_eq!(region.lines, LineRange::new(12, 12).unwrap());
    }

    #[test]
    fn what_is_no_region_is_refused_with_the_reason() {
        for (text, problem) in [
            ("a.B::run", "no method with lines"),
            ("a.B:12-20", "no method with lines"),
            ("a.B::1run", "no method with lines"),
            ("!a.B::run:12", "cannot be excluded"),
            ("a.B::run:20-12", "end before they begin"),
            ("a.B::run:1x", "no range of lines"),
        ] {
            let error = text.parse::<RegionSelector>().unwrap_err().to_string();
            assert!(error.contains(problem) && error.contains("run:12-20"), "{text}: {error}");
        }
        assert!("a.B::run:12".parse::<Selector>().is_err());
        for text in ["a.B::run", "a.B::`x:7`", "a.B::run(int): String"] {
            assert!(matches!(text.parse().unwrap(), RootSelector::Methods(_)), "{text}");
        }
    }
}
