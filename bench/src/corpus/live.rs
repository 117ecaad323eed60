//! `corpus --live`: the uninstrumented programs, recorded live from their main method.

use super::{Corpus, roots, same::DOES_NOT_RUN};
use crate::totals::{self, Totals};
use anyhow::{Result, ensure};
use jfathom_testkit::Jdk;

/// The columns of the table.
pub fn columns() -> String {
    let totals = totals::COLUMNS;
    format!(
        "program | JVM | scheme | plain s | live s | calls | methods called | {totals} | output"
    )
}

/// The rows of a program on a JVM.
pub fn rows(corpus: &Corpus, name: &str, jdk: &Jdk) -> Vec<Result<String>> {
    let Ok(plain) = corpus.outcome(corpus.script(jdk).arg(name)) else {
        return vec![Ok(DOES_NOT_RUN.to_owned())];
    };
    let row = |scheme: &str| -> Result<String> {
        let folder = tempfile::tempdir()?;
        let (profile, session) = (folder.path().join("p.jfp"), folder.path().join("session"));
        let place = format!("--tune=session={}", session.display());
        let mut options = roots::options(name, scheme)?;
        options.extend(["--tune=session-files=keep", &place]);
        let outcome = corpus.outcome(&mut corpus.record(name, jdk, &profile, &options))?;
        ensure!(outcome.sum == plain.sum, "{scheme}: the output differs");
        let (calls, called) = corpus.calls(&profile)?;
        ensure!(called > 10, "{scheme}: only {called} methods were called");
        Ok(format!(
            "{scheme} | {} | {} | {:.1} M | {called} | {} | same",
            plain.wall,
            outcome.wall,
            calls / 1e6,
            Totals::read(&session)?.cells()
        ))
    };
    ["lazy", "total"].into_iter().map(row).collect()
}
