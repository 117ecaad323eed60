//! What of a run's times threads did not run, as a profile of several runs has it.

use serde::{Deserialize, Serialize};

use crate::column::{Column, column};
use crate::{Cpu, NodeNumbers, Tree};

/// What of the self times of a run threads did not run, by node of the profile's tree. The lists
/// ascend by node and have no zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunSplit {
    cpu: Cpu,
    /// Node, and [`crate::OffCpu`]'s preempted, blocked and unknown ticks, and switches.
    off_cpu: [Vec<(u32, u64)>; 4],
    /// Node, and [`NodeNumbers::parked`].
    parked: Vec<(u32, u64)>,
}

impl RunSplit {
    /// That of a run with these numbers, in the order of the nodes.
    pub fn new(cpu: Cpu, numbers: impl Iterator<Item = NodeNumbers>) -> Self {
        let mut split = Self { cpu, ..Self::default() };
        for (node, numbers) in (0..).zip(numbers) {
            let entry = |number: u64| (number != 0).then_some((node, number));
            for (list, number) in split.off_cpu.iter_mut().zip(numbers.off_cpu.parts()) {
                list.extend(entry(number));
            }
            split.parked.extend(entry(numbers.parked.0));
        }
        split
    }

    /// Whether the run knows when its threads ran.
    pub fn cpu(&self) -> Cpu {
        self.cpu
    }

    /// Gives the tree of the run what it lacks. An error names a contradiction.
    pub(crate) fn add_to(&self, tree: &mut Tree) -> Result<(), String> {
        let rows = tree.len();
        let mut parts: [Column; 4] = Default::default();
        for (to, list) in parts.iter_mut().zip(&self.off_cpu) {
            *to = column(rows, list)?;
        }
        tree.set_parked(column(rows, &self.parked)?)?;
        tree.set_off_cpu(parts)
    }

    /// A part of the profile file: what each of its runs has, or nothing if none has any.
    pub(crate) fn all<'a>(of_runs: impl Iterator<Item = &'a Self>) -> Vec<&'a Self> {
        let all: Vec<&Self> = of_runs.collect();
        let has_any = all.iter().any(|split| **split != Self::default());
        if has_any { all } else { Vec::new() }
    }

    /// Gives the runs of a profile theirs. An error names a contradiction.
    pub(crate) fn add_all<'a>(
        all: Vec<Self>,
        of_runs: impl ExactSizeIterator<Item = &'a mut Self>,
    ) -> Result<(), String> {
        if !all.is_empty() && all.len() != of_runs.len() {
            return Err(format!("{} split runs of {}", all.len(), of_runs.len()));
        }
        for (place, split) in of_runs.zip(all) {
            *place = split;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
