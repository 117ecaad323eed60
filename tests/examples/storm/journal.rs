//! What became of the rounds, on disk, so that a storm can be gone on with.

use crate::Result;
use std::{
    collections::BTreeMap,
    fmt,
    fs::{self, File, OpenOptions},
    io::Write,
    path::Path,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Held,
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
            Verdict::Held => ("held", String::new()),
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
            "held" => Verdict::Held,
            "skipped" => Verdict::Skipped,
            _ => Verdict::Failed(vec![faults.to_owned()]),
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
        let before = if again { String::new() } else { fs::read_to_string(path).unwrap_or_default() };
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        file.try_lock().map_err(|_| format!("another storm has {}", path.display()))?;
        if again {
            file.set_len(0)?;
        }
        let lines = before.lines().filter_map(Line::parse).map(|line| (line.number, line)).collect();
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

    /// Rounds by attack.
    pub fn table(&self) -> String {
        let mut rows: BTreeMap<&str, (u64, u64, u64, f64)> = BTreeMap::new();
        for line in self.lines.values() {
            let attack = line.draw.split([' ', '(']).next().unwrap_or_default();
            for name in [attack, "all"] {
                let row = rows.entry(name).or_default();
                row.3 += line.seconds;
                match line.verdict {
                    Verdict::Held => row.0 += 1,
                    Verdict::Failed(_) => row.1 += 1,
                    Verdict::Skipped => row.2 += 1,
                }
            }
        }
        let mut table =
            "| attack | rounds | held | failed | skipped | seconds |\n|---|---|---|---|---|---|\n".to_owned();
        for (name, (held, failed, skipped, seconds)) in rows {
            table +=
                &format!("| {name} | {} | {held} | {failed} | {skipped} | {seconds:.0} |\n", held + failed + skipped);
        }
        table
    }
}
