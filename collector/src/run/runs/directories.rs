//! The session directories of a series of runs.

use crate::{Error, Event, RecordOptions, run::session_dir::SessionDir};

/// The session directories of the runs. They stay until the profile is written: a collector that is
/// killed loses no run that has ended.
pub(super) struct RunDirectories {
    /// The one that the user names; those of the runs are in it.
    parent: Option<SessionDir>,
    first: SessionDir,
    /// Session directories of all runs after the first.
    others: Vec<SessionDir>,
}

impl RunDirectories {
    /// Makes the directory of the first run.
    ///
    /// # Errors
    /// Fails if it cannot be made.
    pub(super) fn new(options: &RecordOptions) -> Result<Self, Error> {
        let parent =
            options.session_dir.as_deref().map(|path| SessionDir::make(Some(path))).transpose()?;
        let first = Self::make(parent.as_ref(), 1)?;
        Ok(Self { parent, first, others: Vec::new() })
    }

    fn make(parent: Option<&SessionDir>, number: usize) -> Result<SessionDir, Error> {
        let path = parent.map(|parent| parent.path().join(format!("run-{number}")));
        SessionDir::make(path.as_deref())
    }

    /// The directory of the run with this number, from 0. Runs come in order.
    pub(super) fn of_run(&mut self, number: usize) -> Result<&SessionDir, Error> {
        if number > self.others.len() {
            let dir = Self::make(self.parent.as_ref(), number + 1)?;
            self.others.push(dir);
        }
        Ok(self.last())
    }

    /// The directory of the run that came last.
    pub(super) fn last(&self) -> &SessionDir {
        self.others.last().unwrap_or(&self.first)
    }

    /// Removes the directories, unless they are to be kept or hold what could not be written.
    pub(super) fn end(
        self,
        options: &RecordOptions,
        error: Option<&Error>,
        events: &mut dyn FnMut(Event),
    ) {
        for dir in std::iter::once(self.first).chain(self.others) {
            dir.end(options, error, events);
        }
        let kept =
            options.keep_session || matches!(error, Some(Error::Output { kept: Some(_), .. }));
        if let Some(parent) = self.parent.filter(|_| !kept) {
            parent.remove();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn each_run_has_a_directory_of_its_own() {
        let temp = tempfile::tempdir().unwrap();
        let options =
            RecordOptions { session_dir: Some(temp.path().join("s")), ..RecordOptions::default() };
        let mut directories = RunDirectories::new(&options).unwrap();
        let paths: Vec<PathBuf> =
            (0..3).map(|run| directories.of_run(run).unwrap().path().to_owned()).collect();
        let expected = ["run-1", "run-2", "run-3"]
            .map(|name| temp.path().canonicalize().unwrap().join("s").join(name));
        assert_eq!(paths, expected);
        assert!(paths.iter().all(|path| path.is_dir()));
        directories.end(&options, None, &mut |_| ());
        assert_eq!(std::fs::read_dir(temp.path()).unwrap().count(), 0);
    }
}
