//! Of each run of a profile: the corrected time of its roots, and what its JVM measured of its
//! probes.
//!
//!     cargo run --release -p jfathom-calibration --example run_times -- PROFILE

use std::fs::File;
use std::io::BufReader;

use jfathom_calibration::correct_times;
use jfathom_profile::{CallKind, Profile};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("a profile")?;
    let profile = Profile::read(&mut BufReader::new(File::open(path)?))?;
    for number in 0..profile.run_count() {
        let run = profile.run(number).ok_or("a run")?;
        let corrected = correct_times(&run).ok_or("the JVM has not measured its probes")?;
        let millis: f64 =
            run.outermost_roots().map(|root| corrected.node(root).total_nanos).sum::<f64>() / 1e6;
        print!("{millis:.2} ms;");
        for jvm in &run.meta.jvms {
            for calibration in
                jvm.calibrations.iter().filter(|calibration| calibration.kind == CallKind::Return)
            {
                print!(
                    " {:?} {:.2} + {:.2}, reference {:.3};",
                    calibration.phase,
                    calibration.inner.median,
                    calibration.outer.median,
                    calibration.reference.mean
                );
            }
        }
        println!();
    }
    Ok(())
}
