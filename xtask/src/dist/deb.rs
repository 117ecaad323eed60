//! The Debian package.

use super::{
    binaries::{Binaries, Programs},
    elf,
    notices::Notice,
    pages::Pages,
    release::Release,
    stage::{Stage, file_name},
};
use crate::shell;
use anyhow::{Result, bail};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// `debian/copyright` of the package.
const COPYRIGHT: &str = include_str!("texts/copyright");

/// Rewrites, attaches and reports; JVMs are not needed for files.
const DESCRIPTION: &str = "\
exact call counts and times of JVM programs
 jfathom instruments Java classes, ahead of time or in a running JVM, records
 the calls below a chosen method, and shows a call tree: counts are exact, times
 have error bars.
 .
 Reports, comparisons and exports need no Java. Recording needs a HotSpot JVM
 of version 11 or later.";

/// Makes the package, and returns its file name.
pub fn package(
    release: &Release,
    programs: &Programs,
    pages: &Pages,
    notices: &[Notice],
) -> Result<String> {
    let architecture = architecture(release.processor())?;
    let version = format!("{}-1", release.version);
    let stage = Stage::new(release, "deb")?;
    for (name, program) in programs.named() {
        stage.program(&format!("usr/bin/{name}"), program)?;
    }
    for page in &pages.manual {
        let below = format!("usr/share/man/man1/{}", file_name(page));
        stage.copy(&below, page)?;
        stage.compress(&below)?;
    }
    for (shell, file) in &pages.completions {
        let folder = match *shell {
            "bash" => "usr/share/bash-completion/completions",
            "zsh" => "usr/share/zsh/vendor-completions",
            _ => "usr/share/fish/vendor_completions.d",
        };
        stage.copy(&format!("{folder}/{}", file_name(file)), file)?;
    }
    let documents = |name: &str| format!("usr/share/doc/jfathom/{name}");
    stage.write(&documents("copyright"), COPYRIGHT.as_bytes())?;
    for notice in notices {
        stage.write(&documents(notice.name), &notice.text)?;
        stage.compress(&documents(notice.name))?;
    }
    stage.copy(&documents("changelog"), &shell::root().join("CHANGELOG.md"))?;
    stage.write(&documents("changelog.Debian"), changelog(release, &version)?.as_bytes())?;
    for name in ["changelog", "changelog.Debian"] {
        stage.compress(&documents(name))?;
    }
    let files = files(stage.path())?;
    let control = control(&version, architecture, &needs(release, programs)?, size(&files)?);
    stage.write("DEBIAN/control", control.as_bytes())?;
    let names = files.iter().filter_map(|file| file.strip_prefix(stage.path()).ok());
    let sums = shell::output(Command::new("md5sum").args(names).current_dir(stage.path()))?;
    stage.write("DEBIAN/md5sums", sums.as_bytes())?;

    let file = format!("jfathom_{version}_{architecture}.deb");
    let mut build = Command::new("dpkg-deb");
    build.args(["--root-owner-group", "-Zxz", "--build"]).arg(stage.path());
    build.arg(release.folder.join(&file)).env("SOURCE_DATE_EPOCH", release.epoch.to_string());
    shell::run(&mut build)?;
    Ok(file)
}

/// Debian's name of a processor.
fn architecture(processor: &str) -> Result<&'static str> {
    Ok(match processor {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        "riscv64gc" => "riscv64",
        "powerpc64le" => "ppc64el",
        other => bail!("Debian's name of {other} is not known here"),
    })
}

/// The control file (Debian Policy 5.3).
fn control(version: &str, architecture: &str, needs: &str, kilobytes: u64) -> String {
    format!(
        "Package: jfathom\n\
         Version: {version}\n\
         Architecture: {architecture}\n\
         Maintainer: {}\n\
         Installed-Size: {kilobytes}\n\
         Depends: {needs}\n\
         Suggests: default-jre-headless | java11-runtime-headless\n\
         Section: devel\n\
         Priority: optional\n\
         Description: {DESCRIPTION}\n",
        maintainer()
    )
}

/// Who makes the package, by the variables of Debian's tools.
fn maintainer() -> String {
    let variable = |name: &str, other: &str| std::env::var(name).unwrap_or_else(|_| other.into());
    let name = variable("DEBFULLNAME", "jfathom maintainers");
    format!("{name} <{}>", variable("DEBEMAIL", "maintainers@jfathom.invalid"))
}

/// The libraries that the command and its agent are linked to.
fn needs(release: &Release, programs: &Programs) -> Result<String> {
    let mut newest = elf::glibc(&Binaries::agent())?;
    for (_, program) in programs.named() {
        newest = newest.max(elf::glibc(program)?);
    }
    let (major, minor) = newest;
    eprintln!("dist: {} needs glibc {major}.{minor}", release.target);
    Ok(format!("libc6 (>= {major}.{minor}), libgcc-s1 (>= 4.2)"))
}

/// The package's own changelog (Debian Policy 4.4); the project's is beside it.
fn changelog(release: &Release, version: &str) -> Result<String> {
    let mut date = Command::new("date");
    date.args(["--utc", "--rfc-email", "--date", &release.date()]).env("LC_ALL", "C");
    let date = shell::output(&mut date)?;
    Ok(format!(
        "jfathom ({version}) unstable; urgency=medium\n\n  \
         * Package of jfathom {}. Its changes are in changelog.gz.\n\n \
         -- {}  {}\n",
        release.version,
        maintainer(),
        date.trim()
    ))
}

/// All files below a folder, sorted.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let (mut open, mut files) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() { open.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    Ok(files)
}

/// What the files take, in units of 1,024 bytes.
fn size(files: &[PathBuf]) -> Result<u64> {
    let mut kilobytes = 0;
    for file in files {
        kilobytes += fs::metadata(file)?.len().div_ceil(1024);
    }
    Ok(kilobytes)
}
