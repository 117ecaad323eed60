//! Says where cargo puts the library that JVMs load, so that the command holds it as data.
//!
//! The agent is a dependency of the command with a cdylib among its crate types, so cargo has
//! linked `libjfathom.so` into `deps` before it compiles the command. What both consist of is
//! compiled once.
//!
//! A library cannot be linked with `crt-static` for all crates. A static command is linked with it
//! for its last crate alone (`cargo xtask dist`).

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    match library() {
        Ok(library) => {
            println!("cargo::rustc-env=JFATHOM_AGENT_LIBRARY={}", library.display());
            ExitCode::SUCCESS
        }
        Err(message) => {
            println!("cargo::error={message}");
            ExitCode::FAILURE
        }
    }
}

/// The path of the agent's library beside the command's other dependencies.
fn library() -> Result<PathBuf, String> {
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    if features.split(',').any(|feature| feature == "crt-static") {
        // Cargo would leave the library out, and the command would hold an empty one.
        return Err("with crt-static there is no agent: use `cargo rustc -p jfathom-cli --bin \
                    jfathom -- -C target-feature=+crt-static`"
            .to_owned());
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
    let profile = out.ancestors().find(|path| path.ends_with("build")).and_then(Path::parent);
    let deps = profile
        .ok_or_else(|| format!("{}: not below a target directory", out.display()))?
        .join("deps");
    let library = deps.join("libjfathom.so");
    // `cargo check` and clippy link nothing, but read what is included.
    if !library.exists() {
        fs::write(&library, []).map_err(|e| format!("{}: {e}", library.display()))?;
    }
    Ok(library)
}
