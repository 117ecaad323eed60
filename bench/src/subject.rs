//! Real programs behind drivers that plant a difference.

use crate::{corpus::Corpus, ecj, given, jfathom::Jfathom};
use anyhow::Result;
use jfathom_testkit::Javac;
use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// What a program needs, the driver's classes first.
pub type ClassPath = Vec<PathBuf>;

/// A real program behind a driver that plants, and prints for how long its root ran.
pub struct Subject {
    /// Its name in tables.
    pub name: &'static str,
    /// Of the corpus.
    program: &'static str,
    driver: &'static str,
    /// What the driver does how often.
    work: &'static str,
}

/// With inputs of a second or so, and short ones.
pub const SUBJECTS: &[Subject] = &[
    Subject { name: "sat4j", program: "sat4j", driver: "Sat", work: "120" },
    Subject { name: "sat4j-short", program: "sat4j", driver: "Sat", work: "10" },
    Subject { name: "lucene", program: "lucene", driver: "Index", work: "800" },
    Subject { name: "lucene-short", program: "lucene", driver: "Index", work: "50" },
    Subject { name: "ecj", program: "ecj", driver: "Compile", work: "5" },
    Subject { name: "ecj-short", program: "ecj", driver: "Compile", work: "1" },
];

/// The subjects of these names; without any all that are not short.
pub fn chosen(names: &[String]) -> impl Iterator<Item = &'static Subject> {
    SUBJECTS.iter().filter(move |subject| match names {
        [] => subject.name == subject.program,
        names => names.iter().any(|name| name == subject.name),
    })
}

/// Where the drivers' sources are.
pub fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/subject")
}

impl Subject {
    /// The class path as it is.
    pub fn class_path(&self, corpus: &Corpus, folder: &Path) -> Result<ClassPath> {
        self.class_path_with(corpus, &sources().join("Plant.java"), folder)
    }

    /// The class path with another `Plant.java`.
    pub fn class_path_with(
        &self,
        corpus: &Corpus,
        plant: &Path,
        folder: &Path,
    ) -> Result<ClassPath> {
        corpus.fetch(self.program)?;
        let jars = corpus.class_path(self.program)?;
        let classes = folder.join(format!("{}-classes", self.name));
        let jars_text = std::env::join_paths(&jars)?.to_string_lossy().into_owned();
        let driver = sources().join(format!("{}.java", self.driver));
        let javac = Javac::plain().option("-cp").option(jars_text);
        javac.compile(&[plant.to_path_buf(), driver], &classes);
        Ok([classes].into_iter().chain(jars).collect())
    }

    /// A class path rewritten.
    pub fn rewrite(
        &self,
        jfathom: &Jfathom,
        class_path: &ClassPath,
        folder: &Path,
    ) -> Result<ClassPath> {
        let out = folder.join(format!("{}-out", self.name));
        jfathom.rewrite(class_path, &out, &["--root", &format!("{}::run", self.driver)])?;
        Ok(class_path.iter().map(|path| out.join(path.file_name().unwrap_or_default())).collect())
    }

    /// Adds class path, driver and arguments to a `java`.
    pub fn arguments<'c>(
        &self,
        corpus: &Corpus,
        java: &'c mut Command,
        class_path: &ClassPath,
        folder: &Path,
    ) -> Result<&'c mut Command> {
        java.arg("-cp").arg(std::env::join_paths(class_path)?).arg(self.driver);
        Ok(match self.driver {
            "Sat" => java.arg(self.work),
            "Index" => java.arg(corpus.store().join("in/jdk/java.base/java/util")).arg(self.work),
            _ => java
                .arg(self.work)
                .args(ecj::OPTIONS)
                .arg(folder.join("classes"))
                .arg(given::folder("JFATHOM_LOGGING_SOURCES", "java.logging's sources")?),
        })
    }
}
