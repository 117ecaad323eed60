//! The order of the runs of a series.

/// A run to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScheduledRun {
    /// The index of the side.
    pub(super) side: usize,
    pub(super) roots_only: bool,
}

/// The runs in their order. `anchors` says for each side whether each full run is paired with a
/// roots-only run.
///
/// In a round the second side's runs mirror the first's, so that the full runs are neighbours.
/// Every second round is the one before in reverse: over two rounds a machine that gets steadily
/// slower or faster affects each side and each kind of run alike.
pub(super) fn schedule(rounds: u32, anchors: &[bool]) -> Vec<ScheduledRun> {
    let of_side = |side: usize| {
        let mut runs: Vec<ScheduledRun> = vec![ScheduledRun { side, roots_only: false }];
        if anchors[side] {
            runs.insert(if side == 0 { 0 } else { 1 }, ScheduledRun { side, roots_only: true });
        }
        runs
    };
    let round: Vec<ScheduledRun> = (0..anchors.len()).flat_map(of_side).collect();
    let reverse: Vec<ScheduledRun> = round.iter().rev().copied().collect();
    (0..rounds).flat_map(|at| if at % 2 == 0 { round.clone() } else { reverse.clone() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The runs as letters: of base and new, small for roots-only runs.
    fn order(rounds: u32, anchors: &[bool]) -> String {
        let letter = |run: &ScheduledRun| match (run.side, run.roots_only) {
            (0, false) => 'B',
            (0, true) => 'b',
            (_, false) => 'N',
            (_, true) => 'n',
        };
        schedule(rounds, anchors).iter().map(letter).collect()
    }

    #[test]
    fn kinds_and_sides_are_interleaved() {
        assert_eq!(order(2, &[false]), "BB");
        assert_eq!(order(3, &[true]), "bBBbbB");
        assert_eq!(order(3, &[false, false]), "BNNBBN");
        assert_eq!(order(3, &[true, true]), "bBNnnNBbbBNn");
        // Over two rounds each kind has the same mean position.
        for anchors in [[false, false], [true, true], [true, false]] {
            let runs = schedule(2, &anchors);
            for run in &runs {
                let places: Vec<usize> = (0..runs.len()).filter(|at| runs[*at] == *run).collect();
                assert_eq!((places.len(), places[0] + places[1]), (2, runs.len() - 1));
            }
        }
    }
}
