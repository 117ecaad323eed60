//! Why a fit is not used.

use std::fmt;

use jfathom_profile::Constant;

use super::solve::Fit;

/// What the constants are, in the order in which they are fitted.
const NAMES: [&str; 4] = [
    "ns per counted call",
    "ns per COUNTED record",
    "ns per early call of a demoted method",
    "of the self time for lost inlining",
];
/// Halves disagree if a constant differs by more than this multiple of its error bar, which holds
/// 95 %. So one fit in 100 is refused although nothing is wrong.
const DISAGREEING: f64 = 1.5;
/// A constant above this multiple of the shipped one is not believed. Origin: chosen.
const LARGEST_MULTIPLE: f64 = 10.0;
/// The largest share of the self time that is believed to be lost on average. Origin: chosen.
const LARGEST_SHARE: f64 = 0.9;
/// The largest spread of that share between programs. Origin: chosen.
const LARGEST_SPREAD: f64 = 1.0;

/// Why a fit is not used.
#[derive(Clone, Debug, PartialEq)]
pub enum FitRefusal {
    /// There are too few programs.
    FewPrograms {
        /// How many there are.
        found: usize,
        /// How many are needed.
        needed: usize,
    },
    /// Uninstrumented runs of one program differ too much.
    Busy {
        /// The median difference, as a share of the time.
        scatter: f64,
    },
    /// A recording has no calibration or no root, or there is no uninstrumented run.
    Uncalibrated,
    /// The measurements determine no constants.
    Undetermined,
    /// One half of the programs gives another constant than the other.
    HalvesDisagree {
        /// What the constant is.
        name: &'static str,
        /// By half.
        found: [Constant; 2],
    },
    /// A constant cannot be true.
    Implausible {
        /// What the constant is.
        name: &'static str,
        /// What came out.
        found: Constant,
    },
}

impl fmt::Display for FitRefusal {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let bar = |found: &Constant| format!("{:.2} ± {:.2}", found.value, found.error);
        match self {
            Self::FewPrograms { found, needed } => {
                write!(out, "{found} programs were measured in time, and {needed} are needed")
            }
            Self::Busy { scatter } => write!(
                out,
                "uninstrumented runs of one program differ by {:.0} %: the machine is busy",
                scatter * 100.0
            ),
            Self::Uncalibrated => write!(out, "a recording has no calibration or no root"),
            Self::Undetermined => write!(out, "the measurements determine no constants"),
            Self::HalvesDisagree { name, found: [one, other] } => write!(
                out,
                "one half of the programs gives {} {name}, the other {}",
                bar(one),
                bar(other)
            ),
            Self::Implausible { name, found } => {
                write!(out, "{} {name} cannot be true", bar(found))
            }
        }
    }
}

impl std::error::Error for FitRefusal {}

/// Holds that two halves of the programs give the same constants.
pub(super) fn check_halves(one: &Fit, other: &Fit) -> Result<(), FitRefusal> {
    for (number, name) in NAMES.into_iter().enumerate() {
        let found = [one.as_found(number), other.as_found(number)];
        let [a, b] = found;
        if (a.value - b.value).abs() > DISAGREEING * a.error.hypot(b.error) {
            return Err(FitRefusal::HalvesDisagree { name, found });
        }
    }
    Ok(())
}

/// Holds that no constant is below zero by more than its error, or absurdly large.
pub(super) fn check_plausible(fit: &Fit, known: &[Constant; 4]) -> Result<(), FitRefusal> {
    for (number, name) in NAMES.into_iter().enumerate() {
        let found = fit.as_found(number);
        let largest = match number {
            super::solve::INLINING => LARGEST_SHARE,
            _ => LARGEST_MULTIPLE * known[number].value,
        };
        if found.value < -found.error || found.value > largest {
            return Err(FitRefusal::Implausible { name, found });
        }
    }
    let spread = Constant { value: fit.values()[super::solve::INLINING], error: 2.0 * fit.spread };
    if fit.spread > LARGEST_SPREAD {
        return Err(FitRefusal::Implausible { name: NAMES[super::solve::INLINING], found: spread });
    }
    Ok(())
}
