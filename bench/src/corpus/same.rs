//! `corpus`: the programs print the same plain, rewritten without a recording, and recorded; with
//! `--live` recorded live from their main methods, under schemes lazy and total.

use super::{Corpus, live};
use crate::table;
use anyhow::{Context, Result, ensure};
use jfathom_testkit::{Jdk, jdk};
use std::fs;

#[derive(clap::Args)]
pub struct Options {
    /// Record live
    #[arg(long)]
    live: bool,
    /// All without
    names: Vec<String>,
}

/// Runs the programs on each JVM, and prints a table.
pub fn run(options: Options) -> Result<()> {
    let corpus = Corpus::find()?;
    let mut names = options.names;
    if names.is_empty() {
        let name = |entry: std::io::Result<fs::DirEntry>| {
            Ok(entry?.file_name().to_string_lossy().into_owned())
        };
        names = fs::read_dir(corpus.scripts.join("w"))?.map(name).collect::<Result<_>>()?;
        names.sort();
    }
    table::head(&if options.live { live::columns() } else { COLUMNS.to_owned() });
    let mut different = Vec::new();
    for name in &names {
        corpus.fetch(name)?;
        for jdk in jdk::main_and_25("corpus") {
            let rows = if options.live {
                live::rows(&corpus, name, jdk)
            } else {
                vec![corpus.row(name, jdk)]
            };
            for row in rows {
                match row {
                    Ok(row) => println!("| {name} | {} | {row} |", jdk.version),
                    Err(error) => {
                        println!("| {name} | {} | **{error:#}** |", jdk.version);
                        different.push(format!("{name} on {}", jdk.version));
                    }
                }
            }
        }
    }
    ensure!(different.is_empty(), "not the same as plain: {}", different.join(", "));
    Ok(())
}

/// What stands in the place of a row where a program does not run by itself.
pub const DOES_NOT_RUN: &str = "the uninstrumented program does not run";

const COLUMNS: &str =
    "program | JVM | plain s | rewritten, no recording s | recorded s | calls | output";

impl Corpus {
    fn row(&self, name: &str, jdk: &Jdk) -> Result<String> {
        let Ok(plain) = self.outcome(self.script(jdk).arg(name)) else {
            return Ok(DOES_NOT_RUN.to_owned());
        };
        let folder = tempfile::tempdir()?;
        let change = self.rewrite(name, jdk, folder.path())?;
        let mut script = self.script(jdk);
        let inert = self.outcome(script.arg(name).env(change.0, &change.1)).context("rewritten")?;
        ensure!(inert.sum == plain.sum, "rewritten, the output differs");
        let profile = folder.path().join("p.jfp");
        let mut record = self.record(name, jdk, &profile, &[]);
        let recorded = self.outcome(record.env(change.0, &change.1)).context("recorded")?;
        ensure!(recorded.sum == plain.sum, "recorded, the output differs");
        let (calls, _) = self.calls(&profile)?;
        ensure!(calls > 0.0, "the profile is empty");
        let (plain, inert, recorded) = (plain.wall, inert.wall, recorded.wall);
        Ok(format!("{plain} | {inert} | {recorded} | {:.1} M | same", calls / 1e6))
    }
}
