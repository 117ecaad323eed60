//! Which constants a profile's times are corrected with: those that were fitted on its machine, or
//! those that jfathom ships.

use std::sync::LazyLock;

use jfathom_profile::{Constant, FittedConstants, Profile};
use serde::Deserialize;

use crate::{InliningResidual, Residual, WarmUpResidual};

/// The constants that jfathom ships, with their origin.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShippedConstants {
    format: String,
    version: u32,
    /// When they were fitted: year, month, day.
    pub date: String,
    /// The machine on which they were fitted.
    pub machine: String,
    /// The JVMs and clocks.
    pub jvms: String,
    /// By how much another machine's constants may differ, as a share of them. It widens the errors
    /// of the constants that a fit replaces. Origin: chosen.
    elsewhere_share: f64,
    residual: Residual,
    /// By constant: the measurements behind it.
    origins: std::collections::BTreeMap<String, String>,
}

static SHIPPED: LazyLock<ShippedConstants> = LazyLock::new(|| {
    let text = include_str!("../data/constants.json");
    serde_json::from_str(text).expect("the file is part of the program, and a test reads it")
});

/// Whose constants they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ConstantsOrigin<'a> {
    /// jfathom's own, of another machine.
    Shipped(&'static ShippedConstants),
    /// Fitted on the profile's machine, JVM and clock.
    Fitted(&'a FittedConstants),
}

impl ConstantsOrigin<'_> {
    /// The constants of a profile. Fitted ones hold if all of its JVMs have the same.
    pub fn of_profile(profile: &Profile) -> ConstantsOrigin<'_> {
        let mut jvms = profile.meta.jvms.iter().map(|jvm| jvm.constants.as_ref());
        match jvms.next().flatten() {
            Some(first) if jvms.all(|other| other == Some(first)) => ConstantsOrigin::Fitted(first),
            _ => ConstantsOrigin::Shipped(&SHIPPED),
        }
    }

    /// The assumptions with these constants.
    pub fn residual(&self) -> Residual {
        match self {
            Self::Shipped(_) => Residual::shipped(),
            Self::Fitted(fitted) => SHIPPED.residual.with(fitted),
        }
    }
}

impl Residual {
    /// The assumptions without a fit on the recorded machine.
    pub fn shipped() -> Self {
        let shipped = &SHIPPED.residual;
        let known = |value, error: f64| Constant {
            value,
            error: error.hypot(SHIPPED.elsewhere_share * value),
        };
        let demoted = |known_on: WarmUpResidual| WarmUpResidual {
            error_nanos: known(known_on.nanos, known_on.error_nanos).error,
            ..known_on
        };
        let InliningResidual { share, error_share, .. } = shipped.inlining;
        Self {
            counted_error_nanos: known(shipped.counted_nanos, shipped.counted_error_nanos).error,
            count_record_error_nanos: known(
                shipped.count_record_nanos,
                shipped.count_record_error_nanos,
            )
            .error,
            demoted: demoted(shipped.demoted),
            demoted_after_17: demoted(shipped.demoted_after_17),
            inlining: InliningResidual {
                error_share: known(share, error_share).error,
                ..shipped.inlining
            },
            ..*shipped
        }
    }

    /// The same with these constants.
    pub(crate) fn with(&self, fitted: &FittedConstants) -> Self {
        let FittedConstants { counted, count_record, demoted, inlining, .. } = fitted;
        let of_demoted = |shipped: WarmUpResidual| WarmUpResidual {
            nanos: demoted.value,
            error_nanos: demoted.error,
            ..shipped
        };
        Self {
            counted_nanos: counted.value,
            counted_error_nanos: counted.error,
            count_record_nanos: count_record.value,
            count_record_error_nanos: count_record.error,
            demoted: of_demoted(self.demoted),
            demoted_after_17: of_demoted(self.demoted_after_17),
            inlining: InliningResidual {
                share: inlining.value,
                error_share: inlining.error,
                ..self.inlining
            },
            ..*self
        }
    }
}

/// The shipped constants that a fit replaces, for the JVM of a profile: those of a counted call, a
/// COUNTED record and an early call of a demoted method in ns, and the share of inlining.
pub fn shipped_constants(profile: &Profile) -> [Constant; 4] {
    before_fit(crate::correct::is_after_17(profile))
}

/// [`shipped_constants`] for JVMs after 17, or up to it.
pub(crate) fn before_fit(is_after_17: bool) -> [Constant; 4] {
    replaced(&Residual::shipped(), is_after_17)
}

fn replaced(shipped: &Residual, is_after_17: bool) -> [Constant; 4] {
    let Residual { inlining, demoted, demoted_after_17, .. } = *shipped;
    let demoted = if is_after_17 { demoted_after_17 } else { demoted };
    [
        (shipped.counted_nanos, shipped.counted_error_nanos),
        (shipped.count_record_nanos, shipped.count_record_error_nanos),
        (demoted.nanos, demoted.error_nanos),
        (inlining.share, inlining.error_share),
    ]
    .map(|(value, error)| Constant { value, error })
}

/// The assumptions with these constants, and no doubt about them.
pub(crate) fn with_values(values: &[f64; 4]) -> Residual {
    let [counted, count_record, demoted, inlining] =
        values.map(|value| Constant { value, error: 0.0 });
    SHIPPED.residual.with(&FittedConstants {
        taken_millis: 0,
        programs: 0,
        counted,
        count_record,
        demoted,
        inlining,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_shipped_constant_has_an_origin() {
        assert_eq!((SHIPPED.format.as_str(), SHIPPED.version), ("jfathom-constants", 1));
        let text = include_str!("../data/constants.json");
        let document: serde_json::Value = serde_json::from_str(text).unwrap();
        let names: Vec<&String> = document["residual"].as_object().unwrap().keys().collect();
        assert_eq!(names, SHIPPED.origins.keys().collect::<Vec<_>>());
        assert!(SHIPPED.origins.values().all(|origin| !origin.is_empty()));
    }

    #[test]
    fn constants_of_another_machine_have_wider_errors() {
        let (here, elsewhere) = (SHIPPED.residual, Residual::shipped());
        assert!(elsewhere.count_record_error_nanos > here.count_record_error_nanos);
        assert!(elsewhere.demoted_after_17.error_nanos > here.demoted_after_17.error_nanos);
        assert!(elsewhere.inlining.error_share > here.inlining.error_share);
        assert_eq!(elsewhere.count_record_nanos, here.count_record_nanos);
    }

    #[test]
    fn fitted_constants_hold_if_all_jvms_have_them() {
        let constant = |value| Constant { value, error: value / 2.0 };
        let fitted = FittedConstants {
            taken_millis: 7,
            programs: 27,
            counted: constant(1.0),
            count_record: constant(20.0),
            demoted: constant(90.0),
            inlining: constant(0.5),
        };
        let mut profile = jfathom_testkit::profiles::one_thread(&[]);
        profile.meta.jvms.push(profile.meta.jvms[0].clone());
        profile.meta.jvms[0].constants = Some(fitted.clone());
        let shipped = ConstantsOrigin::of_profile(&profile);
        assert!(matches!(shipped, ConstantsOrigin::Shipped(_)));
        assert_eq!(shipped.residual(), Residual::shipped());
        profile.meta.jvms[1].constants = Some(fitted.clone());
        let origin = ConstantsOrigin::of_profile(&profile);
        assert_eq!(origin, ConstantsOrigin::Fitted(&fitted));
        let residual = origin.residual();
        assert_eq!((residual.count_record_nanos, residual.count_record_error_nanos), (20.0, 10.0));
        assert_eq!(residual.demoted.nanos, residual.demoted_after_17.nanos);
        assert_eq!((residual.inlining.share, residual.inlining.error_share), (0.5, 0.25));
        assert_eq!(residual.warm_up, Residual::shipped().warm_up);
    }
}
