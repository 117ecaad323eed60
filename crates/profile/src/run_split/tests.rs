use super::*;
use crate::{Frame, OffCpu, Profile, Run, SumNode, ThreadIx, TickRate, Ticks, TreeSum};

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

/// The places of all runs.
fn splits(profile: &mut Profile) -> impl ExactSizeIterator<Item = &mut RunSplit> {
    profile.runs.iter_mut().map(|run| &mut run.split)
}

fn split(preempted: u64, node: u32) -> RunSplit {
    let off_cpu = [vec![(node, preempted)], Vec::new(), Vec::new(), Vec::new()];
    RunSplit { off_cpu, ..RunSplit::default() }
}

#[test]
fn a_run_has_its_part() {
    let mut profile = profile();
    RunSplit::add_all(vec![split(7, 1)], splits(&mut profile)).unwrap();
    let run = profile.run(0).unwrap();
    let parts: Vec<OffCpu> = run.tree.nodes().map(|node| run.tree.off_cpu(node)).collect();
    assert_eq!(parts.iter().map(|part| part.preempted.0).collect::<Vec<_>>(), [0, 7]);
    let numbers = run.tree.nodes().map(|node| run.tree.numbers(node));
    assert_eq!(RunSplit::new(Cpu::default(), numbers), profile.runs[0].split);
}

#[test]
fn what_contradicts_the_run_is_refused() {
    let mut profile = profile();
    assert!(RunSplit::add_all(vec![RunSplit::default(); 2], splits(&mut profile)).is_err());
    assert!(RunSplit::add_all(Vec::new(), splits(&mut profile)).is_ok());
    for wrong in [split(11, 1), split(1, 2), split(0, 1), split(1, 0)] {
        RunSplit::add_all(vec![wrong.clone()], splits(&mut profile)).unwrap();
        assert!(profile.run(0).is_none(), "{wrong:?}");
    }
}
