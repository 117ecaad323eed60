//! `corpus --live`: the uninstrumented programs, recorded live from their main method.

use super::Corpus;
use crate::{
    java::Jdk,
    methods::{Totals, totals},
    shell,
};
use anyhow::{Context, Result, ensure};
use std::{path::Path, process::Command};

/// The main methods of each program's JVMs. javac's belongs to the JDK, so that methods of the JDK
/// are asked for.
const ROOTS: &[(&str, &[&str])] = &[
    ("clojure", &["clojure.main::main"]),
    ("closure", &["com.google.javascript.jscomp.CommandLineRunner::main"]),
    ("ecj", &["org.eclipse.jdt.internal.compiler.batch.Main::main"]),
    ("fop", &["org.apache.fop.cli.Main::main"]),
    ("groovy", &["groovy.ui.GroovyMain::main"]),
    ("h2", &["org.h2.tools.RunScript::main"]),
    ("javac", &["com.sun.tools.javac.Main::main"]),
    ("kotlinc", &["org.jetbrains.kotlin.cli.jvm.K2JVMCompiler::main"]),
    (
        "lucene",
        &["org.apache.lucene.demo.IndexFiles::main", "org.apache.lucene.demo.SearchFiles::main"],
    ),
    ("proguard", &["proguard.ProGuard::main"]),
    ("sat4j", &["org.sat4j.BasicLauncher::main"]),
    ("scalac", &["scala.tools.nsc.Main::main"]),
    ("weka", &["weka.classifiers.trees.J48::main"]),
];

/// Under which schemes.
const SCHEMES: [&str; 2] = ["lazy", "total"];

pub const HEAD: &str = "\
| program | JVM | scheme | plain s | live s | calls | methods called | retransformations | of classes | at load | most of one | late | failed | output |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|";

/// The rows of a program on a JVM; what is wrong is in the row, and told.
pub fn rows(corpus: &Corpus, name: &str, jdk: &Jdk) -> Result<bool> {
    let version = jdk.version;
    let Ok(plain) = corpus.outcome(corpus.script(jdk).arg(name)) else {
        println!(
            "| {name} | {version} | | | | | | | | | | | | the uninstrumented program does not run |"
        );
        return Ok(true);
    };
    let mut fine = true;
    for scheme in SCHEMES {
        match live(corpus, name, jdk, scheme, &plain.sum) {
            Ok((wall, calls, called, totals)) => println!(
                "| {name} | {version} | {scheme} | {} | {wall} | {:.1} M | {called} | {} | {} | {} | {} | {} | {} | same |",
                plain.wall,
                calls as f64 / 1e6,
                totals.get("retransformations"),
                totals.get("retransformed_classes"),
                totals.get("at_load"),
                totals.get("most_retransformed"),
                totals.get("late"),
                totals.get("failed"),
            ),
            Err(error) => {
                fine = false;
                println!(
                    "| {name} | {version} | {scheme} | {} | | | | | | | | | | **{error:#}** |",
                    plain.wall
                );
            }
        }
    }
    Ok(fine)
}

/// The options that record a program live from its main methods.
pub fn options<'a>(name: &str, scheme: &'a str) -> Result<Vec<&'a str>> {
    let (_, roots) = ROOTS
        .iter()
        .find(|known| known.0 == name)
        .with_context(|| format!("no root is known of {name}"))?;
    let mut options = vec!["--use-java-tool-options", "--scheme", scheme];
    options.extend((name == "javac").then_some("--scheme=jdk"));
    options.extend(roots.iter().flat_map(|root| ["--root", root]));
    Ok(options)
}

fn live(
    corpus: &Corpus,
    name: &str,
    jdk: &Jdk,
    scheme: &str,
    sum: &str,
) -> Result<(String, u64, usize, Totals)> {
    let folder = tempfile::Builder::new().prefix("jfathom-corpus-").tempdir()?;
    let (profile, session) = (folder.path().join("p.jfp"), folder.path().join("session"));
    let place = format!("--tune=session={}", session.display());
    let mut options = options(name, scheme)?;
    options.extend(["--tune=session-files=keep", &place]);
    let outcome = corpus.outcome(&mut corpus.record(name, jdk, &profile, &options))?;
    ensure!(outcome.sum == sum, "the output differs");
    let (calls, called) = calls(&corpus.jfathom, &profile)?;
    ensure!(called > 10, "only {called} methods were called");
    Ok((outcome.wall, calls, called, totals(&session)?))
}

/// Calls, and methods that were called, of a profile.
fn calls(jfathom: &Path, profile: &Path) -> Result<(u64, usize)> {
    let report = shell::output(Command::new(jfathom).args(["report", "--json"]).arg(profile))?;
    Ok((super::calls(&report), super::called(&report)))
}
