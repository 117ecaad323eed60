//! What live sessions say of themselves, in the methods files that `record --tune session-files=keep`
//! leaves.

use anyhow::{Context, Result};
use std::{fs, path::Path};

/// The last totals of each JVM of a session, added up; the greatest for `most_retransformed`.
#[derive(Clone, Debug, Default)]
pub struct Totals(Vec<(String, u64)>);

impl Totals {
    /// One of them, 0 when it is not said.
    pub fn get(&self, name: &str) -> u64 {
        self.0.iter().find(|entry| entry.0 == name).map_or(0, |entry| entry.1)
    }
}

/// The whole lines of all methods files below a session directory.
pub fn lines(session: &Path) -> Vec<Vec<String>> {
    let files = fs::read_dir(session).into_iter().flatten().flatten().map(|entry| entry.path());
    let files = files.filter(|path| path.extension().is_some_and(|end| end == "methods"));
    files
        .map(|path| {
            let text = fs::read_to_string(path).unwrap_or_default();
            let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
            whole.lines().map(str::to_owned).collect()
        })
        .collect()
}

/// Reads the totals.
pub fn totals(session: &Path) -> Result<Totals> {
    let mut sum = Totals::default();
    for lines in lines(session) {
        let last = lines.iter().rev().find_map(|line| line.strip_prefix("{\"totals\":{"));
        let last = last.context("a session without totals")?;
        for pair in last.trim_end_matches('}').split(',') {
            let (name, number) = pair.split_once(':').context("totals are names and numbers")?;
            let (name, number) = (name.trim_matches('"'), number.parse().unwrap_or(0));
            match sum.0.iter_mut().find(|entry| entry.0 == name) {
                Some(entry) if name == "most_retransformed" => entry.1 = entry.1.max(number),
                Some(entry) => entry.1 += number,
                None => sum.0.push((name.to_owned(), number)),
            }
        }
    }
    Ok(sum)
}
