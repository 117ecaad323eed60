//! A jar made from one Java source file.

use crate::error::{Error, Result, at};
use jfathom_archive::{JarManifest, ManifestEdit, NewEntry, create_jar};
use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// A program of one source file.
#[derive(Clone, Copy, Debug)]
pub struct SourceProgram<'a> {
    /// The source.
    pub source: &'a str,
    /// Its package, `demo`, which is not the unnamed one and has no other inside.
    pub package: &'a str,
    /// The simple name of its class with `main`.
    pub main_class: &'a str,
}

/// Compiles a program for Java 17 with the JDK at `java_home`, and makes `jar` of it. Source and
/// class files stay in `folder`.
///
/// # Errors
/// Fails if the compiler cannot be run or refuses the source, or if a file cannot be written.
pub fn build_jar(
    java_home: &Path,
    program: &SourceProgram<'_>,
    folder: &Path,
    jar: &Path,
) -> Result<()> {
    let SourceProgram { source: text, package, main_class } = program;
    let (source, classes) = (folder.join(format!("{main_class}.java")), folder.join("classes"));
    jfathom_files::write(&source, text).map_err(at(&source, "cannot write"))?;
    compile(java_home, &source, &classes)?;
    let mut manifest = JarManifest::default();
    manifest.apply(&[ManifestEdit::set("Main-Class", format!("{package}.{main_class}"))]);
    let mut entries = vec![NewEntry::new("META-INF/MANIFEST.MF", manifest.to_bytes())];
    let directory = classes.join(package);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&directory)
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect())
        .map_err(at(&directory, "cannot list"))?;
    files.sort();
    for file in files {
        let bytes = std::fs::read(&file).map_err(at(&file, "cannot read"))?;
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        entries.push(NewEntry::new(format!("{package}/{name}"), bytes));
    }
    jfathom_files::write(jar, create_jar(&entries)?).map_err(at(jar, "cannot write"))
}

fn compile(java_home: &Path, source: &Path, classes: &Path) -> Result<()> {
    let javac = java_home.join("bin/javac");
    let output = Command::new(&javac)
        .args(["--release", "17", "-encoding", "UTF-8", "-g", "-d"])
        .arg(classes)
        .arg(source)
        .env_remove("JAVA_TOOL_OPTIONS")
        .env_remove("JDK_JAVAC_OPTIONS")
        .stdin(Stdio::null())
        .output()
        .map_err(at(&javac, "cannot run"))?;
    match output.status.success() {
        true => Ok(()),
        false => {
            let problem = String::from_utf8_lossy(&output.stderr);
            Err(Error::failed(javac.display(), problem.trim_end()))
        }
    }
}
