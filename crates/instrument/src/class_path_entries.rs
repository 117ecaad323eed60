//! The entries of a class path on a command line.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

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
        jars.retain(|path| {
            path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jar"))
        });
        jars.sort();
        entries.extend(jars);
    }
    entries
}
