//! The program's class path and its JDK as a world, opened once in the JVM's life.

use crate::ffi::Jvmti;
use crate::lock::lock;
use jfathom_archive::{Input, Limits};
use jfathom_plan::MANIFEST_PATH;
use jfathom_world::OpenedWorld;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::JoinHandle;

/// The program and its JDK.
#[derive(Clone)]
pub struct Program {
    pub opened: &'static OpenedWorld<'static>,
    /// A container of the class path that was rewritten.
    pub rewritten: Option<PathBuf>,
}

/// The most entries of a class path that URLs in manifests are looked for in.
const MOST_PATHS: usize = 10_000;

static PROGRAM: OnceLock<Result<Program, Arc<jfathom_world::Error>>> = OnceLock::new();
/// A thread that opens it while the JVM starts.
static OPENER: Mutex<Option<JoinHandle<()>>> = Mutex::new(None);

/// Begins to open the program on a thread of its own, which uses no function of the JVM.
pub fn open_in_background(jvmti: Jvmti) {
    let (paths, home) = of_jvm(jvmti);
    *lock(&OPENER) = std::thread::Builder::new()
        .name("jfathom".to_owned())
        .spawn(move || {
            PROGRAM.get_or_init(|| open_containers(&paths, home));
        })
        .ok();
}

/// The program; opened by the first call.
///
/// # Errors
/// Fails if the JDK cannot be read; with the same error each time.
pub fn open(jvmti: Jvmti) -> Result<Program, Arc<jfathom_world::Error>> {
    if let Some(opener) = lock(&OPENER).take() {
        let _ = opener.join();
    }
    let opened = PROGRAM.get_or_init(|| {
        let (paths, home) = of_jvm(jvmti);
        open_containers(&paths, home)
    });
    opened.clone()
}

fn open_containers(
    paths: &[PathBuf],
    home: Option<PathBuf>,
) -> Result<Program, Arc<jfathom_world::Error>> {
    let options = jfathom_world::Options {
        jdk: home,
        application_modules: true,
        ..jfathom_world::Options::default()
    };
    let opened = jfathom_world::open(paths, &options).map_err(Arc::new)?;
    let rewritten = opened.container_with(MANIFEST_PATH);
    let rewritten = rewritten.map(|location| location.container().to_owned());
    Ok(Program { opened: Box::leak(Box::new(opened)), rewritten })
}

/// Class path, module path and home of the JVM.
fn of_jvm(jvmti: Jvmti) -> (Vec<PathBuf>, Option<PathBuf>) {
    let property = |name| jvmti.property(name).filter(|value| !value.is_empty());
    let split =
        |value: Vec<u8>| std::env::split_paths(&OsString::from_vec(value)).collect::<Vec<_>>();
    let mut paths = property(c"java.class.path").map(split).unwrap_or_default();
    for path in property(c"jdk.module.path").map(split).unwrap_or_default() {
        match jars(&path) {
            jars if jars.is_empty() => paths.push(path),
            jars => paths.extend(jars),
        }
    }
    // While the JVM starts it changes its working directory for a moment, to remove old performance
    // data: our thread must not depend on it. An empty entry is that directory.
    let absolute = |path: PathBuf| match path.as_os_str().is_empty() {
        true => std::env::current_dir().unwrap_or(path),
        false => std::path::absolute(&path).unwrap_or(path),
    };
    let mut paths = paths.into_iter().map(absolute).collect();
    add_named_by_url(&mut paths);
    (paths, property(c"java.home").map(|home| PathBuf::from(OsString::from_vec(home))))
}

/// Adds what jar manifests name by absolute URLs in their `Class-Path`: build tools start a JVM
/// with one such jar in place of a long class path. Relative names are followed later.
fn add_named_by_url(paths: &mut Vec<PathBuf>) {
    let mut at = 0;
    while let Some(path) = paths.get(at).filter(|_| paths.len() < MOST_PATHS) {
        let manifest = match path.is_file() {
            true => Input::open_to_read(path, &Limits::default())
                .ok()
                .and_then(|jar| jar.manifest().ok().flatten()),
            false => None,
        };
        let named = manifest.as_ref().and_then(|manifest| manifest.main().get("Class-Path"));
        for url in named.unwrap_or_default().split_ascii_whitespace() {
            let found = jfathom_archive::path_of_file_url(url).filter(|path| path.exists());
            if let Some(found) = found.filter(|found| !paths.contains(found)) {
                paths.push(found);
            }
        }
        at += 1;
    }
}

/// The jars in a directory of the module path, in order.
fn jars(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut found: Vec<_> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "jar"))
        .collect();
    found.sort();
    found
}
