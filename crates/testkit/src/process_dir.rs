//! Folders that a whole test process uses, such as compiled programs. Nothing runs at its end that
//! could remove them: they lie with the build, not in the temporary folder, and later processes
//! remove them.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Once,
};
use tempfile::TempDir;

/// What their names begin with; the process's id and a random word follow.
const PREFIX: &str = "jfathom-test-";

/// Makes one, in `tmp` of the target folder.
pub fn process_dir() -> TempDir {
    static SWEPT: Once = Once::new();
    let folder = target_tmp();
    fs::create_dir_all(&folder).expect("the target folder can be written");
    SWEPT.call_once(|| sweep(&folder));
    let prefix = format!("{PREFIX}{}-", std::process::id());
    tempfile::Builder::new()
        .prefix(&prefix)
        .tempdir_in(&folder)
        .expect("the target folder can be written")
}

/// `tmp` of the target folder.
pub(crate) fn target_tmp() -> PathBuf {
    let program = std::env::current_exe().expect("a test is a file");
    program.ancestors().nth(3).expect("it lies in target/PROFILE/deps").join("tmp")
}

/// Removes the folders of processes that have ended.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let owner = name
            .to_str()
            .and_then(|name| name.strip_prefix(PREFIX)?.split('-').next()?.parse::<u32>().ok());
        if owner.is_some_and(|pid| !Path::new(&format!("/proc/{pid}")).exists()) {
            // Another process may be removing it.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
