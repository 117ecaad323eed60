//! Growth of calls that are known by formulas.

use super::{GrowthError, GrowthLimit, PowerFit, Trend, gate_growth, growth};
use crate::Verdict;
use jfathom_profile::{Profile, Quality};
use jfathom_testkit::small_profile::method;
use std::num::NonZeroU64;

/// A profile of this size whose method `mI` has the I-th number of calls.
fn profile(size: u64, calls: &[u64]) -> Profile {
    let methods = calls.iter().enumerate().map(|(at, calls)| {
        let mut method = method(at as u32, "p/A", &format!("m{at}"), "()V");
        method.entries = *calls;
        method.returns = *calls;
        method
    });
    let mut profile = jfathom_testkit::small_profile::profile();
    profile.methods = methods.collect();
    profile.quality = Quality::default();
    profile.meta.size = NonZeroU64::new(size);
    profile
}

fn fits(profiles: &[Profile]) -> Vec<Option<PowerFit>> {
    let growth = growth(&profiles.iter().collect::<Vec<_>>()).unwrap();
    let fit = |trend: Trend| match trend {
        Trend::Power(fit) => Some(fit),
        Trend::Partial => None,
    };
    growth.methods.iter().map(|method| fit(method.trend)).collect()
}

/// By size: 7, 3n, n², n log₂ n, and 5 from 2,000 on.
fn known(size: u64) -> Profile {
    let logarithm = u64::from(size.ilog2());
    let late = if size >= 2048 { 5 } else { 0 };
    profile(size, &[7, 3 * size, size * size, size * logarithm, late])
}

#[test]
fn exponents_are_those_of_the_formulas() {
    let found = fits(&[known(4096), known(1024), known(2048)]);
    let is = |fit: Option<PowerFit>, exponent: f64| {
        let fit = fit.unwrap();
        let all = [fit.exponent, fit.lowest, fit.highest];
        assert!(all.iter().all(|found| (found - exponent).abs() < 1e-9), "{fit:?}");
        assert!((fit.r_squared - 1.0).abs() < 1e-12, "{fit:?}");
    };
    is(found[0], 0.0);
    is(found[1], 1.0);
    is(found[2], 2.0);
    // Between 1,024 and 2,048 the calls grow by 2 · 11/10, and then by 2 · 12/11.
    let slopes = [1.0 + (11.0_f64 / 10.0).log2(), 1.0 + (12.0_f64 / 11.0).log2()];
    let log = found[3].unwrap();
    assert!((log.highest - slopes[0]).abs() < 1e-9 && (log.lowest - slopes[1]).abs() < 1e-9);
    // With three sizes at equal distances the slope is that of the ends.
    assert!((log.exponent - (slopes[0] + slopes[1]) / 2.0).abs() < 1e-9, "{log:?}");
    assert!(log.r_squared < 1.0 && log.r_squared > 0.99, "{log:?}");
    assert_eq!(found[4], None);
}

#[test]
fn a_limit_holds_for_exponents_and_partial_methods_are_in_doubt() {
    let profiles = [known(1024), known(2048), known(4096)];
    let growth = growth(&profiles.iter().collect::<Vec<_>>()).unwrap();
    let gate = |limit: &str, strict| {
        gate_growth(&growth, limit.parse().unwrap(), strict, |_| true).unwrap()
    };
    let found = gate("1.2", false);
    let verdicts: Vec<(usize, Verdict)> =
        found.beyond.iter().map(|found| (found.method, found.verdict)).collect();
    assert_eq!(verdicts, [(2, Verdict::Exceeded), (4, Verdict::Inconclusive)]);
    assert!(found.is_failed() && found.within == 3);
    // An exact square is not beyond 2.
    assert!(!gate("2", false).is_failed());
    assert!(gate("2", true).is_failed());
    assert_eq!(gate("0", false).beyond.len(), 4);
    assert!(gate_growth(&growth, "1".parse().unwrap(), false, |_| false).is_none());
    for wrong in ["", "-1", "nan", "inf", "x"] {
        assert!(wrong.parse::<GrowthLimit>().is_err(), "{wrong}");
    }
}

#[test]
fn profiles_that_have_no_growth_are_refused() {
    let of = |profiles: &[Profile]| growth(&profiles.iter().collect::<Vec<_>>()).unwrap_err();
    let [one, two] = [profile(1, &[1]), profile(2, &[1])];
    assert_eq!(of(&[one.clone(), two.clone()]), GrowthError::TooFew(2));
    let with = |other: Profile| of(&[one.clone(), two.clone(), other]);
    assert_eq!(with(profile(0, &[1])), GrowthError::NoSize(2));
    assert_eq!(with(two.clone()), GrowthError::SameSize(1, 2, 2));
    let mut lost = profile(4, &[1]);
    lost.quality.lost_records = 3;
    assert!(matches!(with(lost), GrowthError::Lost(2, _)));
    let mut other = profile(4, &[1]);
    other.methods[0].info.key.class = "p/B".to_owned();
    assert_eq!(with(other), GrowthError::Unrelated(2));
    let mut run = jfathom_testkit::small_profile::profile();
    run.quality = Quality::default();
    run.meta.size = NonZeroU64::new(4);
    let series = crate::into_series(vec![run.clone(), run]).unwrap();
    assert_eq!(with(series), GrowthError::Series(2));
}
