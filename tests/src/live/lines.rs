//! The methods file of a live session, read independently of the types that write it.

use serde_json::Value;
use std::{fmt, fs, path::Path};

/// The whole lines that were written until now.
#[derive(Clone, Default)]
pub struct Lines(pub Vec<Value>);

/// The first and the last of them, as they stand in the file.
impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 30;
        for (number, line) in self.0.iter().enumerate() {
            if number < SHOWN || number + SHOWN >= self.0.len() {
                writeln!(f, "{number}: {line}")?;
            }
        }
        Ok(())
    }
}

impl Lines {
    /// Reads the methods files below a session directory; none yet is no line.
    pub fn of(directory: &Path) -> Self {
        let mut lines = Vec::new();
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|end| end == "methods") {
                let text = fs::read_to_string(&path).unwrap_or_default();
                let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
                lines.extend(whole.lines().map(|line| {
                    serde_json::from_str::<Value>(line)
                        .unwrap_or_else(|error| panic!("{line:?}: {error}"))
                }));
            }
        }
        Self(lines)
    }

    /// The values of one kind of line: `session`, `class`, `skip`, `root`, `note`, `totals`.
    pub fn all<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Value> + 'a {
        self.0.iter().filter_map(move |line| line.get(kind))
    }

    /// Whether a root's line says this state: `waiting` or `live`.
    pub fn root_is(&self, state: &str) -> bool {
        self.all("root").any(|root| root["state"] == state)
    }

    /// A number of the last totals; 0 before there are any.
    pub fn total(&self, name: &str) -> u64 {
        self.all("totals")
            .last()
            .map_or(0, |totals| totals[name].as_u64().unwrap_or_else(|| panic!("{totals}: {name}")))
    }

    /// Classes that were rewritten, as `a/b/C`.
    pub fn classes(&self) -> Vec<&str> {
        self.all("class").filter_map(|class| class["name"].as_str()).collect()
    }
}
