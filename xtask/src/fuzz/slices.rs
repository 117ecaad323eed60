//! What runs of a fuzz target came to, kept from run to run.

use anyhow::Result;
use std::{
    fs::{self, OpenOptions},
    io::Write,
    path::Path,
    time::Duration,
};

/// One run of a target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slice {
    /// Of the processor.
    seconds: u64,
    executions: u64,
    /// Edges that the corpus reaches.
    coverage: u64,
}

impl Slice {
    /// Out of what libFuzzer said, and the processor's time that it took.
    pub fn of(said: &str, cpu: Duration) -> Self {
        let after = |line: &str, word: &str| {
            line.split(word).nth(1)?.split_whitespace().next()?.parse().ok()
        };
        let last =
            |word: &str| said.lines().rev().find_map(|line| after(line, word)).unwrap_or_default();
        let executions = said
            .lines()
            .filter_map(|line| line.strip_prefix('#')?.split_whitespace().next()?.parse().ok());
        let executions = executions.max().unwrap_or_default();
        Self { seconds: cpu.as_secs(), executions, coverage: last(" cov: ") }
    }

    fn parse(line: &str) -> Option<Self> {
        let mut numbers = line.split('\t').map(|number| number.parse().ok());
        Some(Self {
            seconds: numbers.next()??,
            executions: numbers.next()??,
            coverage: numbers.next()??,
        })
    }
}

/// Adds a run to those of the target.
pub fn add(place: &Path, target: &str, slice: &Slice) -> Result<()> {
    let mut file =
        OpenOptions::new().create(true).append(true).open(place.join(format!("{target}.tsv")))?;
    Ok(writeln!(file, "{}\t{}\t{}", slice.seconds, slice.executions, slice.coverage)?)
}

/// How many inputs have crashed it or were too slow or too large.
pub fn crashes(place: &Path, target: &str) -> usize {
    files(&place.join("artifacts").join(target))
}

fn files(folder: &Path) -> usize {
    fs::read_dir(folder).map_or(0, |entries| entries.count())
}

/// All runs of all targets as a Markdown table.
pub fn table(place: &Path, targets: &[String]) -> Result<String> {
    let mut table = "| target | seeds | corpus | executions | a second | edges | CPU minutes | flat for | crashes |\n\
        |---|---|---|---|---|---|---|---|---|\n"
        .to_owned();
    for target in targets {
        let text = fs::read_to_string(place.join(format!("{target}.tsv"))).unwrap_or_default();
        let slices: Vec<Slice> = text.lines().filter_map(Slice::parse).collect();
        let seconds: u64 = slices.iter().map(|slice| slice.seconds).sum();
        let executions: u64 = slices.iter().map(|slice| slice.executions).sum();
        table += &format!(
            "| {target} | {} | {} | {executions} | {} | {} | {} | {} | {} |\n",
            files(&place.join("seeds").join(target)),
            files(&place.join("corpus").join(target)),
            executions / seconds.max(1),
            slices.last().map_or(0, |slice| slice.coverage),
            seconds / 60,
            flat(&slices) / 60,
            crashes(place, target),
        );
    }
    Ok(table)
}

/// For how many seconds, up to the end, no run has reached a new edge.
fn flat(slices: &[Slice]) -> u64 {
    let Some(last) = slices.last() else { return 0 };
    let same = slices.iter().rev().take_while(|slice| slice.coverage == last.coverage).count();
    // The run in which the last edge was found does not count.
    let from = slices.len() - same;
    slices[from..].iter().skip(1).map(|slice| slice.seconds).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "INFO: seed corpus: files: 3\n#3\tINITED cov: 5 ft: 6 corp: 2/9b exec/s: 0 rss: 27Mb\n\
        #916\tNEW    cov: 406 ft: 501 corp: 35/5235b lim: 222 exec/s: 7 rss: 27Mb\n\
        #1024\tpulse  cov: 406 ft: 501 corp: 35/5235b lim: 222 exec/s: 7 rss: 27Mb\nstat::peak_rss_mb: 27\n";

    #[test]
    fn what_libfuzzer_said_is_read() {
        let slice = Slice::of(SAID, Duration::from_secs(120));
        assert_eq!(slice, Slice { seconds: 120, executions: 1024, coverage: 406 });
        assert_eq!(Slice::parse("120\t1024\t406"), Some(slice));
        assert_eq!(Slice::of("", Duration::ZERO), Slice::default());
    }

    #[test]
    fn coverage_is_flat_after_the_run_that_found_the_last_edge() {
        let slices = [5, 7, 7, 7].map(|coverage| Slice { seconds: 60, executions: 1, coverage });
        assert_eq!(flat(&slices), 120);
        assert_eq!(flat(&slices[..2]), 0);
        assert_eq!(flat(&[]), 0);
    }
}
