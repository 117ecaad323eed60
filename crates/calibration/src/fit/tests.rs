use super::*;

/// Numbers from 0 to 1 (Knuth's MMIX generator).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Mean 0, standard deviation 1: the sum of twelve numbers.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.next()).sum::<f64>() - 6.0
    }
}

const PLANTED: [f64; 4] = [1.2, 25.0, 120.0, 0.5];

/// Programs of 400 ms on a machine with these constants, whose inlining differs by `spread`.
fn planted(values: [f64; 4], spread: f64, noise: f64, seed: u64) -> Vec<FitTerms> {
    let mut numbers = Numbers(seed);
    let program = |_| {
        let plain_nanos = 4e8;
        let slopes = [
            6e7 * numbers.next(),
            1e7 * numbers.next(),
            2e6 * numbers.next(),
            5e8 * numbers.next(),
        ];
        let mut of_program = values;
        of_program[3] += spread * numbers.normal();
        let subtracted: f64 =
            slopes.iter().zip(of_program).map(|(slope, value)| slope * value).sum();
        let base_nanos = plain_nanos + subtracted + noise * numbers.normal();
        FitTerms { plain_nanos, base_nanos, deviation_nanos: noise, slopes }
    };
    (0..27).map(program).collect()
}

#[test]
fn planted_constants_come_out_of_a_fit() {
    let known = before_fit(true);
    for seed in 1..40 {
        let terms = planted(PLANTED, 0.2, 1e7, seed);
        let found = checked(&terms, &known).unwrap();
        for (constant, planted) in found.iter().zip(PLANTED) {
            // Error bars hold 95 %; this is 1 in a million.
            assert!(
                (constant.value - planted).abs() < 2.5 * constant.error,
                "seed {seed}: {found:?}"
            );
        }
        // Five standard deviations of programs are as wide as two and a half error bars.
        assert!((0.25..0.9).contains(&found[3].error), "seed {seed}: {found:?}");
        assert!(found[1].error < 10.0 && found[2].error < 60.0, "seed {seed}: {found:?}");
    }
}

#[test]
fn nine_of_ten_new_programs_lie_inside_their_bars() {
    let known = before_fit(true);
    let (mut inside, mut all) = (0, 0);
    for seed in 1..30 {
        let found = checked(&planted(PLANTED, 0.25, 1e7, seed), &known).unwrap();
        let values = found.map(|constant| constant.value);
        for new in planted(PLANTED, 0.25, 1e7, seed + 1000) {
            let of_constants =
                found.iter().zip(new.slopes).map(|(found, slope)| found.error * slope);
            let bar = of_constants.fold(2.0 * new.deviation_nanos, f64::hypot);
            inside += usize::from(new.excess_nanos(&values).abs() <= bar);
            all += 1;
        }
    }
    assert!(inside * 10 >= all * 9, "{inside} of {all}");
}

#[test]
fn halves_that_disagree_are_refused() {
    let (one, other) = (
        planted([0.4, 2.0, 40.0, 0.3], 0.05, 1e6, 1),
        planted([0.4, 60.0, 40.0, 0.3], 0.05, 1e6, 2),
    );
    let mixed: Vec<FitTerms> = one.into_iter().zip(other).flat_map(|(a, b)| [a, b]).collect();
    let refusal = checked(&mixed, &before_fit(true)).unwrap_err();
    assert!(matches!(refusal, FitRefusal::HalvesDisagree { .. }), "{refusal}");
    assert!(refusal.to_string().contains("one half of the programs gives"), "{refusal}");
}

#[test]
fn constants_that_cannot_be_true_are_refused() {
    for values in [[-3.0, 9.0, 40.0, 0.3], [0.4, 400.0, 40.0, 0.3], [0.4, 9.0, 40.0, 1.4]] {
        let (terms, known) = (planted(values, 0.0, 1e6, 3), before_fit(true));
        let refusal =
            refusal::check_plausible(&solve(&terms, &known).unwrap(), &known).unwrap_err();
        assert!(matches!(refusal, FitRefusal::Implausible { .. }), "{values:?}: {refusal}");
        assert!(refusal.to_string().contains("cannot be true"), "{refusal}");
        assert!(checked(&terms, &known).is_err());
    }
    assert!(checked(&planted(PLANTED, 3.0, 1e6, 3), &before_fit(true)).is_err());
}

#[test]
fn nothing_but_the_shipped_constants_comes_from_programs_that_say_nothing() {
    let silent: Vec<FitTerms> = planted(PLANTED, 0.0, 0.0, 5)
        .iter()
        .map(|terms| FitTerms { slopes: [0.0; 4], base_nanos: 4e8, deviation_nanos: 1e7, ..*terms })
        .collect();
    let known = before_fit(true);
    let found = checked(&silent, &known).unwrap();
    for (found, known) in found.iter().zip(known) {
        assert!((found.value - known.value).abs() < 1e-9);
        assert!(found.error >= known.error);
    }
}

mod recorded {
    use super::*;
    use jfathom_profile::{Calibration, CallKind, Phase};
    use jfathom_testkit::{profiles::one_thread, records::*};
    use jfathom_trace::record::Record;

    /// A root of 1 ms with seven calls that were counted in one record.
    fn counting() -> FitProgram {
        let start = Record::ThreadStart { high: 0, sequence: 1 };
        let counted = Record::Counted { id: id(3), calls: 7 };
        let mut profile = one_thread(&[start, e(0, 0), counted, r(0, 1_000_000)]);
        profile.meta.jvms[0].calibrations = vec![Calibration::from_batches(
            Phase::Start,
            CallKind::Return,
            9,
            &[10.0; 9],
            &[5.0; 9],
            &[1.0; 9],
        )];
        FitProgram { profile, plain_nanos: vec![9e5, 8e5, 7e5] }
    }

    #[test]
    fn the_slopes_are_what_the_constants_are_multiplied_by() {
        let terms = FitTerms::new(&counting(), &[0.0; 4]).unwrap();
        assert_eq!(terms.plain_nanos, 8e5);
        // A corrected time is a multiple of 1/64 ns, and a step is 0.1 ns.
        assert!((terms.slopes[0] - 7.0).abs() < 0.4, "{terms:?}");
        assert_eq!(terms.slopes[1], 1.0);
        // Seven calls of 8 ns beside 1 ms.
        assert!((terms.slopes[3] - 56.0).abs() < 1.0, "{terms:?}");
        let elsewhere = FitTerms::new(&counting(), &[0.0, 50.0, 0.0, 0.0]).unwrap();
        assert!((elsewhere.base_nanos - terms.base_nanos).abs() < 1.0);
        assert!(
            (terms.excess_nanos(&[1.0, 3.0, 0.0, 0.0]) - (terms.base_nanos - 8e5 - 10.0)).abs()
                < 0.4
        );
    }

    #[test]
    fn few_programs_and_busy_machines_are_refused() {
        let program = FitProgram { profile: one_thread(&[]), plain_nanos: vec![1e8, 2e8, 3e8] };
        let refusal = fit_constants(&vec![program.clone(); 3], 1).unwrap_err();
        assert_eq!(refusal, FitRefusal::FewPrograms { found: 3, needed: 12 });
        let refusal = fit_constants(&vec![program.clone(); 12], 1).unwrap_err();
        assert_eq!(refusal, FitRefusal::Busy { scatter: 1.0 });
        let quiet = FitProgram { plain_nanos: vec![1e8; 3], ..program };
        assert_eq!(fit_constants(&vec![quiet; 12], 1).unwrap_err(), FitRefusal::Uncalibrated);
    }
}
