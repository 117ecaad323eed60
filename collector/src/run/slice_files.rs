//! The files of a recording's slices.

use crate::{
    drain::progress::Progress,
    run::{jvm_profile::write_profile, output, saved_slices, slice_pattern::SliceOptions},
};
use jfathom_files::output::Output;
use jfathom_profile::Profile;
use std::{
    collections::{HashSet, VecDeque},
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::Ordering},
};

/// Slices that could not be written are kept and tried again, so many at most.
const MOST_KEPT: usize = 4;

/// The files, for the threads that write slices.
pub(crate) type SharedSliceFiles = Arc<Mutex<SliceFiles>>;

/// The files. A thread that has ended in a panic leaves them as they are.
pub(crate) fn locked(files: &SharedSliceFiles) -> MutexGuard<'_, SliceFiles> {
    files.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The profiles of the slices, in the order in which they were written.
#[derive(Debug)]
pub(crate) struct SliceFiles {
    options: SliceOptions,
    force: bool,
    /// The session directory: what cannot be written is saved there.
    session: PathBuf,
    written: VecDeque<(PathBuf, u64)>,
    /// All paths that were written, also those that are removed.
    known: HashSet<PathBuf>,
    /// Those that could not be written.
    kept: VecDeque<Kept>,
    /// Records of all slices.
    records: u64,
    /// Whether a slice has records, or calls on virtual threads.
    has_records: bool,
}

/// A slice that could not be written.
#[derive(Debug)]
struct Kept {
    path: PathBuf,
    profile: Profile,
    /// Where it is meanwhile; none if there was no space for it either.
    saved: Option<PathBuf>,
    /// Whose [`Progress::unwritten`] has this slice; none if it has it no more.
    unwritten: Option<Arc<Progress>>,
}

impl Kept {
    /// It is on a disk, or is given up.
    fn count(&mut self) {
        if let Some(progress) = self.unwritten.take() {
            progress.unwritten.fetch_sub(1, Ordering::AcqRel);
        }
    }

    /// Saves it in the session directory if it is not there.
    fn save(&mut self, session: &Path) {
        if self.saved.is_none() {
            self.saved = saved_slices::save(session, &self.profile).ok();
        }
        if self.saved.is_some() {
            self.count();
        }
    }
}

/// Removes its saved copy.
impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(saved) = &self.saved {
            let _ = fs::remove_file(saved);
        }
    }
}

impl SliceFiles {
    pub(crate) fn new(options: SliceOptions, force: bool, session: &Path) -> Self {
        let (written, known, kept) = Default::default();
        let session = session.to_owned();
        Self { options, force, session, written, known, kept, records: 0, has_records: false }
    }

    /// Writes the profile of a slice. What cannot be written is kept for the next call. Each call
    /// returns the sentences for the user. Lowers [`Progress::unwritten`] when the slice is on a
    /// disk.
    pub(crate) fn add(&mut self, profile: Profile, progress: &Arc<Progress>) -> Vec<String> {
        self.push(profile, Some(Arc::clone(progress)));
        self.write_kept(MOST_KEPT)
    }

    /// The same for the last slice of a JVM, which is in the session directory. Nothing is given
    /// up.
    pub(crate) fn add_last(&mut self, profile: Profile) -> Vec<String> {
        self.push(profile, None);
        self.write_kept(usize::MAX)
    }

    fn push(&mut self, profile: Profile, unwritten: Option<Arc<Progress>>) {
        self.records = self.records.saturating_add(profile.quality.records);
        self.has_records |= profile.quality.records > 0 || profile.quality.virtual_calls > 0;
        let began = profile.meta.started_millis;
        let number = profile.slice.as_ref().map_or(0, |slice| slice.number);
        let pid = profile.meta.jvms.first().map_or(0, |jvm| jvm.pid);
        let mut path = self.options.pattern.path(began, number, pid);
        if self.has_path(&path) {
            // Of another JVM of the same recording, or within one second.
            path = output::of_jvm(&path, pid);
        }
        if self.has_path(&path) {
            path = output::of_jvm(&path, u64::from(number));
        }
        self.kept.push_back(Kept { path, profile, saved: None, unwritten });
    }

    fn has_path(&self, path: &Path) -> bool {
        self.known.contains(path) || self.kept.iter().any(|kept| kept.path == path)
    }

    /// Whether there was a slice with anything recorded.
    pub(crate) fn has_records(&self) -> bool {
        self.has_records
    }

    /// Whether some are not written.
    pub(crate) fn has_kept(&self) -> bool {
        !self.kept.is_empty()
    }

    /// Records of all slices, also of those that are removed.
    pub(crate) fn records(&self) -> u64 {
        self.records
    }

    /// The profiles that are there, oldest first.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        self.written.iter().map(|(path, _)| path.clone()).collect()
    }

    /// Leaves those that could not be written to the session directory. Returns how many that
    /// already have no space there: they are lost.
    pub(crate) fn leave_kept(&mut self) -> usize {
        let mut lost = 0;
        for mut kept in std::mem::take(&mut self.kept) {
            // The last slice of a JVM is there as its profile.
            if kept.unwritten.is_some() {
                kept.save(&self.session);
                lost += usize::from(kept.saved.is_none());
            }
            kept.saved = None;
        }
        lost
    }

    /// Tries again to write those that could not be. Keeps so many at most.
    fn write_kept(&mut self, most: usize) -> Vec<String> {
        let mut notes = Vec::new();
        while let Some(mut kept) = self.kept.pop_front() {
            match self.write(&kept.path, &kept.profile) {
                Ok(bytes) => {
                    kept.count();
                    self.known.insert(kept.path.clone());
                    self.written.push_back((kept.path.clone(), bytes));
                    notes.extend(self.remove_oldest());
                }
                Err(error) => {
                    let path = kept.path.display().to_string();
                    if self.kept.len() >= most {
                        // The oldest one: the others may still find room.
                        kept.count();
                        notes.push(format!("{path}: cannot be written ({error}), and is given up"));
                        continue;
                    }
                    self.kept.push_front(kept);
                    notes.push(format!("{path}: cannot be written ({error}); tried again"));
                    break;
                }
            }
        }
        for kept in self.kept.iter_mut().filter(|kept| kept.unwritten.is_some()) {
            kept.save(&self.session);
        }
        notes
    }

    fn write(&self, path: &Path, profile: &Profile) -> io::Result<u64> {
        let output = Output::find(path)?;
        match self.force {
            true => output.write(0o666, |file| write_profile(profile, file)),
            false => {
                output.write_keeping(0o666, output::is_profile, |file| write_profile(profile, file))
            }
        }?;
        Ok(fs::metadata(path)?.len())
    }

    /// Removes the oldest ones beyond the limit. The newest one stays.
    fn remove_oldest(&mut self) -> Option<String> {
        let limit = self.options.max_size?;
        let mut sum: u64 = self.written.iter().map(|(_, bytes)| bytes).sum();
        while sum > limit && self.written.len() > 1 {
            let (path, bytes) = self.written.pop_front()?;
            sum -= bytes;
            if let Err(error) = fs::remove_file(&path)
                && error.kind() != io::ErrorKind::NotFound
            {
                return Some(format!("{}: cannot be removed: {error}", path.display()));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests;
