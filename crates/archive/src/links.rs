//! Further names of an output: relative symbolic links, so that the output directory can be moved.
//!
//! A copy would have the same classes and ids twice. A hard link would keep the old file when the
//! output is replaced.

use std::io;
use std::path::{Component, Path, PathBuf};

use crate::{Destination, Error};

/// Makes the links to a complete output. With `force` they replace files and links, never
/// directories.
pub(crate) fn make(to: &Destination) -> Result<(), Error> {
    for link in &to.links {
        put(&to.path, link, to.force).map_err(|e| Error::io(link, "cannot link", e))?;
    }
    Ok(())
}

fn put(output: &Path, link: &Path, force: bool) -> io::Result<()> {
    let folder = link.parent().unwrap_or(Path::new(""));
    jfathom_files::create_directories(folder, 0o777)?;
    let target = from_folder(folder, output);
    match jfathom_files::create_link(link, &target) {
        // A rename replaces atomically.
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists && force => {
            jfathom_files::replace_link(link, &target)
        }
        made => made,
    }
}

/// The relative path from a folder to a path. Both are relative to the same folder, and no links
/// lie between them.
fn from_folder(folder: &Path, path: &Path) -> PathBuf {
    let same = folder.components().zip(path.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(same).map(|_| Component::ParentDir);
    up.chain(path.components().skip(same)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_relative() {
        let way = |folder: &str, path: &str| from_folder(Path::new(folder), Path::new(path));
        assert_eq!(way("out", "out/lib/a.jar"), Path::new("lib/a.jar"));
        assert_eq!(way("out/lib", "out/a.jar"), Path::new("../a.jar"));
        assert_eq!(way("/x/out/lib/b", "/x/out/c/a.jar"), Path::new("../../c/a.jar"));
    }
}
