//! The entries of a class path on a command line.

use crate::manifest_files::unescape;
use jfathom_archive::{Input, Limits, path_of_file_url};
use std::{
    collections::{HashSet, VecDeque},
    ffi::{OsStr, OsString},
    os::unix::ffi::OsStringExt,
    path::{Path, PathBuf},
};

/// The most entries of a class path that are opened, those of `Class-Path` included.
const ENTRIES: usize = 100_000;

/// The entries of a class path as `java -cp` takes it: `lib/*` stands for the jars of a folder.
pub(crate) fn expand(class_path: &OsStr) -> Vec<PathBuf> {
    let mut entries = Vec::new();
    for entry in std::env::split_paths(class_path) {
        if entry.file_name() != Some(OsStr::new("*")) {
            entries.push(entry);
            continue;
        }
        let folder = entry
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        // A folder that cannot be listed has no jars, as for the launcher.
        let Ok(files) = std::fs::read_dir(folder) else { continue };
        let mut jars: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
        jars.retain(|path| is_jar(path));
        jars.sort();
        entries.extend(jars);
    }
    entries
}

/// The files that a jar's `Class-Path` names: relative to its folder, or by URLs `file:`.
pub(crate) fn siblings(jar: &Input, path: &Path) -> Vec<PathBuf> {
    let Ok(Some(manifest)) = jar.manifest() else { return Vec::new() };
    let folder = path.parent().unwrap_or(Path::new("/"));
    let names = manifest.main().get("Class-Path").unwrap_or_default().split_ascii_whitespace();
    let relative =
        |name: &str| OsString::from_vec(unescape(name.strip_prefix("file:").unwrap_or(name)));
    names
        .map(|name| path_of_file_url(name).unwrap_or_else(|| folder.join(relative(name))))
        .collect()
}

/// The opened containers of a class or module path, and of the `Class-Path` of their manifests.
#[derive(Default)]
pub(crate) struct Containers {
    /// Those that can be opened, in the order in which a class loader asks them.
    pub(crate) inputs: Vec<Input>,
    /// An entry that is not there, is empty, or cannot be opened: it may have classes later.
    pub(crate) missing: Option<PathBuf>,
}

impl Containers {
    /// Opens a class path as the launcher takes it.
    pub(crate) fn of_class_path<'a>(entries: impl IntoIterator<Item = &'a Path>) -> Self {
        let mut containers = Self::default();
        let mut open = VecDeque::new();
        for entry in entries {
            let expanded = expand(entry.as_os_str());
            if expanded.is_empty() {
                containers.missing.get_or_insert_with(|| entry.to_owned());
            }
            open.extend(expanded);
        }
        let mut seen = HashSet::new();
        while let Some(path) = open.pop_front() {
            let real = path.canonicalize().ok();
            if real.as_ref().is_some_and(|real| !seen.insert(real.clone())) {
                continue;
            }
            let input = real.filter(|_| seen.len() < ENTRIES).and_then(|real| {
                let input = Input::open_to_read(&real, &Limits::default()).ok()?;
                Some((input, real))
            });
            let Some((input, real)) = input else {
                containers.missing.get_or_insert(path);
                continue;
            };
            if real.is_file() {
                siblings(&input, &real).into_iter().rev().for_each(|path| open.push_front(path));
            } else if input.names().next().is_none() {
                containers.missing.get_or_insert(path);
            }
            containers.inputs.push(input);
        }
        containers
    }

    /// Adds the modules of a module path: each entry is a module, or a folder of modules.
    pub(crate) fn add_module_path<'a>(&mut self, entries: impl IntoIterator<Item = &'a Path>) {
        for entry in entries {
            let is_folder = entry.is_dir() && !entry.join("module-info.class").is_file();
            let modules = match (is_folder, std::fs::read_dir(entry)) {
                (true, Ok(files)) => {
                    let mut paths: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
                    paths.sort();
                    paths
                }
                _ => vec![entry.to_owned()],
            };
            for path in modules {
                match Input::open_to_read(&path, &Limits::default()) {
                    Ok(input) => self.inputs.push(input),
                    Err(_) if is_folder && path.is_file() && !is_jar(&path) => {}
                    Err(_) => drop(self.missing.get_or_insert(path)),
                }
            }
        }
    }
}

fn is_jar(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jar"))
}
