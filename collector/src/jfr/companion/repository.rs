//! JFR's repository: the directory of chunks that it has written and not yet put into its file.
//!
//! JFR leaves it where the JVM is killed. So it is a directory of the session's, which ends with
//! it, and what is in it then is read in place of the file.

use super::is_jfr_path;
use jfathom_session::Process;
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Its name, in the overflow directory, else in the session directory: it is on disk where there is
/// one, as JFR's own would be.
const NAME: &str = "jfr-chunks";
/// The end of a chunk's name.
const SUFFIX: &str = "jfr";
/// Where the process id stands in the name that JFR gives a JVM's directory,
/// `2026_01_31_23_59_00_PID`, between `_`.
const PID_PLACE: usize = 6;

fn place(session: &Path) -> PathBuf {
    jfathom_trace::overflow_dir(session).unwrap_or_else(|| session.to_owned()).join(NAME)
}

/// Makes the directory. None if it cannot be made, or JFR could not read its name: JFR has one of
/// its own then.
pub(crate) fn make(session: &Path) -> Option<PathBuf> {
    let path = place(session);
    let is_usable = is_jfr_path(&path) && jfathom_files::create_directory(&path, 0o700).is_ok();
    is_usable.then_some(path)
}

/// The chunks that the JVM with this process id has left, in the order of their times. Java 11
/// leaves empty ones, which are left out.
pub(super) fn chunks(session: &Path, pid: u64) -> Vec<PathBuf> {
    let own = |path: &PathBuf| pid_of(path) == Some(pid);
    let directories = entries(&place(session)).into_iter().filter(own);
    let mut chunks: Vec<PathBuf> = directories.flat_map(|directory| entries(&directory)).collect();
    chunks.retain(|path| {
        path.extension().is_some_and(|end| end == SUFFIX)
            && fs::metadata(path).is_ok_and(|meta| meta.len() > 0)
    });
    chunks.sort();
    chunks
}

/// Removes the directory, unless a JVM that still runs has chunks in it: JFR ends a JVM that cannot
/// write the next one.
pub(crate) fn remove(session: &Path) {
    let path = place(session);
    for directory in entries(&path) {
        let process = pid_of(&directory).and_then(|pid| Process::find(u32::try_from(pid).ok()?));
        if process.is_none() {
            let _ = fs::remove_dir_all(directory);
        }
    }
    let _ = fs::remove_dir(path);
}

/// Removes the directory if JFR has left nothing in it.
pub(crate) fn remove_empty(session: &Path) {
    let _ = fs::remove_dir(place(session));
}

fn pid_of(directory: &Path) -> Option<u64> {
    directory.file_name()?.to_str()?.split('_').nth(PID_PLACE)?.parse().ok()
}

fn entries(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten();
    entries.filter_map(|entry: io::Result<fs::DirEntry>| Some(entry.ok()?.path())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_of_a_jvm_are_found_and_removed_unless_it_runs() {
        let folder = tempfile::tempdir().unwrap();
        let session = folder.path();
        let base = make(session).unwrap();
        assert_eq!(make(session), None, "it is there");
        let own = std::process::id();
        for (directory, files) in [
            (format!("2026_01_02_03_04_05_{own}"), &["b.jfr", "a.jfr", "a.part", "empty.jfr"][..]),
            ("2026_01_02_03_04_05_4194305".to_owned(), &["c.jfr"]),
            ("other".to_owned(), &["d.jfr"]),
        ] {
            fs::create_dir(base.join(&directory)).unwrap();
            for file in files {
                let text = if *file == "empty.jfr" { "" } else { "x" };
                fs::write(base.join(&directory).join(file), text).unwrap();
            }
        }
        let names = |pid| {
            let chunks = chunks(session, pid).into_iter();
            chunks.map(|path| path.file_name().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names(u64::from(own)), ["a.jfr", "b.jfr"]);
        // A process id that no process has.
        assert_eq!(names(4_194_305), ["c.jfr"]);
        remove(session);
        assert_eq!((names(u64::from(own)).len(), names(4_194_305).len()), (2, 0));
        assert_eq!(entries(&base).len(), 1);
        fs::remove_dir_all(base.join(format!("2026_01_02_03_04_05_{own}"))).unwrap();
        remove(session);
        assert!(!base.exists());
    }
}
