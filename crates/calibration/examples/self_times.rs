//! The corrected self time of each method, in nanoseconds: `NAME NANOS` a line, in the table's
//! order.
//!
//!     cargo run --release -p jfathom-calibration --example self_times -- PROFILE

use std::fs::File;
use std::io::BufReader;

use jfathom_calibration::correct_times;
use jfathom_profile::{Frame, Profile};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("a profile")?;
    let profile = Profile::read(&mut BufReader::new(File::open(path)?))?;
    let corrected = correct_times(&profile).ok_or("the JVM has not measured its probes")?;
    let mut sums = vec![0.0; profile.methods.len()];
    for node in profile.tree.nodes() {
        if let Frame::Method(method) = profile.tree.frame(node) {
            sums[method.0 as usize] += corrected.node(node).self_nanos;
        }
    }
    for (method, nanos) in profile.methods.iter().zip(sums) {
        println!("{} {nanos}", method.info.key.name);
    }
    Ok(())
}
