//! Assembles and links the library that JVMs load. It needs no other library, so that it loads
//! beside any C library.

use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs};

const SOURCE: &str = "src/counter.S";

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed={SOURCE}");
    println!("cargo::rerun-if-changed=build.rs");
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("cargo::error={message}");
            ExitCode::FAILURE
        }
    }
}

fn build() -> Result<(), String> {
    let var = |name: &str| env::var(name).map_err(|e| format!("{name}: {e}"));
    let library = PathBuf::from(var("OUT_DIR")?).join("libjfathomclock.so");
    let has_counter = matches!(var("CARGO_CFG_TARGET_ARCH")?.as_str(), "x86_64" | "aarch64");
    if var("CARGO_CFG_TARGET_OS")? != "linux" || !has_counter {
        return fs::write(&library, "").map_err(|e| format!("{}: {e}", library.display()));
    }
    let mut command = cc::Build::new()
        .cargo_metadata(false)
        .try_get_compiler()
        .map_err(|e| e.to_string())?
        .to_command();
    command.args(["-shared", "-nostdlib", "-s", "-Wl,-z,noexecstack", "-Wl,--build-id=none"]);
    command.arg("-o").arg(&library).arg(SOURCE);
    let status = command.status().map_err(|e| format!("{command:?}: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}")) }
}
