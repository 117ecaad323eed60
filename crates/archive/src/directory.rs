//! Class directories.

use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rayon::prelude::*;
use walkdir::WalkDir;

use crate::codec::Storage;
use crate::limits::{Budget, check};
use crate::walk::{ContainerVisitor, WalkItem, Walker, check_entry};
use crate::{EntryId, EntryName, Error, Limit, Location, Notice};
use jfathom_files::open_plain;

/// The plain files below a directory, sorted by name, folder by folder. Symbolic links are
/// followed, as by the JVM.
#[derive(Debug)]
pub(crate) struct Directory {
    pub(crate) root: PathBuf,
    pub(crate) files: Vec<DirectoryFile>,
    /// The folders below the root, each after its parent.
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) notices: Vec<Notice>,
}

/// A file below the root.
#[derive(Debug)]
pub(crate) struct DirectoryFile {
    pub(crate) name: EntryName,
    /// The path below the root.
    pub(crate) path: PathBuf,
    pub(crate) size: u64,
    /// Time of the last change, if the file system has it.
    pub(crate) modified: Option<SystemTime>,
}

impl Directory {
    /// Lists the files below `root`, and subtracts them from the budget.
    pub(crate) fn read(root: &Path, location: &Location, budget: &Budget) -> Result<Self, Error> {
        let mut listed = Self {
            root: root.to_owned(),
            files: Vec::new(),
            folders: Vec::new(),
            notices: Vec::new(),
        };
        let (mut total, mut seen) = (0u64, 0);
        let mut walk =
            WalkDir::new(root).min_depth(1).follow_links(true).sort_by_file_name().into_iter();
        while let Some(item) = walk.next() {
            // Links between a few folders can make paths without end, and no file.
            seen += 1;
            check(location, Limit::Entries, seen, budget.limits().entries)?;
            let (path, meta) = match item.and_then(|item| Ok((item.metadata()?, item))) {
                Ok((meta, item)) => match item.path().strip_prefix(root) {
                    Ok(path) => (path.to_owned(), meta),
                    Err(_) => continue,
                },
                // A dangling link, a loop of links, a folder without permission.
                Err(e) => {
                    let path =
                        e.path().and_then(|p| p.strip_prefix(root).ok()).unwrap_or(Path::new(""));
                    listed.leave_out(location, path, e.to_string());
                    continue;
                }
            };
            if meta.is_dir() {
                if jfathom_files::is_of_kernel(&root.join(&path)) {
                    walk.skip_current_dir();
                    listed.leave_out(location, &path, "it leads into a tree of the kernel".into());
                } else {
                    listed.folders.push(path);
                }
                continue;
            }
            if !meta.is_file() {
                let reason = "it is a pipe, a socket or a device".to_owned();
                listed.leave_out(location, &path, reason);
                continue;
            }
            let (size, modified) = (meta.len(), meta.modified().ok());
            total = total.saturating_add(size);
            listed.files.push(DirectoryFile { name: name_of(&path), path, size, modified });
        }
        budget.reserve(location, listed.files.len() as u64, total)?;
        Ok(listed)
    }

    fn leave_out(&mut self, root: &Location, path: &Path, reason: String) {
        self.notices.push(Notice::LeftOut { location: root.join(&name_of(path)), reason });
    }

    /// The content of a file. Fails if the file has grown since it was listed.
    pub(crate) fn content(&self, file: &DirectoryFile) -> std::io::Result<Vec<u8>> {
        let mut content = Vec::with_capacity(file.size as usize);
        open_plain(&self.root.join(&file.path))?.take(file.size + 1).read_to_end(&mut content)?;
        if content.len() as u64 > file.size {
            return Err(std::io::Error::other("it grew while it was read"));
        }
        Ok(content)
    }

    /// Traverses the directory: one item per file.
    pub(crate) fn walk<J: ContainerVisitor>(
        &self,
        location: &Location,
        walker: &Walker<'_, J>,
    ) -> Result<Vec<WalkItem<J::Out>>, Error> {
        let item = |(position, file): (usize, &DirectoryFile)| {
            let id = EntryId(vec![position as u32]);
            let mut item = WalkItem::nothing();
            if walker.wants(&file.name) {
                check_entry(location, &file.name, file.size, walker.budget())?;
                let content = self.content(file).map(Into::into).map_err(|e| e.to_string().into());
                item = walker.entry(location, &file.name, id.clone(), content, Storage::Stored)?;
            }
            walker.tick(&id);
            Ok(item)
        };
        self.files.par_iter().enumerate().with_max_len(64).map(item).collect()
    }
}

fn name_of(path: &Path) -> EntryName {
    EntryName::new(path.as_os_str().as_bytes())
}
