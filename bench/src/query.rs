//! Tables of many profiles, and queries over them in several engines.

use crate::{
    corpus::Corpus,
    shell,
    subject::{SUBJECTS, Subject},
};
use anyhow::{Context, Result};
use jfathom_testkit::jdk;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Profiles that [`profiles`] records, and over how many days they are spread.
const PROFILES: usize = 200;
const DAYS: usize = 10;

/// Records real programs with small inputs into DIR/profiles, labelled as builds of three services
/// on ten days, and exports them to DIR/tables, partitioned by day and service. Goes on where it
/// was.
pub fn profiles(place: &Path) -> Result<()> {
    let place = std::path::absolute(place)?;
    let (profiles, tables) = (place.join("profiles"), place.join("tables"));
    fs::create_dir_all(&profiles)?;
    let folder = tempfile::tempdir()?;
    let corpus = Corpus::find()?;
    let subjects = SUBJECTS.iter().filter(|subject| subject.name.ends_with("-short"));
    let mut rewritten: Vec<(&Subject, _)> = Vec::new();
    for subject in subjects {
        let class_path = subject.class_path(&corpus, folder.path())?;
        rewritten.push((subject, subject.rewrite(&corpus.jfathom, &class_path, folder.path())?));
    }
    for number in 0..PROFILES {
        let (subject, class_path) = &rewritten[number % rewritten.len()];
        let profile = profiles.join(format!("{number:03}.jfp"));
        if profile.is_file() {
            continue;
        }
        let labels = [
            format!("--label=day=2026-11-{:02}", 1 + number / (PROFILES / DAYS)),
            format!("--label=service={}", subject.name),
            "--label=branch=main".to_owned(),
            format!("--label=commit={number:04x}"),
        ];
        // It gets its name when its tables are there.
        let part = profile.with_extension("part");
        let mut record = corpus.jfathom.record(&part, &labels.each_ref().map(String::as_str));
        record.arg(jdk::main().java());
        shell::output(subject.arguments(&corpus, &mut record, class_path, folder.path())?)?;
        let mut export = corpus.jfathom.command();
        export.arg("export").arg(&part).args(["--to", "parquet", "--partition", "day,service"]);
        shell::output(export.arg("-o").arg(&tables))?;
        fs::rename(&part, &profile)?;
    }
    eprintln!("{PROFILES} profiles in {}", place.display());
    Ok(())
}

/// Ballista's programs, and the features that they need here.
const BALLISTA: &[(&str, &[&str])] = &[
    ("ballista-scheduler", &[]),
    ("ballista-executor", &[]),
    ("ballista-cli", &["--no-default-features", "--features", "cli"]),
];

/// Installs Ballista's programs into the target folder, not optimised. Returns where they are.
/// Some 480 crates: half an hour on two processors.
fn ballista() -> Result<PathBuf> {
    let folder = target().join("ballista");
    for (program, features) in BALLISTA {
        if folder.join("bin").join(program).is_file() {
            continue;
        }
        let mut install = shell::cargo();
        install.args(["install", "--locked", "--debug", program, "--version", "55.0.0"]);
        install.args(*features).arg("--root").arg(&folder);
        install.env("CARGO_TARGET_DIR", folder.join("build"));
        install.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_PROFILE_DEV_OPT_LEVEL", "0");
        shell::run(&mut install)?;
    }
    Ok(folder.join("bin"))
}

/// The same queries over a directory of tables in jfathom-query, DuckDB and Spark, and with
/// `has_ballista` in Ballista. What is missing is installed into the target folder.
pub fn compare(tables: &Path, has_ballista: bool) -> Result<()> {
    let places = ["release", "debug"].map(|kind| target().join(kind).join("jfathom-query"));
    let program = places.into_iter().find(|place| place.is_file());
    let program = program.context("no jfathom-query: cargo xtask query")?;
    let python = target().join("python");
    shell::run(Command::new("python3").args(["-m", "venv"]).arg(&python))?;
    shell::run(Command::new(python.join("bin/pip")).args(["install", "-q", "duckdb", "pyspark"]))?;
    let mut compare = Command::new(python.join("bin/python"));
    compare.arg(shell::root().join("query/compare/compare.py")).arg(program).arg(tables);
    compare.arg("--spark");
    if has_ballista {
        compare.arg("--ballista").arg(ballista()?);
    }
    shell::run(&mut compare)
}

/// Where `cargo xtask query` builds.
fn target() -> PathBuf {
    shell::target().join("query")
}
