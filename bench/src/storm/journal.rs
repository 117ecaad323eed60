//! What became of the rounds, on disk, so that a storm can be gone on with.

use anyhow::{Context, Result};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    fs::{self, File, OpenOptions},
    io::Write,
    path::Path,
};

/// What came of a recording of which all holds that must.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// All calls are there, and the profile is clean.
    Exact,
    /// All calls are there; the profile tells what else is amiss, such as the end of a killed JVM.
    ExactTold,
    /// Calls are missing in a clean profile: somebody has ended the recording while the program
    /// went on.
    Ended,
    /// Calls are missing, and the profile tells it.
    LossesTold,
    /// No profile, and the reason was said: the recording could not begin, or nothing could be
    /// written.
    NoProfile,
}

impl Outcome {
    pub const ALL: [Self; 5] =
        [Self::Exact, Self::ExactTold, Self::Ended, Self::LossesTold, Self::NoProfile];

    fn word(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::ExactTold => "exact, not clean",
            Self::Ended => "ended by hand",
            Self::LossesTold => "losses told",
            Self::NoProfile => "no profile",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Held(Outcome),
    Failed(Vec<String>),
    /// Needs what is not here.
    Skipped,
}

/// One round in the journal.
pub struct Line {
    pub number: u64,
    pub verdict: Verdict,
    pub draw: String,
    pub seconds: f64,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, faults) = match &self.verdict {
            Verdict::Held(outcome) => (outcome.word(), String::new()),
            Verdict::Skipped => ("skipped", String::new()),
            Verdict::Failed(faults) => ("FAILED", faults.join("; ").replace(['\t', '\n'], " ")),
        };
        write!(f, "{}\t{word}\t{:.1}\t{}\t{faults}", self.number, self.seconds, self.draw)
    }
}

impl Line {
    fn parse(line: &str) -> Option<Self> {
        let mut fields = line.split('\t');
        let number = fields.next()?.parse().ok()?;
        let word = fields.next()?;
        let seconds = fields.next()?.parse().ok()?;
        let draw = fields.next()?.to_owned();
        let faults = fields.next()?;
        let verdict = match word {
            "skipped" => Verdict::Skipped,
            "FAILED" => Verdict::Failed(vec![faults.to_owned()]),
            _ => Verdict::Held(Outcome::ALL.into_iter().find(|outcome| outcome.word() == word)?),
        };
        Some(Self { number, verdict, draw, seconds })
    }
}

pub struct Journal {
    file: File,
    lines: BTreeMap<u64, Line>,
}

impl Journal {
    /// Reads what is there, or begins anew.
    pub fn open(path: &Path, again: bool) -> Result<Self> {
        let before =
            if again { String::new() } else { fs::read_to_string(path).unwrap_or_default() };
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        file.try_lock().with_context(|| format!("another storm has {}", path.display()))?;
        if again {
            file.set_len(0)?;
        }
        let lines =
            before.lines().filter_map(Line::parse).map(|line| (line.number, line)).collect();
        Ok(Self { file, lines })
    }

    pub fn has(&self, number: u64) -> bool {
        self.lines.contains_key(&number)
    }

    pub fn add(&mut self, line: Line) -> Result<()> {
        writeln!(self.file, "{line}")?;
        self.lines.insert(line.number, line);
        Ok(())
    }

    pub fn failed(&self) -> usize {
        self.lines.values().filter(|line| matches!(line.verdict, Verdict::Failed(_))).count()
    }

    /// Rounds by attack and outcome.
    pub fn table(&self) -> String {
        let heads = Outcome::ALL.map(Outcome::word).join(" | ");
        let mut table = format!("| attack | rounds | {heads} | failed | skipped | seconds |\n");
        table += &"|---".repeat(Outcome::ALL.len() + 5);
        table += "|\n";
        let attack =
            |line: &Line| line.draw.split([' ', '(']).next().unwrap_or_default().to_owned();
        let attacks: BTreeSet<String> = self.lines.values().map(attack).collect();
        for name in attacks.iter().map(Some).chain([None]) {
            let lines =
                || self.lines.values().filter(|line| name.is_none_or(|name| attack(line) == *name));
            let count = |wanted: &dyn Fn(&Verdict) -> bool| {
                lines().filter(|line| wanted(&line.verdict)).count()
            };
            let mut numbers = vec![lines().count()];
            numbers.extend(
                Outcome::ALL.map(|outcome| count(&|verdict| *verdict == Verdict::Held(outcome))),
            );
            numbers.push(count(&|verdict| matches!(verdict, Verdict::Failed(_))));
            numbers.push(count(&|verdict| *verdict == Verdict::Skipped));
            let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
            let seconds: f64 = lines().map(|line| line.seconds).sum();
            let name = name.map_or("all", String::as_str);
            table += &format!("| {name} | {} | {seconds:.0} |\n", numbers.join(" | "));
        }
        table
    }
}
