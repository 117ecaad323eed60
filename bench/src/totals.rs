//! What live sessions count, in the methods files that `record --tune session-files=keep` leaves.

use anyhow::{Context, Result};
use serde_json::Value;
use std::{fs, path::Path};

/// Names of what is shown, in the order of tables.
const NAMES: [&str; 6] = [
    "retransformations",
    "retransformed_classes",
    "at_load",
    "most_retransformed",
    "late",
    "failed",
];

/// Columns of these, as head of a table.
pub const COLUMNS: &str = "retransformations | of classes | at load | most of one | late | failed";

/// The last totals of each JVM of a session, added up; the greatest of `most_retransformed`.
#[derive(Clone, Debug, Default)]
pub struct Totals([u64; NAMES.len()]);

impl Totals {
    /// Reads them below a session directory.
    pub fn read(session: &Path) -> Result<Self> {
        let mut sums = Self::default();
        for entry in fs::read_dir(session)? {
            let path = entry?.path();
            if path.extension().is_none_or(|end| end != "methods") {
                continue;
            }
            let text = fs::read_to_string(path)?;
            let last = text.lines().rev().find(|line| line.starts_with("{\"totals\":"));
            let last: Value = serde_json::from_str(last.context("a session without totals")?)?;
            for (sum, name) in sums.0.iter_mut().zip(NAMES) {
                let number = last["totals"][name].as_u64().unwrap_or(0);
                *sum = if name == "most_retransformed" { number.max(*sum) } else { *sum + number };
            }
        }
        Ok(sums)
    }

    /// The cells of a row.
    pub fn cells(&self) -> String {
        self.0.map(|number| number.to_string()).join(" | ")
    }
}
