//! Builds the library that JVMs load, `libjfathom.so` of the room `agent`, so that the command holds it.
//!
//! It is built by the same cargo, for the same target and by the same profile, in a target directory of its own beside the
//! command's: two cargos must not wait for each other's lock, and what is built there serves the next build.

use std::{
    env,
    ffi::OsStr,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

/// The rooms that the library consists of.
const ROOMS: &[&str] = &[
    "agent",
    "crates/archive",
    "crates/classfile-writer",
    "crates/files",
    "crates/plan",
    "reachability",
    "rewriter",
    "runtime-java",
    "crates/trace",
    "crates/world",
];

/// What of a room goes into it.
const PARTS: &[&str] = &["Cargo.toml", "build.rs", "build", "src", "java", "live"];

/// What cargo tells the build scripts of the command, or is told for it alone: flags such as `--cfg loom`, wrappers such as
/// clippy's, and settings that the profile of the library has itself.
const NOT_PASSED_ON: &[&str] = &[
    "CARGO_ENCODED_RUSTFLAGS",
    "RUSTFLAGS",
    "RUSTDOCFLAGS",
    "RUSTC_WORKSPACE_WRAPPER",
    "CARGO_BUILD_TARGET",
    "CARGO_BUILD_RUSTFLAGS",
    "CARGO_INCREMENTAL",
    "CLIPPY_ARGS",
    "__CARGO_DEFAULT_LIB_METADATA",
];

fn main() -> ExitCode {
    match build() {
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

fn build() -> Result<PathBuf, String> {
    let variable = |name: &str| env::var(name).map_err(|_| format!("{name} is not set"));
    let here = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    let root = here.parent().ok_or("the command's folder has no parent")?;
    println!("cargo::rerun-if-changed=build.rs");
    for path in ["Cargo.toml", "Cargo.lock"] {
        watch(&root.join(path));
    }
    ROOMS.iter().for_each(|room| PARTS.iter().for_each(|part| watch(&root.join(room).join(part))));

    let release = variable("PROFILE")? == "release";
    let target = variable("TARGET")?;
    let out = PathBuf::from(variable("OUT_DIR")?);
    let directory = target_directory(&out)?;
    let mut cargo = Command::new(variable("CARGO")?);
    cargo.current_dir(root).args(["build", "--quiet", "--package", "jfathom-agent", "--lib", "--target", &target]);
    cargo.arg("--target-dir").arg(&directory);
    if release {
        cargo.arg("--release");
    }
    if root.join("Cargo.lock").is_file() {
        cargo.arg("--locked");
    }
    for (name, _) in env::vars_os().filter(|(name, _)| is_ours_alone(name)) {
        cargo.env_remove(name);
    }
    // It lies in the command's own data: line tables of it would only make that larger.
    cargo.env(if release { "CARGO_PROFILE_RELEASE_STRIP" } else { "CARGO_PROFILE_DEV_STRIP" }, "debuginfo");
    let output = cargo.output().map_err(|e| format!("cargo cannot be run: {e}"))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        // One line of an error each: cargo shows no others.
        let lines = text.lines().map(|line| format!("cargo::error={line}")).collect::<Vec<_>>().join("\n");
        println!("{lines}");
        return Err(format!("libjfathom.so was not built ({})", output.status));
    }
    let built = directory.join(&target).join(if release { "release" } else { "debug" }).join("libjfathom.so");
    // A copy, so that no later build changes it while the command is compiled.
    let library = out.join("libjfathom.so");
    std::fs::copy(&built, &library).map_err(|e| format!("{}: {e}", built.display()))?;
    Ok(library)
}

/// `TARGET/agent` for an output directory `TARGET/PROFILE/build/PACKAGE/out`.
fn target_directory(out: &Path) -> Result<PathBuf, String> {
    let profile = out.ancestors().find(|it| it.file_name() == Some(OsStr::new("build"))).and_then(Path::parent);
    let target =
        profile.and_then(Path::parent).ok_or_else(|| format!("{}: not below a target directory", out.display()))?;
    Ok(target.join("agent"))
}

/// Whether a variable is none of the library's.
fn is_ours_alone(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let given = ["CARGO_FEATURE_", "CARGO_CFG_", "CARGO_PKG_", "CARGO_MANIFEST_"];
    NOT_PASSED_ON.contains(&&*name) || given.iter().any(|prefix| name.starts_with(prefix))
}

fn watch(path: &Path) {
    if path.exists() {
        println!("cargo::rerun-if-changed={}", path.display());
    }
}
