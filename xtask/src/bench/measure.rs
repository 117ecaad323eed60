//! What the benchmarks share: examples of crates as programs, and averages.

use crate::shell;
use std::process::Command;

/// An example of a crate, in release mode, ready for its arguments.
pub fn example(package: &str, name: &str) -> Command {
    let mut command = shell::cargo();
    command.args(["run", "--release", "--quiet", "-p", package, "--example", name, "--"]);
    command
}

/// The middle one of an odd number of runs.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The geometric mean.
pub fn geometric_mean(values: &[f64]) -> f64 {
    (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp()
}
