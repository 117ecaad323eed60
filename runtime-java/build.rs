//! Compiles the Java sources and embeds the classes.
//!
//! There are two runtimes: one for programs that are rewritten ahead of time, from `shared/` and
//! `aot/`, and one for live sessions, from `shared/` and `live/`. The live one's classes are then
//! moved into package `java.lang`, with names that begin with `Jfathom`.
//!
//! `shared/` names no class of the other two folders: the generated class `Variant` has the one
//! `Host` of each runtime.
//!
//! Everything is compiled as Java 11. Code that uses newer APIs, or APIs that `--release` hides, is
//! compiled against stubs in package `jfathom.stub`. The prefix `jfathom/stub/` is then cut out of
//! the compiled classes, which leaves the real names. So the output does not depend on the JDK's
//! version, and no compiler warning can arise.

#[path = "build/class_names.rs"]
mod class_names;
#[path = "build/generate.rs"]
mod generate;
#[path = "build/javac.rs"]
mod javac;
#[path = "../crates/trace/src/layout.rs"]
#[allow(dead_code)]
mod layout;
#[path = "build/live.rs"]
mod live;
#[path = "../crates/session/src/names.rs"]
#[allow(dead_code)]
mod names;
#[path = "build/twin.rs"]
mod twin;

use class_names::Class;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

const STUBS: &str = "jfathom/stub/";

fn main() -> ExitCode {
    let shared_with_rust = ["../crates/session/src/names.rs", "../crates/trace/src/layout.rs"];
    for path in ["build.rs", "build", "shared", "aot", "live"].into_iter().chain(shared_with_rust) {
        println!("cargo::rerun-if-changed={path}");
    }
    println!("cargo::rerun-if-env-changed=JAVA_HOME");
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("cargo::error={message}");
            ExitCode::FAILURE
        }
    }
}

fn build() -> Result<(), String> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
    let root =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("CARGO_MANIFEST_DIR is not set")?);
    let generated = out.join("generated");
    fresh(&generated)?;
    let common = files(&root.join("shared"), "java")?;
    let (aot, live) = (files(&root.join("aot"), "java")?, files(&root.join("live"), "java")?);
    let build = hash(common.iter().chain(&live))?;
    let source = |path: &str, text: String| {
        let path = generated.join(path);
        write(&path, text.as_bytes()).map(|()| path)
    };
    let layout = source("Layout.java", generate::layout())?;
    let wrapping = source("Wrapping.java", generate::wrapping())?;
    let internal = root.join("shared/session/InternalMemory.java");
    let internal =
        fs::read_to_string(&internal).map_err(|e| format!("{}: {e}", internal.display()))?;
    let unsafe_memory = source("aot/UnsafeMemory.java", twin::unsafe_memory(&internal)?)?;
    let aot_variant = source("aot/Variant.java", generate::variant("AotHost", build, false))?;
    let live_variant = source("live/Variant.java", generate::variant("LiveHost", build, true))?;
    let sources = |own: &[PathBuf], variant: PathBuf| {
        [common.as_slice(), own, &[layout.clone(), wrapping.clone(), variant]].concat()
    };
    let mut lists = [Vec::new(), Vec::new(), Vec::new()];
    let aot = [aot.as_slice(), &[unsafe_memory]].concat();
    for class in compile(&sources(&aot, aot_variant), &out.join("aot"))? {
        let target = out.join("aot/embedded").join(class.name.replace('/', "."));
        write(&target, &class.bytes)?;
        lists[usize::from(class.name.starts_with("jfathom/tool/"))]
            .push((format!("{}.class", class.name), target));
    }
    let mut classes = compile(&sources(&live, live_variant), &out.join("live"))?;
    classes.retain(|class| !class.name.starts_with("jfathom/tool/"));
    for class in live::moved(classes)? {
        let target = out.join("live/embedded").join(class.name.replace('/', "."));
        write(&target, &class.bytes)?;
        lists[2].push((class.name, target));
    }
    write(&out.join("embedded.rs"), rust(&lists, build).as_bytes())
}

/// Compiles `sources` below `out`. Returns the classes without the stubs, in order of path.
fn compile(sources: &[PathBuf], out: &Path) -> Result<Vec<Class>, String> {
    let classes = out.join("classes");
    fresh(&classes)?;
    fresh(&out.join("embedded"))?;
    javac::compile(sources, &classes, &out.join("sources.txt"))?;
    let mut found = Vec::new();
    for path in files(&classes, "class")? {
        let name = path.strip_prefix(&classes).map_err(|e| e.to_string())?.with_extension("");
        let name = name.to_string_lossy().replace('\\', "/");
        if !name.starts_with(STUBS) {
            let bytes = fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            let bytes = class_names::renamed(&bytes, STUBS, "")
                .map_err(|e| format!("{}: {e}", path.display()))?;
            found.push(Class { name, bytes });
        }
    }
    Ok(found)
}

/// FNV-1a over the sources and the layout's hash.
fn hash<'a>(sources: impl Iterator<Item = &'a PathBuf>) -> Result<u64, String> {
    let mut hash = layout::LAYOUT_HASH;
    for path in sources {
        let text = fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
        hash = text
            .iter()
            .fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3));
    }
    Ok(hash)
}

/// The text that `src/embedded.rs` includes.
fn rust([runtime, tool, live]: &[Vec<(String, PathBuf)>; 3], build: u64) -> String {
    let mut text = String::new();
    for (name, doc, list) in [
        ("CLASSES", "The runtime: path inside a jar, and class bytes; in order of path.", runtime),
        (
            "TOOL_CLASSES",
            "Tools for the command's own JVMs, never put into a rewritten jar; as [`CLASSES`].",
            tool,
        ),
        (
            "LIVE_CLASSES",
            "The runtime of live sessions: internal name, in package `java.lang`, and class bytes; each after its supertypes, \
             as the boot loader must be given them.",
            live,
        ),
    ] {
        let _ = writeln!(text, "/// {doc}\npub const {name}: &[(&str, &[u8])] = &[");
        for (path, file) in list {
            let _ = writeln!(text, "    ({path:?}, include_bytes!({file:?})),");
        }
        text.push_str("];\n");
    }
    let _ = writeln!(
        text,
        "/// The main class of [`TOOL_CLASSES`], which links all classes of a class path."
    );
    let _ = writeln!(text, "pub const TOOL_MAIN: &str = \"jfathom.tool.LinkAll\";");
    let _ = writeln!(text, "/// The class of [`TOOL_CLASSES`] that does nothing, for calibration.");
    let _ = writeln!(text, "pub const TOOL_IDLE: &str = \"jfathom.tool.Idle\";");
    let _ = writeln!(
        text,
        "/// The hash of the session layout that the classes were compiled against."
    );
    let _ = writeln!(text, "pub const LAYOUT_HASH: u64 = {:#x};", layout::LAYOUT_HASH);
    let _ = writeln!(
        text,
        "/// What [`crate::live::BUILD`] returns for classes that were built from these sources."
    );
    let _ = writeln!(text, "pub const LIVE_BUILD: u64 = {build:#x};");
    text
}

fn fresh(directory: &Path) -> Result<(), String> {
    if directory.exists() {
        fs::remove_dir_all(directory).map_err(|e| format!("{}: {e}", directory.display()))?;
    }
    fs::create_dir_all(directory).map_err(|e| format!("{}: {e}", directory.display()))
}

/// Writes a file, and the folder that it is in.
fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    fs::write(path, bytes).map_err(|e| format!("{}: {e}", path.display()))
}

/// All files below `directory` with this extension, sorted.
fn files(directory: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_path_buf()];
    while let Some(directory) = open.pop() {
        let entries =
            fs::read_dir(&directory).map_err(|e| format!("{}: {e}", directory.display()))?;
        for entry in entries {
            let path = entry.map_err(|e| format!("{}: {e}", directory.display()))?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|end| end == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
