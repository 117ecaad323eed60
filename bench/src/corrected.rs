//! What a profile says of its roots' outermost calls; times in milliseconds.

use crate::{jfathom::profile, statistics::median};
use anyhow::{Context, Result};
use jfathom_calibration::{Times, correct_times};
use jfathom_profile::{NodeIx, Ticks};
use std::path::Path;

/// Nodes with a smaller share of the root are left out of the nodes' bar.
const SHARE: f64 = 0.05;

/// The roots of one profile.
#[derive(Clone, Copy, Debug)]
pub struct Corrected {
    /// As recorded.
    pub measured: f64,
    /// Timed calls, of all methods.
    pub timed: f64,
    /// Methods that were demoted.
    pub demoted: f64,
    /// The corrected time.
    pub time: f64,
    /// The half width of its interval, with what runs differ by.
    pub bar: f64,
    /// The median bar of the nodes above 5 % of the root, in percent of their time; NaN without
    /// such a node.
    pub node_bar: f64,
}

impl Corrected {
    /// Reads a profile.
    pub fn read(path: &Path) -> Result<Self> {
        let profile = profile(path)?;
        let corrected = correct_times(&profile).context("no calibration")?;
        let roots: Vec<NodeIx> = profile.outermost_roots().collect();
        let of_roots = roots.iter().map(|root| corrected.node(*root));
        let root = of_roots.reduce(Times::plus).unwrap_or_default();
        let below = roots.iter().flat_map(|root| profile.tree.subtree(*root).skip(1)).map(NodeIx);
        let large = below
            .map(|node| corrected.node(node))
            .filter(|times| times.total_nanos > SHARE * root.total_nanos);
        let measured: Ticks = roots.iter().map(|root| profile.tree.total_time(*root)).sum();
        let methods = || profile.methods.iter();
        Ok(Self {
            measured: measured.0 as f64 * 1e3 / profile.rate.hz() as f64,
            timed: methods().map(|method| method.entries).sum::<u64>() as f64,
            demoted: methods().filter(|method| method.demotion.is_some()).count() as f64,
            time: root.total_nanos / 1e6,
            bar: root.total_error_of_another_run_nanos() / 1e6,
            node_bar: median(
                large.map(|times| times.total_error_nanos * 100.0 / times.total_nanos),
            ),
        })
    }

    /// Whether the interval holds a time.
    pub fn holds(&self, truth: f64) -> bool {
        (self.time - truth).abs() <= self.bar
    }
}
