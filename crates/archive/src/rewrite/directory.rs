//! Writing of directories: a rewritten class directory, or the changed classes of any container.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::directory::Directory;
use crate::zip::EntryAction;
use crate::{
    Additions, Destination, EntryName, Error, ErrorKind, Input, ManifestEdit, NewEntry, Notice,
    Work, manifest,
};
use rayon::prelude::*;

/// A directory in progress.
pub(super) struct Output<'a> {
    pub(super) input: &'a Input,
    pub(super) to: &'a Destination,
    /// The directory, open.
    pub(super) directory: jfathom_files::Directory,
}

impl Output<'_> {
    /// Writes a class directory under its temporary name and returns the size of all files.
    pub(super) fn write_whole(
        self,
        found: &Directory,
        mut actions: Vec<EntryAction>,
        additions: &Additions,
        work: &Work<'_>,
    ) -> Result<u64, Error> {
        edit_manifest(self.input, &mut actions, &additions.manifest)?;
        for folder in &found.folders {
            self.make_folder(folder)?;
        }
        let copy = |(file, action): (&crate::directory::DirectoryFile, &EntryAction)| {
            let from = found.root.join(&file.path);
            let failed = |e| Error::io(&from, "cannot copy", e);
            let mut source = jfathom_files::open_plain(&from).map_err(failed)?;
            let mut copy = self.create(&file.path)?;
            let copied = match action {
                // No file of a directory is dropped.
                EntryAction::Keep | EntryAction::Drop => io::copy(&mut source, &mut copy),
                EntryAction::Replace(new) => {
                    copy.write_all(&new.data).map(|()| new.data.len() as u64)
                }
            };
            let size = copied.map_err(failed)?;
            let meta = source.metadata().map_err(failed)?;
            copy.set_permissions(meta.permissions()).map_err(failed)?;
            // Without timestamps the output is still right.
            let _ = meta.modified().and_then(|time| copy.set_modified(time));
            Ok(size)
        };
        let sizes = work.run(self.input.location(), || {
            found.files.par_iter().zip(&actions).map(copy).try_reduce(|| 0, |a, b| Ok(a + b))
        })??;
        let added = self.add(&additions.entries)?;
        Ok(sizes + added)
    }

    /// Writes the changed and added entries of any container as files and returns their size.
    pub(super) fn write_patch(
        self,
        actions: Vec<EntryAction>,
        additions: &Additions,
        work: &Work<'_>,
        notices: &mut Vec<Notice>,
    ) -> Result<u64, Error> {
        let mut files: HashMap<PathBuf, Vec<u8>> = HashMap::new();
        for (name, action) in self.input.names().zip(actions) {
            let EntryAction::Replace(new) = action else { continue };
            match name.relative_path() {
                // Of several entries with one name the JVM takes the last.
                Some(path) => drop(files.insert(path, new.data)),
                None => {
                    notices.push(Notice::UnsafeName { location: self.input.location().join(name) })
                }
            }
        }
        let sizes = work.run(self.input.location(), || {
            files
                .par_iter()
                .map(|(path, bytes)| self.write(path, bytes))
                .try_reduce(|| 0, |a, b| Ok(a + b))
        })??;
        let added = self.add(&additions.entries)?;
        Ok(sizes + added)
    }

    fn make_folder(&self, relative: &Path) -> Result<jfathom_files::Directory, Error> {
        self.directory
            .create_directories(relative, 0o777)
            .map_err(|e| Error::io(self.to.path.join(relative), "cannot make folder", e))
    }

    /// Makes a new file, with the folders above it.
    fn create(&self, relative: &Path) -> Result<File, Error> {
        let above = relative.parent().unwrap_or(Path::new(""));
        let above_path = if above == Path::new("") { Path::new(".") } else { above };
        let folder = match self.directory.beneath(above_path) {
            Ok(folder) => folder,
            Err(_) => self.make_folder(above)?,
        };
        folder
            .create_file(relative.file_name().unwrap_or_default(), 0o666)
            .map_err(|e| Error::io(self.to.path.join(relative), "cannot write", e))
    }

    /// Writes one file and returns its size.
    fn write(&self, relative: &Path, bytes: &[u8]) -> Result<u64, Error> {
        let mut file = self.create(relative)?;
        file.write_all(bytes)
            .map_err(|e| Error::io(self.to.path.join(relative), "cannot write", e))?;
        Ok(bytes.len() as u64)
    }

    /// Writes the added entries and returns their size.
    fn add(&self, entries: &[NewEntry]) -> Result<u64, Error> {
        let mut size = 0;
        for entry in entries.iter().filter(|e| !e.name.is_directory()) {
            size += self.write(&self.path_of(&entry.name)?, &entry.bytes)?;
        }
        Ok(size)
    }

    fn path_of(&self, name: &EntryName) -> Result<PathBuf, Error> {
        let unsafe_name =
            || Error::new(self.input.location().clone(), ErrorKind::UnsafeName(name.clone()));
        name.relative_path().ok_or_else(unsafe_name)
    }
}

/// Edits the manifest of a class directory, if it has one.
fn edit_manifest(
    input: &Input,
    actions: &mut [EntryAction],
    edits: &[ManifestEdit],
) -> Result<(), Error> {
    let Some(at) = input.names().position(manifest::is_manifest).filter(|_| !edits.is_empty())
    else {
        return Ok(());
    };
    let Some(mut edited) = input.manifest()? else { return Ok(()) };
    edited.apply(edits);
    actions[at] =
        EntryAction::Replace(crate::codec::pack(edited.to_bytes(), crate::codec::Storage::Stored));
    Ok(())
}
