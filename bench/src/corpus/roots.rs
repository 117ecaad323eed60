//! Where the programs start.

use anyhow::{Context, Result};

/// The main methods of each program's JVMs. javac's belongs to the JDK, so that methods of the JDK
/// are asked for.
pub const MAINS: &[(&str, &[&str])] = &[
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

/// The options that record a program live from its main methods.
pub fn options<'a>(name: &str, scheme: &'a str) -> Result<Vec<&'a str>> {
    let (_, roots) = MAINS
        .iter()
        .find(|known| known.0 == name)
        .with_context(|| format!("no root is known of {name}"))?;
    let mut options = vec!["--use-java-tool-options", "--scheme", scheme];
    options.extend((name == "javac").then_some("--scheme=jdk"));
    options.extend(roots.iter().flat_map(|root| ["--root", root]));
    Ok(options)
}
