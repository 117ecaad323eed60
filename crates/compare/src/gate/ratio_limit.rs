//! A limit on calls per call of another method, and its text form.

use jfathom_plan::{Problem, Selector};

/// Calls of some methods per call of others.
#[derive(Clone, Debug, PartialEq)]
pub struct RatioLimit {
    /// The methods whose calls are limited, added up.
    pub of: Selector,
    /// The methods against whose calls they are held, added up.
    pub per: Selector,
    /// The largest ratio that is allowed; finite and not negative.
    pub max: f64,
}

impl RatioLimit {
    /// A limit.
    ///
    /// # Errors
    /// Fails if a selector is an exclusion or names an annotation, which profiles do not know, and
    /// if `max` is no finite number from 0.
    pub fn new(of: Selector, per: Selector, max: f64) -> Result<Self, Problem> {
        for selector in [&of, &per] {
            if selector.is_exclusion() {
                return Err(format!("‘{selector}’ excludes methods; name those to count").into());
            }
            if selector.is_annotation() {
                return Err(format!("‘{selector}’: profiles do not know annotations").into());
            }
        }
        match max.is_finite() && max >= 0.0 {
            true => Ok(Self { of, per, max }),
            false => Err(format!("‘{max}’ is no ratio: a number from 0 is wanted").into()),
        }
    }
}

impl std::fmt::Display for RatioLimit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}={}", self.of, self.per, self.max)
    }
}

impl std::str::FromStr for RatioLimit {
    type Err = Problem;

    /// `com.acme.Dao::find/com.acme.Handler::handle=1`. Descriptors have slashes too: the slash is
    /// the one with a selector on both sides.
    fn from_str(text: &str) -> Result<Self, Problem> {
        let wrong = || -> Problem {
            format!(
                "‘{text}’ is no limit on a ratio: SELECTOR/SELECTOR=NUMBER is wanted \
                 (com.acme.Dao::find/com.acme.Handler::handle=1)"
            )
            .into()
        };
        let (pair, max) = text.rsplit_once('=').ok_or_else(wrong)?;
        let max = max.trim().parse().map_err(|_| wrong())?;
        let mut pairs = pair.match_indices('/').filter_map(|(at, _)| {
            Some((pair[..at].parse::<Selector>().ok()?, pair[at + 1..].parse::<Selector>().ok()?))
        });
        match (pairs.next(), pairs.next()) {
            (Some((of, per)), None) => Self::new(of, per, max),
            (Some(_), Some(_)) => {
                Err(format!("‘{text}’ can be split at more than one slash").into())
            }
            (None, _) => Err(wrong()),
        }
    }
}
