//! The roots' corrected time, its bar, and the bars of what is below.
//!
//!     cargo run --release -p jfathom-calibration --example root_bar -- PROFILE ...
//!
//! One line for each profile: the corrected time of the roots' outermost calls and its bar in
//! milliseconds, the median bar of the nodes with more than 5 % of it in percent of their time, and
//! the profile's path.

use std::fs::File;
use std::io::BufReader;

use jfathom_calibration::{Times, correct_times};
use jfathom_profile::{NodeIx, Profile};

/// Nodes with a smaller share of the root are left out.
const SHARE: f64 = 0.05;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args().skip(1) {
        let profile = Profile::read(&mut BufReader::new(File::open(&path)?))?;
        let corrected = correct_times(&profile).ok_or("no calibration")?;
        let roots: Vec<NodeIx> = profile.outermost_roots().collect();
        let of_roots = roots.iter().map(|root| corrected.node(*root));
        let root = of_roots.reduce(Times::plus).unwrap_or_default();
        let below = roots.iter().flat_map(|root| profile.tree.subtree(*root).skip(1)).map(NodeIx);
        let mut bars: Vec<f64> = below
            .map(|node| corrected.node(node))
            .filter(|times| times.total_nanos > SHARE * root.total_nanos)
            .map(|times| times.total_error_nanos * 100.0 / times.total_nanos)
            .collect();
        bars.sort_by(f64::total_cmp);
        let median = bars.get(bars.len() / 2).copied().unwrap_or(f64::NAN);
        println!(
            "{:.3} {:.3} {median:.2} {path}",
            root.total_nanos / 1e6,
            root.total_error_nanos / 1e6
        );
    }
    Ok(())
}
