//! What runs of a program took.

use crate::{shell, statistics::median};
use anyhow::{Context, Result, ensure};
use std::{process::Command, time::Instant};

/// Seconds of a run.
#[derive(Clone, Copy, Debug)]
pub struct Spent {
    /// From start to end.
    pub wall: f64,
    /// User and system time of the process and of its children that were waited for.
    pub cpu: f64,
}

impl Spent {
    /// Runs the command; what it took, and what it printed.
    pub fn by(command: &mut Command) -> Result<(Self, String)> {
        let (before, start) = (shell::children_cpu()?, Instant::now());
        let output = command
            .output()
            .with_context(|| format!("cannot start {:?}", command.get_program()))?;
        let wall = start.elapsed().as_secs_f64();
        let stderr = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{command:?} ended with {}\n{stderr}", output.status);
        let cpu = shell::children_cpu()?.saturating_sub(before).as_secs_f64();
        Ok((Self { wall, cpu }, String::from_utf8_lossy(&output.stdout).into_owned()))
    }

    /// Both medians.
    pub fn median(runs: &[Self]) -> Self {
        Self {
            wall: median(runs.iter().map(|run| run.wall)),
            cpu: median(runs.iter().map(|run| run.cpu)),
        }
    }
}
