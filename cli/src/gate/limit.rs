//! What `gate --max` says.

use crate::failure::usage;
use anyhow::Result;
use jfathom_compare::{COLUMNS, CallLimit, Column, GrowthLimit, Limits, RatioLimit};
use jfathom_plan::Problem;
use std::str::FromStr;

/// One limit, `NAME=LIMIT`; or `A/B=NUMBER`, where A and B are selectors.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Limit {
    Calls(CallLimit),
    Time(f64),
    Column(&'static Column, f64),
    Growth(GrowthLimit),
    Ratio(Box<RatioLimit>),
}

impl Limit {
    /// What it limits.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Calls(_) => "calls",
            Self::Time(_) => "time",
            Self::Column(column, _) => column.key,
            Self::Growth(_) => "growth",
            Self::Ratio(_) => "A/B",
        }
    }

    /// Whether it compares a profile with a baseline.
    pub(crate) fn needs_baseline(&self) -> bool {
        matches!(self, Self::Calls(_) | Self::Time(_) | Self::Column(..))
    }
}

impl FromStr for Limit {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Self, Problem> {
        let (name, limit) = text.split_once('=').unwrap_or((text, ""));
        if let Some(column) = Column::of_key(name) {
            return Limits::time_of(limit).map(|share| Self::Column(column, share));
        }
        match name {
            "calls" => limit.parse().map(Self::Calls),
            "time" => Limits::time_of(limit).map(Self::Time),
            "growth" => limit.parse().map(Self::Growth),
            _ if name.contains('/') => text.parse().map(|ratio| Self::Ratio(Box::new(ratio))),
            _ => Err(format!(
                "‘{name}’ has no limit: calls, time, {}, growth or A/B is wanted, such as calls=+5%",
                column_keys()
            )
            .into()),
        }
    }
}

/// The names of all columns.
pub(super) fn column_keys() -> String {
    COLUMNS.each_ref().map(|column| column.key).join(", ")
}

/// The limits on two profiles, or on one.
///
/// # Errors
/// One is given twice.
pub(super) fn limits(all: &[Limit], strict: bool) -> Result<Limits> {
    let mut limits = Limits { strict, ..Limits::default() };
    for limit in all {
        let is_second = match limit {
            Limit::Calls(calls) => limits.calls.replace(*calls).is_some(),
            Limit::Time(share) => limits.time.replace(*share).is_some(),
            Limit::Column(column, share) => {
                let is_second = limits.of_column(column).is_some();
                limits.columns.push((column, *share));
                is_second
            }
            Limit::Growth(_) => false,
            Limit::Ratio(ratio) => {
                limits.ratios.push((**ratio).clone());
                false
            }
        };
        if is_second {
            return Err(usage(format!("--max {} is given twice", limit.name())));
        }
    }
    Ok(limits)
}

/// The limit on growth with the input, which stands alone; none if there is none.
///
/// # Errors
/// It does not stand alone.
pub(super) fn growth(all: &[Limit]) -> Result<Option<GrowthLimit>> {
    let growth = all.iter().find_map(|limit| match limit {
        Limit::Growth(growth) => Some(*growth),
        _ => None,
    });
    match growth {
        Some(_) if all.len() > 1 => {
            Err(usage("--max growth is of profiles of several sizes, the others are of two or one"))
        }
        _ => Ok(growth),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(texts: &[&str]) -> Vec<Limit> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn limits_have_names() {
        let given = all(&["calls=+3", "time=5%", "alloc=+0%", "cpu=+7%", "a.A::f(Lb/B;)V/a.C=2"]);
        let read = limits(&given, true).unwrap();
        assert_eq!(read.calls, Some(CallLimit::Number(3)));
        assert_eq!(read.time, Some(0.05));
        let columns = ["alloc", "cpu"].map(|key| read.of_column(Column::of_key(key).unwrap()));
        assert_eq!(columns, [Some(0.0), Some(0.07)]);
        assert_eq!((read.ratios.len(), read.strict), (1, true));
        assert!(!given[4].needs_baseline() && given[3].needs_baseline());
        for (wrong, words) in [
            ("", "‘’ has no limit"),
            ("calls", "‘’ is no limit"),
            ("wall=+5%", "‘wall’ has no limit"),
            ("time=5", "‘5’ is no limit"),
            ("growth=x", "‘x’"),
        ] {
            let error = wrong.parse::<Limit>().unwrap_err();
            assert!(error.to_string().contains(words), "{wrong}: {error}");
        }
    }

    #[test]
    fn a_limit_is_given_once_and_growth_alone() {
        let twice = limits(&all(&["time=5%", "calls=1", "time=6%"]), false).unwrap_err();
        assert_eq!(twice.to_string(), "--max time is given twice");
        assert_eq!(growth(&all(&["time=5%"])).unwrap(), None);
        assert!(growth(&all(&["growth=1.2"])).unwrap().is_some());
        assert!(growth(&all(&["growth=1.2", "time=5%"])).is_err());
        assert!(growth(&all(&["growth=1.2", "growth=2"])).is_err());
    }
}
