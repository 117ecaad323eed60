//! Values on the operand stack.

use super::Pattern;
use crate::NameId;

/// Bound on the texts of one value.
pub(super) const MOST_TEXTS: usize = 16;

/// The possible texts of a value. Never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Texts(Vec<Pattern>);

impl Texts {
    pub(crate) fn one(pattern: Pattern) -> Self {
        Self(vec![pattern])
    }

    /// These patterns, sorted and each once. If there are none or too many, any text.
    pub(crate) fn of(mut patterns: Vec<Pattern>) -> Self {
        patterns.sort_unstable();
        patterns.dedup();
        if patterns.is_empty() || patterns.len() > MOST_TEXTS {
            return Self::one(Pattern::any());
        }
        Self(patterns)
    }

    pub(crate) fn all(&self) -> &[Pattern] {
        &self.0
    }

    pub(crate) fn then(&self, next: &Self) -> Self {
        Self::of(self.0.iter().flat_map(|start| next.0.iter().map(|end| start.then(end))).collect())
    }

    pub(crate) fn map(&self, change: impl FnMut(&Pattern) -> Pattern) -> Self {
        Self::of(self.0.iter().map(change).collect())
    }
}

/// A value, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// Anything.
    Unknown,
    /// An `int` constant, or a character.
    Number(i32),
    /// A string.
    Text(Texts),
    /// A class, as an object of `java.lang.Class`.
    Class(NameId),
    /// The package of a class.
    Package(NameId),
    /// An object of exactly this class.
    Object(NameId),
    /// A parameter of the method. References are numbered from 0, the receiver included.
    Parameter(usize),
    /// The class of the object in a parameter.
    ClassOfParameter(usize),
    /// A `StringBuilder` or `StringBuffer`, by number.
    Builder(usize),
    /// An array of references, by number.
    Array(usize),
}

impl Value {
    /// The value's possible texts as a string.
    pub(crate) fn texts(&self) -> Texts {
        match self {
            Self::Text(texts) => texts.clone(),
            Self::Parameter(number) => Texts::one(Pattern::parameter(*number)),
            _ => Texts::one(Pattern::any()),
        }
    }

    pub(crate) fn is_unknown(&self) -> bool {
        *self == Self::Unknown
    }

    pub(crate) fn depends_on_parameters(&self) -> bool {
        match self {
            Self::Parameter(_) | Self::ClassOfParameter(_) => true,
            Self::Text(texts) => texts.all().iter().any(Pattern::depends_on_parameters),
            _ => false,
        }
    }

    /// The value where two control-flow paths join.
    pub(crate) fn or(&self, other: &Self) -> Self {
        match (self, other) {
            _ if self == other => self.clone(),
            (Self::Text(_), Self::Text(_) | Self::Parameter(_))
            | (Self::Parameter(_), Self::Text(_)) => {
                Self::Text(Texts::of([self.texts().all(), other.texts().all()].concat()))
            }
            (Self::Text(texts), _) | (_, Self::Text(texts)) => {
                Self::Text(Texts::of([texts.all(), &[Pattern::any()]].concat()))
            }
            _ => Self::Unknown,
        }
    }

    /// The value in a caller that passes these arguments.
    pub(crate) fn substitute(&self, arguments: &[Self]) -> Self {
        let argument = |number: usize| arguments.get(number).cloned().unwrap_or(Self::Unknown);
        match self {
            Self::Parameter(number) => argument(*number),
            Self::ClassOfParameter(number) => match argument(*number) {
                Self::Object(class) => Self::Class(class),
                Self::Parameter(outer) => Self::ClassOfParameter(outer),
                _ => Self::Unknown,
            },
            Self::Text(texts) => {
                let mut choices = |number: usize| argument(number).texts().all().to_vec();
                let all = texts
                    .all()
                    .iter()
                    .flat_map(|text| text.substitute(&mut choices, MOST_TEXTS))
                    .collect();
                Self::Text(Texts::of(all))
            }
            _ => self.clone(),
        }
    }
}
