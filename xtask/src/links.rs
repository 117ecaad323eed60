//! Everything instrumented, no class may link worse than before: `jfathom rewrite` and `jfathom
//! verify` over jars and modules.

use crate::{java, shell};
use anyhow::{Result, ensure};
use std::{path::Path, process::Command};

/// Each of `what` is a jar, or `jrt:/NAME` of the JDK that `JAVA_HOME` names (and of JVM 25).
pub fn run(what: &[&str]) -> Result<()> {
    let jfathom = shell::jfathom()?;
    let mut worse = Vec::new();
    for jdk in java::main_and_25()? {
        for what in what {
            let folder = tempfile::Builder::new().prefix("jfathom-links-").tempdir()?;
            let out = folder.path().join("out");
            let mut rewrite = Command::new(&jfathom);
            rewrite.arg("rewrite").env("JAVA_HOME", &jdk.home);
            let verify = match what.starts_with("jrt:/") {
                true => out.clone(),
                false => out.join(Path::new(what).file_name().unwrap_or_default()),
            };
            rewrite.arg(what).arg("--libraries=off");
            shell::run(rewrite.args(["-q", "-o"]).arg(&out))?;
            let verify = shell::run(
                Command::new(&jfathom).arg("verify").arg(verify).env("JAVA_HOME", &jdk.home),
            );
            if let Err(error) = verify {
                worse.push(format!("{what} on {}: {error:#}", jdk.version));
            }
        }
    }
    ensure!(worse.is_empty(), "{}", worse.join("\n"));
    Ok(())
}
