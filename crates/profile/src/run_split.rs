//! What of a run's times threads did not run, as a profile of several runs has it.

use serde::{Deserialize, Serialize};

use crate::column::Column;
use crate::folded::column;
use crate::{Cpu, NodeNumbers, Profile, Tree};

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

    /// A part of the profile file: that of each run, or nothing if no run has any.
    pub(crate) fn all(profile: &Profile) -> Vec<&Self> {
        let has_any = profile.runs.iter().any(|run| run.split != Self::default());
        profile.runs.iter().filter(|_| has_any).map(|run| &run.split).collect()
    }

    /// Gives the runs of a profile theirs. An error names a contradiction.
    pub(crate) fn add_all(all: Vec<Self>, profile: &mut Profile) -> Result<(), String> {
        if !all.is_empty() && all.len() != profile.runs.len() {
            return Err(format!("{} split runs of {}", all.len(), profile.runs.len()));
        }
        for (run, split) in profile.runs.iter_mut().zip(all) {
            run.split = split;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Frame, OffCpu, Run, SumNode, ThreadIx, TickRate, Ticks, TreeSum};

    /// A thread with a method whose self time is 10 ticks, in one run.
    fn profile() -> Profile {
        let mut sum = TreeSum::default();
        let thread: SumNode = sum.child(None, Frame::Thread(ThreadIx(0)));
        let numbers = NodeNumbers { timed: 1, ..NodeNumbers::default() };
        sum.add(thread, &numbers);
        let method = sum.child(Some(thread), Frame::Method(crate::MethodIx(0)));
        sum.add(method, &NodeNumbers { self_time: Ticks(10), ..numbers });
        let mut profile = Profile::without_records(TickRate::NANOS, &Default::default());
        profile.tree = sum.tree();
        let own = vec![Ticks(0), Ticks(10)];
        profile.runs = vec![Run { timed: vec![1, 1], self_ticks: own, ..Run::default() }];
        profile
    }

    fn split(preempted: u64, node: u32) -> RunSplit {
        let off_cpu = [vec![(node, preempted)], Vec::new(), Vec::new(), Vec::new()];
        RunSplit { off_cpu, ..RunSplit::default() }
    }

    #[test]
    fn a_run_has_its_part() {
        let mut profile = profile();
        RunSplit::add_all(vec![split(7, 1)], &mut profile).unwrap();
        let run = profile.run(0).unwrap();
        let parts: Vec<OffCpu> = run.tree.nodes().map(|node| run.tree.off_cpu(node)).collect();
        assert_eq!(parts.iter().map(|part| part.preempted.0).collect::<Vec<_>>(), [0, 7]);
        let numbers = run.tree.nodes().map(|node| run.tree.numbers(node));
        assert_eq!(RunSplit::new(Cpu::default(), numbers), profile.runs[0].split);
    }

    #[test]
    fn what_contradicts_the_run_is_refused() {
        let mut profile = profile();
        assert!(RunSplit::add_all(vec![RunSplit::default(); 2], &mut profile).is_err());
        assert!(RunSplit::add_all(Vec::new(), &mut profile).is_ok());
        for wrong in [split(11, 1), split(1, 2), split(0, 1), split(1, 0)] {
            RunSplit::add_all(vec![wrong.clone()], &mut profile).unwrap();
            assert!(profile.run(0).is_none(), "{wrong:?}");
        }
    }
}
