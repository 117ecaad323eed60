//! Finds and runs the Java compiler.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Version of the oldest compiler that is accepted.
const OLDEST: u32 = 17;

/// Compiles `sources` into `classes`; `list` is a scratch file for the argument list.
pub fn compile(sources: &[PathBuf], classes: &Path, list: &Path) -> Result<(), String> {
    let javac = find()?;
    let names: String = sources.iter().map(|path| format!("\"{}\"\n", path.display())).collect();
    fs::write(list, names).map_err(|e| format!("{}: {e}", list.display()))?;
    let output = Command::new(&javac)
        // The JAVA_TOOL_OPTIONS of the user's shell are not for this compiler.
        .env_remove("JAVA_TOOL_OPTIONS")
        .env_remove("JDK_JAVAC_OPTIONS")
        .args(["--release", "11", "-encoding", "UTF-8", "-g:none", "-proc:none"])
        // String concatenation by invokedynamic would bootstrap method handles in the middle of a
        // program's call.
        .args([
            "-XDstringConcat=inline",
            "-Xlint:all,-serial,-rawtypes,-unchecked,-try,-options",
            "-Werror",
            "-d",
        ])
        .arg(classes)
        .arg(format!("@{}", list.display()))
        .output()
        .map_err(|e| format!("{}: {e}", javac.display()))?;
    if output.status.success() {
        return Ok(());
    }
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    Err(format!("{} failed: {}", javac.display(), text.trim_end().replace('\n', "\ncargo::error=")))
}

/// The first compiler of a JDK that is new enough: in JAVA_HOME, on the PATH, then where Linux
/// distributions put JDKs.
fn find() -> Result<PathBuf, String> {
    let mut places = Vec::new();
    if let Some(home) = env::var_os("JAVA_HOME") {
        places.push(PathBuf::from(home).join("bin"));
    }
    places.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    let mut installed: Vec<PathBuf> = ["/usr/lib/jvm", "/usr/java", "/opt/java"]
        .iter()
        .filter_map(|directory| fs::read_dir(directory).ok())
        .flatten()
        .flatten()
        .map(|entry| entry.path().join("bin"))
        .collect();
    installed.sort();
    places.extend(installed);
    let mut too_old = None;
    for place in places {
        let javac = place.join(format!("javac{}", env::consts::EXE_SUFFIX));
        match version(&javac) {
            Some(version) if version >= OLDEST => return Ok(javac),
            Some(version) => too_old = too_old.or(Some((javac, version))),
            None => {}
        }
    }
    let found = too_old.map_or(String::new(), |(javac, version)| {
        format!(" ({} is version {version}, which is too old)", javac.display())
    });
    Err(format!(
        "jfathom's runtime needs a Java compiler, version {OLDEST} or later{found}: \
         install a JDK (Debian: apt install openjdk-17-jdk-headless) or set JAVA_HOME"
    ))
}

/// The feature version of a compiler, if it is one: it prints `javac 17.0.1`.
fn version(javac: &Path) -> Option<u32> {
    if !javac.is_file() {
        return None;
    }
    let output =
        Command::new(javac).arg("-version").env_remove("JAVA_TOOL_OPTIONS").output().ok()?;
    let text = if output.stdout.is_empty() { output.stderr } else { output.stdout };
    let text = String::from_utf8(text).ok()?;
    let digits: String =
        text.trim().strip_prefix("javac ")?.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}
