//! A rewritten bundle in an OSGi container: fetches Debian's Felix, unpacked and not installed, and
//! runs the test that is skipped without one.

use crate::shell;
use anyhow::{Context, Result, ensure};
use std::process::Command;

const PACKAGE: &str = "libfelix-framework-java";
const JAR: &str = "usr/share/java/org.apache.felix.framework.jar";

/// Runs the test with the container.
pub fn run() -> Result<()> {
    let folder = tempfile::Builder::new().prefix("jfathom-osgi-").tempdir()?;
    shell::run(
        Command::new("apt-get").args(["-qq", "download", PACKAGE]).current_dir(folder.path()),
    )?;
    let package = std::fs::read_dir(folder.path())?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.extension().is_some_and(|end| end == "deb"))
        .with_context(|| format!("apt-get downloaded no {PACKAGE}"))?;
    shell::run(Command::new("dpkg-deb").arg("-x").arg(package).arg(folder.path()))?;
    let jar = folder.path().join(JAR);
    ensure!(jar.is_file(), "no {JAR} in {PACKAGE}");
    shell::run(
        shell::cargo()
            .args(["test", "-p", "jfathom-tests", "--test", "all", "osgi"])
            .env("JFATHOM_FELIX", jar),
    )
}
