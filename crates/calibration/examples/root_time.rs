//! The corrected times of profiles' roots, and how far they are from the truth where that is known.
//!
//!     cargo run --release -p jfathom-calibration --example root_time -- PROFILE[=NANOS] ...
//!
//! NANOS is the time of the roots in an uninstrumented run. For each profile: the measured time of
//! the roots' outermost calls (of all threads, where no root was chosen), the corrected time with
//! the half width of its interval, its error and whether the truth is within; with the costs that
//! were subtracted.

use std::fs::File;
use std::io::BufReader;

use jfathom_calibration::{
    CompileQueueResidual, Residual, TimedResidual, Times, WarmUpResidual, correct_times,
    correct_times_with,
};
use jfathom_profile::{NodeIx, Profile, Ticks};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for argument in std::env::args().skip(1) {
        let (path, truth) = match argument.split_once('=') {
            Some((path, truth)) => (path, Some(truth.parse::<f64>()?)),
            None => (&*argument, None),
        };
        let profile = Profile::read(&mut BufReader::new(File::open(path)?))?;
        let entries: u64 = profile.methods.iter().map(|method| method.entries).sum();
        let counted: u64 = profile.methods.iter().map(|method| method.counted).sum();
        let mut roots: Vec<NodeIx> = profile.outermost_roots().collect();
        if roots.is_empty() {
            roots.extend(profile.tree.roots());
        }
        let measured: Ticks = roots.iter().map(|root| profile.tree.total_time(*root)).sum();
        let measured = measured.0 as f64 * 1e3 / profile.rate.hz() as f64;
        let demoted = profile.methods.iter().filter(|method| method.demotion.is_some()).count();
        println!(
            "{path}: {measured:.2} ms measured, {entries} timed calls, {counted} counted, {demoted} methods demoted"
        );
        let nothing = WarmUpResidual { calls: 0.0, nanos: 0.0, error_nanos: 0.0 };
        let timed = TimedResidual {
            lost_nanos: 0.0,
            lost_error_nanos: 0.0,
            hidden_nanos: 0.0,
            hidden_error_nanos: 0.0,
            shifted_nanos: 0.0,
            scale_nanos: 1.0,
        };
        let zero = Residual {
            ordered_clock: timed,
            unordered_clock: timed,
            interpreted: nothing,
            warm_up: nothing,
            compile_queue: CompileQueueResidual { methods: 1.0, nanos: 0.0, error_nanos: 0.0 },
            demoted: nothing,
            demoted_after_17: nothing,
            counted_nanos: 0.0,
            count_record_nanos: 0.0,
            thrown_nanos: 0.0,
            caught_nanos: 0.0,
            ..Residual::shipped()
        };
        if let Some(found) = correct_times_with(&profile, &zero) {
            let roots = roots.iter().map(|root| found.node(*root));
            let throws: u64 = profile.methods.iter().map(|method| method.throws).sum();
            let total = roots.reduce(Times::plus).unwrap_or_default().total_nanos / 1e6;
            println!("  Nothing assumed: {total:.2} ms, {throws} throws");
        }
        let Some(found) = correct_times(&profile) else {
            println!("  no calibration");
            continue;
        };
        let roots = roots.iter().map(|root| found.node(*root));
        let Times { total_nanos, total_error_nanos, .. } =
            roots.reduce(Times::plus).unwrap_or_default();
        print!("  Corrected: {:.2} ± {:.2} ms", total_nanos / 1e6, total_error_nanos / 1e6);
        if let Some(truth) = truth {
            let inside = (total_nanos - truth).abs() <= total_error_nanos;
            let of_truth = |nanos: f64| nanos * 100.0 / truth;
            let error = of_truth(total_nanos - truth);
            print!(
                ", error {error:+.1} %, bar {:.1} %, truth inside: {inside}",
                of_truth(total_error_nanos)
            );
        }
        println!();
        for costs in found.costs.iter().flatten() {
            let cost = |cost: jfathom_calibration::Cost| {
                format!("{:.2} ± {:.2}", cost.nanos, cost.error_nanos)
            };
            println!(
                "    ns: inner {}, outer {}, by exception {} and {}, count {}, note {}; residual {:.2} a timed call",
                cost(costs.inner),
                cost(costs.outer),
                cost(costs.inner_throw),
                cost(costs.outer_throw),
                cost(costs.count),
                cost(costs.count_record),
                found.residual_nanos / entries.max(1) as f64
            );
        }
    }
    Ok(())
}
